# One target per layer and per domain; each links only what architecture allows it to see.
#
#   holdfast_layer(base PUBLIC fmt::fmt)
#   holdfast_layer(kernel DEPENDS base)
#
# Sources lie in the current directory and below: *.cpp make the library holdfast_<name>, *_test.cpp the
# program <name>_test, *_bench.cpp the program <name>_bench.

if(HOLDFAST_TESTS)
  add_library(holdfast_test_main OBJECT ${PROJECT_SOURCE_DIR}/tests/support/main.cpp)
  target_link_libraries(holdfast_test_main PUBLIC holdfast_compiler doctest::doctest)
  target_compile_definitions(holdfast_test_main
                             PUBLIC HOLDFAST_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  target_include_directories(holdfast_test_main PUBLIC ${PROJECT_SOURCE_DIR}/tests)
endif()

# Tests of suite "slow" are a CTest entry of their own, with the label `slow`.
function(holdfast_add_test name)
  if(NOT HOLDFAST_TESTS OR NOT ARGN)
    return()
  endif()
  add_executable(${name}_test ${ARGN})
  target_link_libraries(${name}_test PRIVATE holdfast_test_main rapidcheck)
  add_test(NAME ${name} COMMAND ${name}_test --test-suite-exclude=slow
           WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  set(text "")
  foreach(file ${ARGN})
    file(READ ${file} part)
    string(APPEND text "${part}")
  endforeach()
  if(text MATCHES "test_suite\\(\"slow\"\\)")
    add_test(NAME ${name}_slow COMMAND ${name}_test --test-suite=slow
             WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
    set_tests_properties(${name}_slow PROPERTIES LABELS slow)
  endif()
endfunction()

function(holdfast_add_bench name)
  if(NOT HOLDFAST_BENCH OR NOT ARGN)
    return()
  endif()
  add_executable(${name}_bench ${ARGN})
  target_link_libraries(${name}_bench PRIVATE holdfast_compiler benchmark::benchmark
                                              benchmark::benchmark_main)
endfunction()

function(holdfast_layer name)
  cmake_parse_arguments(PARSE_ARGV 1 layer "" "" "DEPENDS;PUBLIC;PRIVATE")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS *.cpp)
  set(tests ${sources})
  set(benches ${sources})
  list(FILTER sources EXCLUDE REGEX "_(test|bench|fuzz)\\.cpp$")
  list(FILTER tests INCLUDE REGEX "_test\\.cpp$")
  list(FILTER benches INCLUDE REGEX "_bench\\.cpp$")
  list(TRANSFORM layer_DEPENDS PREPEND holdfast_)

  if(sources)
    add_library(holdfast_${name} STATIC ${sources})
    target_link_libraries(holdfast_${name} PUBLIC holdfast_compiler ${layer_DEPENDS}
                                                  ${layer_PUBLIC} PRIVATE ${layer_PRIVATE})
  else()
    add_library(holdfast_${name} INTERFACE)
    target_link_libraries(holdfast_${name} INTERFACE holdfast_compiler ${layer_DEPENDS}
                                                     ${layer_PUBLIC})
  endif()
  holdfast_add_test(${name} ${tests})
  if(TARGET ${name}_test)
    target_link_libraries(${name}_test PRIVATE holdfast_${name})
  endif()
  holdfast_add_bench(${name} ${benches})
  if(TARGET ${name}_bench)
    target_link_libraries(${name}_bench PRIVATE holdfast_${name})
  endif()
endfunction()

# A domain sees the models, the shared algorithms, the readers and the contract; never another domain.
function(holdfast_domain name)
  holdfast_layer(${name} DEPENDS models algorithms traces contract)
endfunction()
