# napkin_demo(01_tensors main.cpp): the program build/bin/01_tensors, its benchmark where
# benchmark.cpp stands beside it, and one ctest line for every claim of claims.json:
#
#   demo.01.build      builds the demo, so that `ctest -R claim.01` judges the present source
#   demo.01.run        runs it once; a crash makes the demo's claims Not Run
#   claim.01.ID says   judges one number
#   demo.01.complete   every claim was reported once, and no other
#
# claims.json is read when CMake configures, and CMake configures again when it changes.

function(napkin_demo name)
  add_executable(${name} ${ARGN} ${PROJECT_SOURCE_DIR}/common/lecture/demo_folder.cpp)
  target_link_libraries(${name} PRIVATE napkin::common)
  target_compile_definitions(${name} PRIVATE NAPKIN_DEMO_FOLDER="${CMAKE_CURRENT_SOURCE_DIR}")
  if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/benchmark.cpp)
    add_executable(${name}_benchmark benchmark.cpp)
    target_link_libraries(${name}_benchmark PRIVATE napkin::common benchmark::benchmark)
    if(NOT NAPKIN_BENCHMARKS)
      set_target_properties(${name}_benchmark PROPERTIES EXCLUDE_FROM_ALL ON)
    endif()
  endif()
  if(BUILD_TESTING)
    napkin_demo_tests(${name} ${CMAKE_CURRENT_SOURCE_DIR}/claims.json)
  endif()
endfunction()

# The fixture chain and the claims of one demo. Sentences are free text: they are read one by one
# and always quoted, never put into a list.
function(napkin_demo_tests name claims)
  string(SUBSTRING ${name} 0 2 number)
  set(results ${PROJECT_BINARY_DIR}/claims/${name}.json)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${claims})
  add_test(NAME demo.${number}.build
           COMMAND ${CMAKE_COMMAND} --build ${PROJECT_BINARY_DIR} --config $<CONFIG>
                   --target ${name} claim_check)
  set_tests_properties(demo.${number}.build PROPERTIES FIXTURES_SETUP demo.${number}.built
                       RESOURCE_LOCK build LABELS "demo;${name}" TIMEOUT 600)
  add_test(NAME demo.${number}.run
           COMMAND claim_check run $<TARGET_FILE:${name}> ${claims} ${results})
  set_tests_properties(demo.${number}.run PROPERTIES FIXTURES_REQUIRED demo.${number}.built
                       FIXTURES_SETUP demo.${number}.ran LABELS "demo;${name}" TIMEOUT 600)
  add_test(NAME demo.${number}.complete COMMAND claim_check complete ${results} ${claims})
  set_tests_properties(demo.${number}.complete PROPERTIES FIXTURES_REQUIRED demo.${number}.ran
                       LABELS "demo;${name}")

  file(READ ${claims} json)
  string(JSON count LENGTH "${json}" claims)
  math(EXPR last "${count} - 1")
  foreach(index RANGE ${last})
    string(JSON id GET "${json}" claims ${index} id)
    string(JSON says GET "${json}" claims ${index} says)
    string(JSON timing ERROR_VARIABLE none GET "${json}" claims ${index} timing)
    if("${says}" MATCHES "[^ -~]")
      message(FATAL_ERROR "${claims}: the sentence of ${id} is not ASCII: ${says}")
    endif()
    set(test "claim.${id} ${says}")
    add_test(NAME "${test}" COMMAND claim_check check ${results} ${claims} ${id})
    set_tests_properties("${test}" PROPERTIES FIXTURES_REQUIRED demo.${number}.ran
                         SKIP_RETURN_CODE 77 LABELS "claim;${name}")
    if("${timing}" STREQUAL "ON")  # the run measures time: nothing else may run beside it
      set_tests_properties(demo.${number}.run PROPERTIES RUN_SERIAL ON)
    endif()
  endforeach()
endfunction()
