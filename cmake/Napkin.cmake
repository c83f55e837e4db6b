# napkin_library, napkin_test, napkin_gpu_test: what the folders of common/ are made of.

add_library(napkin_options INTERFACE)
target_include_directories(napkin_options INTERFACE ${PROJECT_SOURCE_DIR})
target_compile_options(napkin_options INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-ffp-contract=off;-Wall;-Wextra;-Wconversion;-Wshadow>
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<BOOL:${NAPKIN_WERROR}>>:-Werror>)
if(NAPKIN_HAS_CUDA)
  # Multiplication and addition are fused only where the code says fma, on the GPU as on the CPU.
  target_compile_options(napkin_options INTERFACE
    $<$<COMPILE_LANGUAGE:CUDA>:--expt-relaxed-constexpr;--fmad=false;-Xcompiler=-Wall,-Wextra>
    $<$<AND:$<COMPILE_LANGUAGE:CUDA>,$<BOOL:${NAPKIN_WERROR}>>:-Werror=all-warnings>)
  # nvcc can evaluate fmt's checks of format strings, but fmt 9 does not know that.
  target_compile_definitions(napkin_options INTERFACE NAPKIN_HAS_CUDA
    $<$<COMPILE_LANGUAGE:CUDA>:FMT_USE_CONSTEXPR=1>)
endif()
if(NAPKIN_SANITIZE)
  target_compile_options(napkin_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:
    -fsanitize=address,undefined;-fno-sanitize-recover=all;-fno-omit-frame-pointer;-O1;-g>)
  target_compile_definitions(napkin_options INTERFACE _GLIBCXX_ASSERTIONS)
  target_link_options(napkin_options INTERFACE -fsanitize=address,undefined)
endif()

# All that nvcc compiles, as one target.
add_custom_target(napkin_cuda)

add_library(napkin_common INTERFACE)
add_library(napkin::common ALIAS napkin_common)

# napkin_library(tensor SOURCES a.cpp b.cpp c.cu LINK napkin_numeric): one folder of common/. It
# depends only on folders listed before it. A .cu file is built where CUDA is (NAPKIN_HAS_CUDA,
# in CMake and in C++).
function(napkin_library folder)
  cmake_parse_arguments(L "" "" "SOURCES;LINK" ${ARGN})
  if(NOT NAPKIN_HAS_CUDA)
    list(FILTER L_SOURCES EXCLUDE REGEX "\\.cu$")
  endif()
  add_library(napkin_${folder} STATIC ${L_SOURCES})
  if(L_SOURCES MATCHES "\\.cu(;|$)")
    add_dependencies(napkin_cuda napkin_${folder})
  endif()
  target_link_libraries(napkin_${folder} PUBLIC napkin_options ${L_LINK})
  target_link_libraries(napkin_common INTERFACE napkin_${folder})
endfunction()

# One program of GoogleTest tests and its ctest line. All tests skipped: exit code 77, "Skipped".
function(napkin_add_test name target source)
  add_executable(${target} ${source})
  target_link_libraries(${target} PRIVATE napkin::common napkin_test_main ${T_LINK})
  target_compile_definitions(${target} PRIVATE NAPKIN_SOURCE="${PROJECT_SOURCE_DIR}")
  # What tests call is optimised, the tests themselves hardly: that is a third of the build time.
  list(FILTER source INCLUDE REGEX "\\.cpp$")
  if(NAPKIN_SANITIZE)  # on the sources, since there it comes last, after napkin_options
    set_property(SOURCE ${source} APPEND PROPERTY COMPILE_OPTIONS -O0)
  else()
    target_compile_options(${target} PRIVATE
      $<$<AND:$<CONFIG:Release>,$<COMPILE_LANGUAGE:CXX>>:-O1>)
  endif()
  add_test(NAME ${name} COMMAND ${target})
endfunction()

# napkin_test(tensor/layout): common/tensor/layout_test.cpp becomes the ctest line
# common.tensor.layout. LABELS slow where it takes minutes; LINK for libraries beyond common/.
function(napkin_test part)
  if(NOT BUILD_TESTING)
    return()
  endif()
  cmake_parse_arguments(T "" "" "LABELS;LINK" ${ARGN})
  string(REPLACE "/" "." dotted "${part}")
  string(REPLACE "/" "_" target "${part}_test")
  napkin_add_test(common.${dotted} ${target} ${PROJECT_SOURCE_DIR}/common/${part}_test.cpp)
  set_tests_properties(common.${dotted} PROPERTIES SKIP_RETURN_CODE 77 LABELS "common;${T_LABELS}"
                       TIMEOUT 300)
endfunction()

# napkin_gpu_test(gpu/runtime): common/gpu/runtime_gpu_test.cpp and .cu become the ctest line
# gpu.gpu.runtime, in a program of its own. Without CUDA the line stays and says Skipped.
function(napkin_gpu_test part)
  if(NOT BUILD_TESTING)
    return()
  endif()
  cmake_parse_arguments(T "" "" "LABELS;LINK" ${ARGN})
  string(REPLACE "/" "." dotted "${part}")
  string(REPLACE "/" "_" target "${part}_gpu_test")
  if(NAPKIN_HAS_CUDA)
    file(GLOB source ${PROJECT_SOURCE_DIR}/common/${part}_gpu_test.c*)
    napkin_add_test(gpu.${dotted} ${target} "${source}")
    add_dependencies(napkin_cuda ${target})
  else()
    add_test(NAME gpu.${dotted} COMMAND sh -c "echo 'built without CUDA'; exit 77")
  endif()
  set_tests_properties(gpu.${dotted} PROPERTIES SKIP_RETURN_CODE 77 LABELS "gpu;${T_LABELS}"
                       TIMEOUT 300 RESOURCE_LOCK gpu)
endfunction()
