# Libraries: from the system, or from build/deps, where ./lecture unpacks them without root. Missing
# ones stop configuring, all at once, with the line that installs them.
set(packages_file ${CMAKE_CURRENT_LIST_DIR}/packages.txt)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${packages_file})

set(unpacked "${PROJECT_SOURCE_DIR}/build/deps/usr")
if(EXISTS "${unpacked}" AND NOT CMAKE_CROSSCOMPILING)
  list(PREPEND CMAKE_PREFIX_PATH "${unpacked}")
  # The programs find these shared libraries, and the shared libraries each other: that takes the
  # older kind of run path, which also holds for libraries of libraries.
  set(CMAKE_BUILD_RPATH "${unpacked}/lib/${CMAKE_LIBRARY_ARCHITECTURE};${unpacked}/lib")
  add_link_options(LINKER:--disable-new-dtags)
endif()

# Not from beside a program on the PATH: conda's libraries want conda's compiler.
set(path_as_given ${CMAKE_FIND_USE_SYSTEM_ENVIRONMENT_PATH})
if(NOT DEFINED path_as_given)
  set(CMAKE_FIND_USE_SYSTEM_ENVIRONMENT_PATH OFF)
endif()

set(missing_names "")
set(missing_packages "")
file(STRINGS ${packages_file} lines REGEX "^library ")
foreach(line IN LISTS lines)
  string(REGEX MATCH "^library +([^ ]+) +([^ ]+)" unused "${line}")
  set(package ${CMAKE_MATCH_1})
  set(name ${CMAKE_MATCH_2})
  if(name MATCHES "^(GTest|benchmark)$" AND NOT PROJECT_IS_TOP_LEVEL)
    continue()
  endif()
  find_package(${name} QUIET)
  if(NOT ${name}_FOUND)
    list(APPEND missing_names ${name})
    list(APPEND missing_packages ${package})
  endif()
endforeach()

# ./lecture reads this file to know what to install.
list(JOIN missing_packages " " packages)
file(WRITE ${PROJECT_BINARY_DIR}/missing.txt "${packages}")
if(missing_packages)
  list(JOIN missing_names ", " names)
  message(FATAL_ERROR "Not found: ${names}.\n"
    "On Debian and Ubuntu this line installs what is missing:\n"
    "  sudo apt-get install -y ${packages}\n"
    "Without root, ./lecture unpacks the same libraries into build/deps.\n")
endif()

find_package(Threads REQUIRED)

if(NOT DEFINED path_as_given)
  unset(CMAKE_FIND_USE_SYSTEM_ENVIRONMENT_PATH)
endif()
