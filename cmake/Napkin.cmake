# napkin_library, napkin_test, napkin_gpu_test: what the folders of common/ are made of.

# Warnings are for what is compiled below this folder.
add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra;-Wconversion;-Wshadow>"
                    "$<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall,-Wextra>")
if(NAPKIN_WERROR)
  add_compile_options("$<IF:$<COMPILE_LANGUAGE:CUDA>,-Werror=all-warnings,-Werror>")
endif()

# The rest must reach whoever includes a header, in other projects, too. Multiplication and addition
# are fused only where the code says fma: of a function in a header the linker keeps one copy for the
# whole program, and one compiled elsewhere with -march=native would change the library's bits.
add_library(napkin_options INTERFACE)
target_include_directories(napkin_options INTERFACE ${PROJECT_SOURCE_DIR})
target_compile_features(napkin_options INTERFACE cxx_std_20)
target_compile_options(napkin_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-ffp-contract=off>)
if(NAPKIN_HAS_CUDA)
  target_compile_options(napkin_options INTERFACE
    $<$<COMPILE_LANGUAGE:CUDA>:--expt-relaxed-constexpr;--fmad=false>)
  # nvcc can evaluate fmt's checks of format strings, but fmt 9 does not know that.
  target_compile_definitions(napkin_options INTERFACE NAPKIN_HAS_CUDA
    $<$<COMPILE_LANGUAGE:CUDA>:FMT_USE_CONSTEXPR=1>)
endif()
if(NAPKIN_SANITIZE)
  target_compile_options(napkin_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:
    -fsanitize=address,undefined;-fno-sanitize-recover=all;-fno-omit-frame-pointer>)
  target_compile_definitions(napkin_options INTERFACE _GLIBCXX_ASSERTIONS)
  target_link_options(napkin_options INTERFACE -fsanitize=address,undefined)
endif()

# Highway, and the instruction sets that a loop is compiled for in one build: AVX-512, AVX2 and the
# baseline on x86 (the mask switches its other levels off); NEON, which every 64-bit Arm processor has,
# on Arm: vectors of SVE cannot stand in an array, as those of a product's tile do.
add_library(napkin_vectors INTERFACE)
target_link_libraries(napkin_vectors INTERFACE hwy::hwy)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  target_compile_definitions(napkin_vectors INTERFACE HWY_DISABLED_TARGETS=0x3CFF)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
  target_compile_definitions(napkin_vectors INTERFACE HWY_COMPILE_ONLY_STATIC
    "HWY_DISABLED_TARGETS=(HWY_SVE|HWY_SVE2|HWY_SVE_256|HWY_SVE2_128)")  # their bits change by release
endif()

# All that nvcc compiles, as one target.
add_custom_target(napkin_cuda)

add_library(napkin_common INTERFACE)
add_library(napkin::common ALIAS napkin_common)

# napkin_library(reduce SOURCES a.cpp b.cpp CUDA c.cu d.cpp LINK napkin_tensor): a part of common/. It
# depends only on those made before it. What follows CUDA is built where CUDA is (NAPKIN_HAS_CUDA, in
# CMake and in C++), what follows WITHOUT_CUDA elsewhere. OWN_HEADERS: not with
# napkin_core's precompiled header.
function(napkin_library name)
  cmake_parse_arguments(L "OWN_HEADERS" "" "SOURCES;CUDA;WITHOUT_CUDA;LINK" ${ARGN})
  if(NAPKIN_HAS_CUDA)
    list(APPEND L_SOURCES ${L_CUDA})
  else()
    list(APPEND L_SOURCES ${L_WITHOUT_CUDA})
  endif()
  add_library(napkin_${name} STATIC ${L_SOURCES})
  add_library(napkin::${name} ALIAS napkin_${name})
  if(NAPKIN_HAS_CUDA AND L_CUDA)
    add_dependencies(napkin_cuda napkin_${name})
  endif()
  target_link_libraries(napkin_${name} PUBLIC napkin_options ${L_LINK})
  target_link_libraries(napkin_common INTERFACE napkin_${name})
  if(NAPKIN_SANITIZE)  # unoptimised, the loops would take hours
    target_compile_options(napkin_${name} PRIVATE -O1)
  endif()
  if(NOT L_OWN_HEADERS)
    target_precompile_headers(napkin_${name} REUSE_FROM napkin_core)
  endif()
