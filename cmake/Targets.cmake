# One target per layer and per domain; each links only what architecture allows it to see.
#
#   holdfast_layer(kernel DEPENDS math base PUBLIC tl::expected PRIVATE fmt::fmt)
#   holdfast_domain(checkpoint)
#
# Sources lie in the current directory and below: *.cpp make the library holdfast_<name>, *_test.cpp the
# program <name>_test, *_bench.cpp the program <name>_bench. New files are found without a change here.

# What only tests need belongs to target `tests` instead of `all`, so that an installation builds only what it installs.
add_custom_target(tests)
# And what only the tests of the Python package need: its module takes a minute of processor time.
add_custom_target(python_tests)
# Benchmarks, where Google Benchmark is installed; each is run once as a slow test, for the answer that it checks.
add_custom_target(benches)

# The tests of one layer or domain are one program and three CTest entries: <name>, <name>_slow and <name>_thorough
# for the cases of suites "slow" and "thorough", with labels of these names. All run with the working directory at the project's root.
function(holdfast_add_test name)
  if(NOT HOLDFAST_TESTS OR NOT ARGN)
    return()
  endif()
  add_executable(${name}_test EXCLUDE_FROM_ALL ${ARGN})
  add_dependencies(tests ${name}_test)
  target_link_libraries(${name}_test PRIVATE holdfast_test_main rapidcheck)
  holdfast_use_precompiled(${name}_test holdfast_test_headers)
  holdfast_in_batches(${name}_test 8)
  add_test(NAME ${name} COMMAND ${name}_test --test-suite-exclude=slow,thorough,pages
           WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  # Against tests that hang: under sanitizers, on a busy machine, the longest ones take minutes.
  set_tests_properties(${name} PROPERTIES TIMEOUT 900)
  add_test(NAME ${name}_slow COMMAND ${name}_test --test-suite=slow
           WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  set_tests_properties(${name}_slow PROPERTIES LABELS slow TIMEOUT 1500 COST 100)
  add_test(NAME ${name}_thorough COMMAND ${name}_test --test-suite=thorough
           WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  set_tests_properties(${name}_thorough PROPERTIES LABELS thorough TIMEOUT 3600)
endfunction()

function(holdfast_add_bench name)
  if(NOT benchmark_FOUND OR NOT ARGN)
    return()
  endif()
  add_executable(${name}_bench EXCLUDE_FROM_ALL ${ARGN})
  add_dependencies(benches ${name}_bench)
  target_link_libraries(${name}_bench PRIVATE holdfast_compiler benchmark::benchmark
                                              benchmark::benchmark_main)
  target_include_directories(${name}_bench PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  add_test(NAME ${name}_bench COMMAND ${name}_bench --benchmark_min_time=0 WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  set_tests_properties(${name}_bench PROPERTIES LABELS "slow;bench" TIMEOUT 600)
endfunction()

# The objects of a layer, which belong to the installed library too.
function(holdfast_compile_layer target batches level)
  set_property(GLOBAL APPEND PROPERTY HOLDFAST_LAYERS ${target})
  if(batches)
    holdfast_in_batches(${target} ${batches})
  endif()
  holdfast_optimise(${target} "${level}")
endfunction()

# DEPENDS: layers that this one may include. PUBLIC: libraries that its headers include. PRIVATE: those of its .cpp files;
# its tests and benchmarks get them too. EXCLUDE: files that belong to another target. BATCHES: how many of its files are
# compiled as one with HOLDFAST_BATCHES; no two of those may define the same local name. OPTIMISE: see holdfast_optimise. ANSWERS: a
# regular expression of the files that run a few times per answer; they are optimised at level 1.
function(holdfast_layer name)
  cmake_parse_arguments(PARSE_ARGV 1 layer "" "BATCHES;OPTIMISE;ANSWERS" "DEPENDS;PUBLIC;PRIVATE;EXCLUDE")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS *.cpp)
  foreach(excluded ${layer_EXCLUDE})
    list(REMOVE_ITEM sources ${CMAKE_CURRENT_SOURCE_DIR}/${excluded})
  endforeach()
  set(tests ${sources})
  set(benches ${sources})
  list(FILTER sources EXCLUDE REGEX "_(test|bench|fuzz)\\.cpp$")
  list(FILTER tests INCLUDE REGEX "_test\\.cpp$")
  list(FILTER benches INCLUDE REGEX "_bench\\.cpp$")
  list(TRANSFORM layer_DEPENDS PREPEND holdfast_)

  if(sources)
    set(answers)
    if(layer_ANSWERS)
      set(answers ${sources})
      list(FILTER answers INCLUDE REGEX "${layer_ANSWERS}")
      list(FILTER sources EXCLUDE REGEX "${layer_ANSWERS}")
    endif()
    add_library(holdfast_${name} STATIC ${sources})
    target_link_libraries(holdfast_${name} PUBLIC holdfast_compiler ${layer_DEPENDS}
                                                  ${layer_PUBLIC} PRIVATE ${layer_PRIVATE})
    holdfast_compile_layer(holdfast_${name} "${layer_BATCHES}" "${layer_OPTIMISE}")
    if(answers)
      add_library(holdfast_${name}_answers OBJECT ${answers})
      target_link_libraries(holdfast_${name}_answers PRIVATE holdfast_compiler ${layer_DEPENDS} ${layer_PUBLIC} ${layer_PRIVATE})
      target_include_directories(holdfast_${name}_answers PRIVATE $<TARGET_PROPERTY:holdfast_${name},INTERFACE_INCLUDE_DIRECTORIES>)
      holdfast_compile_layer(holdfast_${name}_answers "${layer_BATCHES}" 1)
      target_sources(holdfast_${name} PRIVATE $<TARGET_OBJECTS:holdfast_${name}_answers>)
    endif()
    set_property(GLOBAL APPEND PROPERTY HOLDFAST_LIBRARIES ${layer_PRIVATE})
  else()
    add_library(holdfast_${name} INTERFACE)
    target_link_libraries(holdfast_${name} INTERFACE holdfast_compiler ${layer_DEPENDS}
                                                     ${layer_PUBLIC})
  endif()
  holdfast_add_test(${name} ${tests})
  holdfast_add_bench(${name} ${benches})
  foreach(program ${name}_test ${name}_bench)
    if(TARGET ${program})
      target_link_libraries(${program} PRIVATE holdfast_${name} ${layer_PRIVATE})
    endif()
  endforeach()
endfunction()

# Compiles sources in batches: eight at a time take half as long. No two of them may define the same local name, so the helpers of
# tests are named after what they test. ALONE: sources that are compiled alone.
function(holdfast_in_batches target size)
  cmake_parse_arguments(PARSE_ARGV 2 batches "" "" "ALONE")
  if(HOLDFAST_BATCHES)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${size})
    set_source_files_properties(${batches_ALONE} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  endif()
endfunction()

# If several objects contain an instance of a template, the linker takes the first: the fully optimised objects come first.
function(holdfast_fast_objects_first target)
  get_property(layers GLOBAL PROPERTY HOLDFAST_FAST_LAYERS)
  list(TRANSFORM layers REPLACE "(.+)" "$<TARGET_OBJECTS:\\1>")
  target_sources(${target} PRIVATE ${layers})
endfunction()

# A domain sees the models, the shared algorithms, the readers and the contract; never another domain.
function(holdfast_domain name)
  cmake_parse_arguments(PARSE_ARGV 1 domain "" "BATCHES" "DEPENDS;PUBLIC;PRIVATE")
  if(NOT domain_BATCHES)
    set(domain_BATCHES 64)
  endif()
  holdfast_layer(${name} BATCHES ${domain_BATCHES}
                 ANSWERS "/(verbs|verbs/[a-z_]+|domain|fields|headline|document_parts|examples|[a-z]+_io)\\.cpp$"
                 DEPENDS inputs models algorithms traces contract ${domain_DEPENDS}
                 PUBLIC ${domain_PUBLIC} PRIVATE fmt::fmt ${domain_PRIVATE})
endfunction()

# What all test programs share: doctest's main, which first goes to the project's root.
if(HOLDFAST_TESTS)
  add_library(holdfast_test_main OBJECT EXCLUDE_FROM_ALL ${PROJECT_SOURCE_DIR}/tests/support/main.cpp)
  target_link_libraries(holdfast_test_main PUBLIC holdfast_compiler doctest::doctest)
  set_source_files_properties(${PROJECT_SOURCE_DIR}/tests/support/main.cpp PROPERTIES
                              COMPILE_DEFINITIONS HOLDFAST_ROOT="${PROJECT_SOURCE_DIR}")
  # Relative, because an absolute path on every compiler line would hide one checkout's cache from the next.
  target_compile_definitions(holdfast_test_main PUBLIC HOLDFAST_SOURCE_DIR=".")
  target_include_directories(holdfast_test_main PUBLIC ${PROJECT_SOURCE_DIR}/tests)
  # In a release the library is what is tested; test code itself need not be fast.
  target_compile_options(holdfast_test_main PUBLIC $<$<CONFIG:Release>:-O1>)
  if(HOLDFAST_SANITIZE MATCHES undefined)
    # In test code these two find little, and they take a fifth of the time that RapidCheck's templates take to compile.
    target_compile_options(holdfast_test_main PUBLIC -fno-sanitize=alignment,vptr)
  endif()
  if(HOLDFAST_FUZZ)
    # No fuzzer runs test code, so its branches need not be counted.
    target_compile_options(holdfast_test_main PUBLIC -fno-sanitize=fuzzer-no-link)
  endif()
  if(HOLDFAST_PRECOMPILED)
    holdfast_precompile(holdfast_test_headers PROGRAM HEADERS ${common_headers} <doctest/doctest.h>
                        LIBRARIES holdfast_test_main rapidcheck fmt::fmt tl::expected)
  endif()
endif()
