# napkin_library, napkin_demo, napkin_test: what every folder's CMakeLists.txt is made of.

add_library(napkin_options INTERFACE)
target_include_directories(napkin_options INTERFACE ${PROJECT_SOURCE_DIR})
target_compile_options(napkin_options INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-ffp-contract=off;-Wall;-Wextra;-Wconversion;-Wshadow>
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<BOOL:${NAPKIN_WERROR}>>:-Werror>)
if(NAPKIN_SANITIZE)
  target_compile_options(napkin_options INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=address,undefined;-fno-sanitize-recover=all;-fno-omit-frame-pointer;-O1;-g>)
  target_link_options(napkin_options INTERFACE -fsanitize=address,undefined)
endif()

add_library(napkin_common INTERFACE)
add_library(napkin::common ALIAS napkin_common)

# napkin_library(tensor SOURCES a.cpp b.cpp LINK napkin_numeric): one folder of common/. It depends
# only on folders listed before it.
function(napkin_library folder)
  cmake_parse_arguments(L "" "" "SOURCES;LINK" ${ARGN})
  add_library(napkin_${folder} STATIC ${L_SOURCES})
  target_link_libraries(napkin_${folder} PUBLIC napkin_options ${L_LINK})
  target_link_libraries(napkin_common INTERFACE napkin_${folder})
endfunction()

# napkin_test(tensor/layout): common/tensor/layout_test.cpp becomes the ctest line
# common.tensor.layout. LABELS slow where it takes minutes.
function(napkin_test part)
  if(NOT BUILD_TESTING)
    return()
  endif()
  cmake_parse_arguments(T "" "" "LABELS;LINK" ${ARGN})
  string(REPLACE "/" "." dotted "${part}")
  string(REPLACE "/" "_" target "${part}_test")
  add_executable(${target} ${PROJECT_SOURCE_DIR}/common/${part}_test.cpp)
  target_link_libraries(${target} PRIVATE napkin::common napkin_test_main ${T_LINK})
  target_compile_definitions(${target} PRIVATE NAPKIN_SOURCE="${PROJECT_SOURCE_DIR}")
  add_test(NAME common.${dotted} COMMAND ${target})
  set_tests_properties(common.${dotted} PROPERTIES SKIP_RETURN_CODE 77 LABELS "common;${T_LABELS}"
                       TIMEOUT 300)
endfunction()
