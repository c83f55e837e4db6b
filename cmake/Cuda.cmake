# CUDA where it is found. NAPKIN_HAS_CUDA says whether .cu files are built.
#   NAPKIN_CUDA=AUTO   where nvcc 12 or newer works with this compiler, and an NVIDIA driver says that
#                      there is a use for it: a GPU takes minutes to compile for. Named by
#                      CMAKE_CUDA_COMPILER, nvcc is used in any case
#   NAPKIN_CUDA=ON     wherever nvcc is; stop without it        NAPKIN_CUDA=OFF   never
set(NAPKIN_CUDA AUTO CACHE STRING "GPU code: AUTO, ON or OFF")
set_property(CACHE NAPKIN_CUDA PROPERTY STRINGS AUTO ON OFF)
set(NAPKIN_HAS_CUDA FALSE)

# Sets `result` to what stands in the way, or to nothing once CMAKE_CUDA_COMPILER works.
function(napkin_look_for_cuda result)
  if(NOT CMAKE_CUDA_COMPILER)
    unset(CMAKE_CUDA_COMPILER CACHE)  # an earlier NOTFOUND would stay for ever
    find_program(NAPKIN_NVCC nvcc HINTS ENV CUDACXX PATHS /usr/local/cuda/bin /opt/cuda/bin)
    mark_as_advanced(NAPKIN_NVCC)
    if(NOT NAPKIN_NVCC)
      set(${result} "no nvcc found" PARENT_SCOPE)
      return()
    endif()
    set(ENV{CUDACXX} ${NAPKIN_NVCC})
    execute_process(COMMAND ${NAPKIN_NVCC} --version OUTPUT_VARIABLE said ERROR_QUIET)
    string(REGEX MATCH "release ([0-9]+\\.[0-9]+)" unused "${said}")
    if(NOT CMAKE_MATCH_1 VERSION_GREATER_EQUAL 12)
      set(${result} "${NAPKIN_NVCC} is ${CMAKE_MATCH_1}, 12 or newer is needed" PARENT_SCOPE)
      return()
    endif()
    # The compiler of the rest of the program, where nvcc knows it.
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND NOT DEFINED ENV{CUDAHOSTCXX})
      set(ENV{CUDAHOSTCXX} ${CMAKE_CXX_COMPILER})
    endif()
  endif()
  include(CheckLanguage)
  check_language(CUDA)
  if(NOT CMAKE_CUDA_COMPILER)
    set(${result} "nvcc cannot compile with $ENV{CUDAHOSTCXX}; name one that it accepts in the \
environment variable CUDAHOSTCXX" PARENT_SCOPE)
  endif()
endfunction()

# Whether this machine has an NVIDIA driver: Linux, or Linux within Windows.
set(NAPKIN_HAS_DRIVER FALSE)
foreach(place /proc/driver/nvidia/version /dev/nvidiactl /dev/nvhost-ctrl-gpu /dev/dxg)
  if(EXISTS ${place})
    set(NAPKIN_HAS_DRIVER TRUE)
  endif()
endforeach()

if(NAPKIN_CUDA STREQUAL "OFF")
  message(STATUS "CUDA: switched off")
elseif(NAPKIN_CUDA STREQUAL "AUTO" AND NOT NAPKIN_HAS_DRIVER AND NOT CMAKE_CUDA_COMPILER)
  message(STATUS "no CUDA: no NVIDIA driver is here. GPU code is left out; -DNAPKIN_CUDA=ON builds it "
                 "all the same, for a machine that has one")
else()
  set(obstacle "")
  napkin_look_for_cuda(obstacle)
  if(obstacle AND NAPKIN_CUDA STREQUAL "ON")
    message(FATAL_ERROR "NAPKIN_CUDA is ON, but: ${obstacle}.")
  elseif(obstacle)
    message(STATUS "no CUDA: ${obstacle}. GPU code is left out")
  else()
    set(NAPKIN_HAS_CUDA TRUE)
  endif()
endif()

if(NAPKIN_HAS_CUDA)
  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
    set(CMAKE_CUDA_ARCHITECTURES "75;80;90" CACHE STRING "GPU generations to compile for")
  endif()
  enable_language(CUDA)
  if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)  # CMake 3.25 does not know that nvcc can
    set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)
    set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION -std=c++20)
  endif()
  set(CMAKE_CUDA_STANDARD 20)
  set(CMAKE_CUDA_STANDARD_REQUIRED ON)
  set(CMAKE_CUDA_EXTENSIONS OFF)
  find_package(CUDAToolkit REQUIRED)
  message(STATUS "CUDA: nvcc ${CMAKE_CUDA_COMPILER_VERSION} for ${CMAKE_CUDA_ARCHITECTURES}")
endif()