endfunction()

# What nearly every file of a target includes, compiled once for it and for those that reuse it.
function(napkin_precompile target)
  foreach(header IN LISTS ARGN)
    string(REPLACE ">" "$<ANGLE-R>" header "${header}")
    target_precompile_headers(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:${header}>")
  endforeach()
endfunction()

# Tests of the library are one program for each folder of common/ (two levels of it in tensor/), and a
# ctest line for each file. Sets the name of the folder's program and of a file's line.
function(napkin_names_of part ending program line)
  string(REPLACE "/" ";" folders "${part}")
  list(LENGTH folders depth)
  list(GET folders 0 name)
  if(name STREQUAL "tensor" AND depth GREATER 2)
    list(GET folders 1 inner)
    string(APPEND name "_${inner}")
  endif()
  string(REPLACE "/" "." dotted "${part}")
  set(${program} ${name}_${ending} PARENT_SCOPE)
  set(${line} ${dotted} PARENT_SCOPE)
endfunction()

# A program of GoogleTest tests; `source` joins those it has.
function(napkin_test_program target source)
  if(NOT TARGET ${target})
    add_executable(${target})
    target_link_libraries(${target} PRIVATE napkin::common napkin_test_main)
    target_compile_definitions(${target} PRIVATE NAPKIN_SOURCE="${PROJECT_SOURCE_DIR}")
    target_precompile_headers(${target} REUSE_FROM napkin_test_main)
  endif()
  target_sources(${target} PRIVATE ${source})
endfunction()

# A program with a ctest line of its own. All tests skipped: exit code 77, "Skipped".
function(napkin_add_test name target source)
  napkin_test_program(${target} "${source}")
  target_link_libraries(${target} PRIVATE ${T_LINK})
  add_test(NAME ${name} COMMAND ${target})
endfunction()

# napkin_test(tensor/layout): common/tensor/layout_test.cpp becomes the ctest line
# common.tensor.layout. LABELS slow where it takes minutes; LINK for libraries beyond common/.
function(napkin_test part)
  if(NOT BUILD_TESTING)
    return()
  endif()
  cmake_parse_arguments(T "" "" "LABELS;LINK" ${ARGN})
  napkin_names_of(${part} tests program line)
  napkin_test_program(${program} ${PROJECT_SOURCE_DIR}/common/${part}_test.cpp)
  target_link_libraries(${program} PRIVATE ${T_LINK})
  add_test(NAME common.${line} COMMAND ${program} --file=${part}_test.cpp)
  set_tests_properties(common.${line} PROPERTIES SKIP_RETURN_CODE 77 LABELS "common;${T_LABELS}"
                       TIMEOUT 300)
endfunction()

# napkin_gpu_test(gpu/runtime): common/gpu/runtime_gpu_test.cpp and .cu become the ctest line
# gpu.gpu.runtime, in programs apart from the others. Without CUDA the line stays and says Skipped.
function(napkin_gpu_test part)
  if(NOT BUILD_TESTING)
    return()
  endif()
  cmake_parse_arguments(T "" "" "LABELS;LINK" ${ARGN})
  napkin_names_of(${part} gpu_tests program line)
  if(NAPKIN_HAS_CUDA)
    file(GLOB source ${PROJECT_SOURCE_DIR}/common/${part}_gpu_test.c*)
    napkin_test_program(${program} "${source}")
    target_link_libraries(${program} PRIVATE ${T_LINK})
    add_dependencies(napkin_cuda ${program})
    add_test(NAME gpu.${line} COMMAND ${program} --file=${part}_gpu_test.cpp)
  else()
    add_test(NAME gpu.${line} COMMAND sh -c "echo 'built without CUDA'; exit 77")
  endif()
  set_tests_properties(gpu.${line} PROPERTIES SKIP_RETURN_CODE 77 LABELS "gpu;${T_LABELS}"
                       TIMEOUT 300 RESOURCE_LOCK gpu)
endfunction()
