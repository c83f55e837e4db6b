# napkin_lesson(01_tensors): every exercise that exercises/01_tensors/exercises.json lists becomes a
# program that is built only when it is graded, and two ctest lines with the label "exercise":
#
#   exercise.01.tensor_bytes.compiles   builds the answer in my/01_tensors/tensor_bytes.h
#   exercise.01.tensor_bytes            checks it: Passed, Failed, or Skipped while not filled in
#
# The project's own line, which says nothing about my/, is
#
#   meta.exercises.01    every stub is skipped, every solution passes, every mistake is recognised
#
# All of these versions are in one program, exercise_versions_01, each in a namespace of its own.
#
# napkin_lesson(99_frame ROOT folder ANSWERS folder): a lesson that is no learner's, with lists,
# solutions and mistakes below another folder. It has the last line only.

include(CheckCXXCompilerFlag)
# A compiler may take a loop without side effects for one that ends; an answer's may not.
check_cxx_compiler_flag(-fno-finite-loops NAPKIN_KNOWS_FINITE_LOOPS)
set(NAPKIN_ENDLESS_LOOPS $<$<BOOL:${NAPKIN_KNOWS_FINITE_LOOPS}>:-fno-finite-loops>)

# The folder that holds my/.
set(NAPKIN_ANSWERS ${PROJECT_SOURCE_DIR})

# A stub uses none of its parameters. Flags of a source come after the -Wextra of its target, which
# in clang would switch the warning on again; further words are more such flags.
function(napkin_mild_warnings source)
  set_source_files_properties(${source} PROPERTIES
    COMPILE_OPTIONS "-Wno-unused-parameter;${ARGN}")
endfunction()

# The program of one exercise; further words are flags for compiler and linker. answers: the folder
# that holds my/.
function(napkin_exercise target checks answers)
  set(stamp ${PROJECT_BINARY_DIR}/exercises/${target}.stamp)
  if(NOT EXISTS ${stamp})
    file(TOUCH ${stamp})
  endif()
  add_executable(${target} EXCLUDE_FROM_ALL ${checks})
  # Changes whenever the answer's text does: a file copied over it may be older than the program.
  set_property(SOURCE ${checks} APPEND PROPERTY OBJECT_DEPENDS ${stamp})
  target_include_directories(${target} BEFORE PRIVATE ${answers})
  target_link_libraries(${target} PRIVATE napkin_exercise_main)
  # An answer is compiled for its writer: indices are checked, warnings keep nothing from being tried,
  # but for a function that returns nothing, which would do anything at all.
  napkin_mild_warnings(${checks} -Wno-error -Werror=return-type)
  target_compile_options(${target} PRIVATE -g -O1 ${NAPKIN_ENDLESS_LOOPS} ${ARGN})
  target_link_options(${target} PRIVATE ${ARGN})
  target_compile_definitions(${target} PRIVATE _GLIBCXX_ASSERTIONS)
  set_target_properties(${target} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/exercises)
endfunction()

