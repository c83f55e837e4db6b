# napkin_demo(01_tensors main.cpp LINK napkin::tensor WHAT_IF "stride --shape 2,3,4" ...): the program
# build/bin/01_tensors, which waits for the libraries that it links alone, its benchmark
# 01_tensors_benchmark where benchmark.cpp (and perhaps gpu_benchmark.cpp) stands beside it, and its
# ctest lines:
#
#   demo.01.build       builds the demo, so that `ctest -R claim.01` judges the present source
#   demo.01.run         runs it once; a crash makes the demo's claims Not Run
#   claim.01.ID says    judges one number of claims.json
#   demo.01.complete    every claim was reported once, and no other
#   demo.01.chinese     nothing stays English with --lang zh
#   demo.01.what_if.N   neither does an example of a subcommand: one line for each after WHAT_IF
#   demo.01.figures.N   every number on the page of that subcommand is in its JSON, too
#
# claims.json is read when CMake configures, and CMake configures again when it changes.

function(napkin_demo name)
  cmake_parse_arguments(D "" "" "LINK;WHAT_IF" ${ARGN})
  add_executable(${name} ${D_UNPARSED_ARGUMENTS}
                 ${PROJECT_SOURCE_DIR}/common/lecture/demo_folder.cpp)
  target_link_libraries(${name} PRIVATE napkin::lecture ${D_LINK})
  # Text and calls of the library: more optimisation would only take time to compile.
  target_compile_options(${name} PRIVATE $<$<OR:$<CONFIG:Release>,$<CONFIG:RelWithDebInfo>>:-O1>)
  target_precompile_headers(${name} REUSE_FROM napkin_lecture)
  target_compile_definitions(${name} PRIVATE NAPKIN_DEMO_FOLDER="${CMAKE_CURRENT_SOURCE_DIR}")
  foreach(file claims.json zh.json)  # copies for a build that is moved away from the source
    if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${file})
      configure_file(${file} ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/data/${name}/${file} COPYONLY)
    endif()
  endforeach()

  if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/benchmark.cpp)
    set(benchmarks benchmark.cpp)
    if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/gpu_benchmark.cpp)
      list(APPEND benchmarks gpu_benchmark.cpp)
    endif()
    add_executable(${name}_benchmark ${benchmarks})
    target_link_libraries(${name}_benchmark PRIVATE napkin::common benchmark::benchmark)
    if(NOT NAPKIN_BENCHMARKS)
      set_target_properties(${name}_benchmark PROPERTIES EXCLUDE_FROM_ALL ON)
    endif()
  endif()

  if(BUILD_TESTING)
    string(SUBSTRING ${name} 0 2 number)
    napkin_build_test(${name} ${number})
    napkin_claim_tests(${name} ${number} ${CMAKE_CURRENT_SOURCE_DIR}/claims.json
                       ${PROJECT_BINARY_DIR}/claims/${name}.json)
    napkin_language_tests(${name} ${number} ${D_WHAT_IF})
  endif()
endfunction()

# napkin_parts_test(02_floating_point parts_test.cpp scales.cpp): tests of a demo's parts, the ctest
# line demo.02.parts. They find the program itself at NAPKIN_DEMO.
function(napkin_parts_test name)
  if(NOT BUILD_TESTING)
    return()
  endif()
  string(SUBSTRING ${name} 0 2 number)
  napkin_add_test(demo.${number}.parts ${number}_parts_test "${ARGN}")
  target_compile_definitions(${number}_parts_test PRIVATE NAPKIN_DEMO="$<TARGET_FILE:${name}>")
  add_dependencies(${number}_parts_test ${name})
  set_tests_properties(demo.${number}.parts PROPERTIES LABELS "demo;${name}" TIMEOUT 300)
endfunction()

# Programs are built one at a time: two builds in one folder disturb each other.
function(napkin_build_test name number)
  add_test(NAME demo.${number}.build
           COMMAND ${CMAKE_COMMAND} --build ${PROJECT_BINARY_DIR} --config $<CONFIG>
                   --target ${name} claim_check)
  set_tests_properties(demo.${number}.build PROPERTIES FIXTURES_SETUP demo.${number}.built
                       RESOURCE_LOCK build LABELS "demo;${name}" TIMEOUT 900)
endfunction()

# The run, and one line for each claim. Sentences are free text: they are read one by one and
# always quoted, never put into a list.
function(napkin_claim_tests name number claims results)
  set(flags "")
  if(NAPKIN_SANITIZE)  # slow, and its timings mean nothing
    set(flags --quick)
  endif()
  add_test(NAME demo.${number}.run
           COMMAND claim_check run $<TARGET_FILE:${name}> ${claims} ${results} ${flags})
  set_tests_properties(demo.${number}.run PROPERTIES FIXTURES_REQUIRED demo.${number}.built
                       FIXTURES_SETUP demo.${number}.ran LABELS "demo;${name}" TIMEOUT 600)
  add_test(NAME demo.${number}.complete COMMAND claim_check complete ${results} ${claims})
  set_tests_properties(demo.${number}.complete PROPERTIES FIXTURES_REQUIRED demo.${number}.ran
                       LABELS "demo;${name}")

  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${claims})
  file(READ ${claims} json)
  string(JSON count LENGTH "${json}" claims)
  math(EXPR last "${count} - 1")
  foreach(index RANGE ${last})
    string(JSON id GET "${json}" claims ${index} id)
    string(JSON says GET "${json}" claims ${index} says)
    if("${says}" MATCHES "[^ -~]")
      message(FATAL_ERROR "${claims}: the sentence of ${id} is not ASCII: ${says}")
    endif()
    set(test "claim.${id} ${says}")
    add_test(NAME "${test}" COMMAND claim_check check ${results} ${claims} ${id})
    set_tests_properties("${test}" PROPERTIES FIXTURES_REQUIRED demo.${number}.ran
                         SKIP_RETURN_CODE 77 LABELS "claim;${name}")
    string(JSON timing ERROR_VARIABLE none GET "${json}" claims ${index} timing)
    if("${timing}" STREQUAL "ON")  # the run measures time: nothing else may run beside it
      set_tests_properties(demo.${number}.run PROPERTIES RUN_SERIAL ON)
    endif()
  endforeach()
endfunction()

function(napkin_language_tests name number)
  add_test(NAME demo.${number}.chinese COMMAND claim_check chinese $<TARGET_FILE:${name}> --quick)
  set(tests demo.${number}.chinese)
  set(index 0)
  foreach(line IN LISTS ARGN)
    math(EXPR index "${index} + 1")
    separate_arguments(words UNIX_COMMAND "${line}")
    add_test(NAME demo.${number}.what_if.${index}
             COMMAND claim_check chinese $<TARGET_FILE:${name}> ${words})
    list(APPEND tests demo.${number}.what_if.${index})
    if(NOT line MATCHES "^-")  # a subcommand
      add_test(NAME demo.${number}.figures.${index}
               COMMAND claim_check figures ${PROJECT_BINARY_DIR}/figures/${number}.${index}.json
                       $<TARGET_FILE:${name}> ${words})
      list(APPEND tests demo.${number}.figures.${index})
    endif()
  endforeach()
  set_tests_properties(${tests} PROPERTIES FIXTURES_REQUIRED demo.${number}.built
                       LABELS "demo;${name}" TIMEOUT 600)
endfunction()
