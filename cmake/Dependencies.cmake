# Libraries from the system (Debian and Ubuntu have them all). A missing one stops configuring with
# the line that installs it.
set(NAPKIN_APT "sudo apt-get install -y libfmt-dev libcli11-dev nlohmann-json3-dev libhwy-dev libgtest-dev libbenchmark-dev"
    CACHE INTERNAL "")
macro(napkin_find package)
  find_package(${package} ${ARGN} QUIET)
  if(NOT ${package}_FOUND)
    message(FATAL_ERROR "${package} was not found. Install what the build needs:\n  ${NAPKIN_APT}\n")
  endif()
endmacro()

napkin_find(Threads)
napkin_find(fmt)
napkin_find(CLI11)
napkin_find(nlohmann_json)
napkin_find(hwy)
napkin_find(GTest)
napkin_find(benchmark)

# One OpenMP runtime in a process: g++ uses libgomp; clang's own runtime stays out.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  find_package(OpenMP QUIET)
endif()