# The file that includes every version of a lesson's answers: what they include first, so that
# nothing of it ends up in a version's namespace. root: the folder of lessons, from the project's.
function(napkin_write_versions root lesson names file)
  set(includes "")
  set(parts "")
  set(table "")
  foreach(name IN LISTS names)
    set(folder ${root}/mistakes/${lesson}/${name})
    file(GLOB mistakes RELATIVE ${PROJECT_SOURCE_DIR}/${folder}
         CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${folder}/*.h)
    set(checks ${root}/${lesson}/checks/${name}.cpp)
    set(versions stub=${root}/${lesson}/${name}.h solution=${root}/solutions/${lesson}/${name}.h)
    foreach(mistake IN LISTS mistakes)
      string(REGEX REPLACE "\\.h$" "" key ${mistake})
      list(APPEND versions mistakes/${key}=${folder}/${mistake})
    endforeach()
    foreach(pair IN LISTS versions)
      string(REGEX MATCH "^(.*)=(.*)$" _ "${pair}")
      set(version ${CMAKE_MATCH_1})
      set(answer ${CMAKE_MATCH_2})
      string(MAKE_C_IDENTIFIER "${name}_${version}" scope)
      string(APPEND parts "namespace ${scope} {\n#include \"${answer}\"\n#include \"${checks}\"\n}\n")
      string(APPEND table "    {\"${name}\", \"${version}\", ${scope}::grade},\n")
      foreach(source ${answer} ${checks})
        set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
                     ${PROJECT_SOURCE_DIR}/${source})
        file(STRINGS ${PROJECT_SOURCE_DIR}/${source} lines REGEX "^#include [<\"]")
        list(APPEND includes ${lines})
      endforeach()
    endforeach()
  endforeach()
  list(FILTER includes EXCLUDE REGEX "\"my/")
  list(REMOVE_DUPLICATES includes)
  list(JOIN includes "\n" includes)
  file(CONFIGURE OUTPUT ${file} @ONLY CONTENT
"@includes@
#include \"exercises/grading/versions.h\"

@parts@
static const napkin::exercises::Version all[] = {
@table@};
const std::span<const napkin::exercises::Version> napkin::exercises::versions = all;
")
endfunction()

# The names of the exercises of a lesson.
function(napkin_exercise_names folder lesson result)
  set(list ${folder}/${lesson}/exercises.json)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${list})
  file(READ ${list} json)
  string(JSON count LENGTH "${json}")
  math(EXPR last "${count} - 1")
  set(names "")
  foreach(index RANGE ${last})
    string(JSON name GET "${json}" ${index} name)
    list(APPEND names ${name})
  endforeach()
  set(${result} ${names} PARENT_SCOPE)
endfunction()

function(napkin_lesson lesson)
  cmake_parse_arguments(L "" "ROOT;ANSWERS" "" ${ARGN})
  if(NOT L_ROOT)
    set(L_ROOT ${PROJECT_SOURCE_DIR}/exercises)
    set(L_ANSWERS ${NAPKIN_ANSWERS})
    set(for_learners ${BUILD_TESTING})
  endif()
  string(SUBSTRING ${lesson} 0 2 number)
  napkin_exercise_names(${L_ROOT} ${lesson} names)
  foreach(name IN LISTS names)
    set(target exercise_${number}_${name})
    set(checks ${L_ROOT}/${lesson}/checks/${name}.cpp)
    napkin_exercise(${target} ${checks} ${L_ANSWERS})
    napkin_exercise(${target}_sanitized ${checks} ${L_ANSWERS}
                    -fsanitize=address,undefined -fno-sanitize-recover=all)
    if(for_learners)
      napkin_exercise_lines(${lesson} ${number} ${name})
    endif()
  endforeach()
  if(BUILD_TESTING)
    napkin_meta_exercises(${L_ROOT} ${lesson} ${number} "${names}")
  endif()
endfunction()

function(napkin_exercise_lines lesson number name)
  set(line exercise.${number}.${name})
  add_test(NAME ${line}.compiles COMMAND exercises compile ${name})
  set_tests_properties(${line}.compiles PROPERTIES FIXTURES_SETUP ${line} RESOURCE_LOCK build
    LABELS "exercise;${lesson}" TIMEOUT 900)
  add_test(NAME ${line} COMMAND exercises check ${name})
  set_tests_properties(${line} PROPERTIES FIXTURES_REQUIRED ${line} SKIP_RETURN_CODE 77
    LABELS "exercise;${lesson}" TIMEOUT 120)
endfunction()

function(napkin_meta_exercises root lesson number names)
  set(file ${PROJECT_BINARY_DIR}/exercises/versions_${number}.cpp)
  file(RELATIVE_PATH relative ${PROJECT_SOURCE_DIR} ${root})
  napkin_write_versions(${relative} ${lesson} "${names}" ${file})
  # Where the checks include the learner's answer they find an empty file here.
  set(nothing ${PROJECT_BINARY_DIR}/exercises/nothing)
  foreach(name IN LISTS names)
    file(WRITE ${nothing}/my/${lesson}/${name}.h "")
  endforeach()
  set(target exercise_versions_${number})
  add_executable(${target} ${file} ${PROJECT_SOURCE_DIR}/exercises/grading/versions_main.cpp)
  target_include_directories(${target} BEFORE PRIVATE ${nothing})
  target_link_libraries(${target} PRIVATE napkin_exercise_checks)
  napkin_mild_warnings(${file})
  target_compile_options(${target} PRIVATE -O0)
  target_compile_definitions(${target} PRIVATE _GLIBCXX_ASSERTIONS)
  add_test(NAME meta.exercises.${number}
           COMMAND exercises_meta ${root} ${number} $<TARGET_FILE:${target}>)
  set_tests_properties(meta.exercises.${number} PROPERTIES LABELS "meta;${lesson}" TIMEOUT 300)
endfunction()
