# Headers of libraries that most files include, parsed once for each level of optimisation, because compilers refuse those of another
# level: everything compiles in half the time. check_headers and tidy compile without them, and so check that each file includes what
# it uses.
option(HOLDFAST_PRECOMPILED "parse the headers of libraries once" ON)

function(holdfast_precompiled_options target)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # The first is for the compiler's cache. The others switch off wrong warnings about std::string, because g++ 12 forgets
    # that such headers are system headers.
    target_compile_options(${target} PRIVATE -fpch-preprocess -Wno-array-bounds -Wno-stringop-overflow
                                             $<$<CONFIG:Release>:-Wno-stringop-overread>)
  endif()
endfunction()

# holdfast_precompile(NAME [PROGRAM] HEADERS ... LIBRARIES ...): precompiles the headers with the settings of a library, or of a
# program, that links the libraries.
function(holdfast_precompile name)
  cmake_parse_arguments(PARSE_ARGV 1 precompiled "PROGRAM" "" "HEADERS;LIBRARIES")
  set(source ${PROJECT_BINARY_DIR}/${name}.cpp)
  file(CONFIGURE OUTPUT ${source} CONTENT "")
  if(precompiled_PROGRAM)
    add_executable(${name} EXCLUDE_FROM_ALL ${source})
  else()
    add_library(${name} OBJECT EXCLUDE_FROM_ALL ${source})
  endif()
  target_link_libraries(${name} PRIVATE ${precompiled_LIBRARIES})
  target_precompile_headers(${name} PRIVATE ${precompiled_HEADERS})
  holdfast_precompiled_options(${name})
endfunction()

# Compiles a target with the headers of that name.
function(holdfast_use_precompiled target name)
  if(HOLDFAST_PRECOMPILED)
    target_precompile_headers(${target} REUSE_FROM ${name})
    holdfast_precompiled_options(${target})
  endif()
endfunction()

# How much a release optimises. Empty: all the compiler can, for what runs inside of simulations. `2`: -O2, for what reads and sorts
# much. `1`: little more than inlining of small functions, for what runs a few times per answer (options, documents, pages); it takes
# two thirds of the time to compile. docs/decisions/0071
function(holdfast_optimise target level)
  set(flags)
  if(NOT CMAKE_BUILD_TYPE STREQUAL "Release")
    set(level)
  elseif(level STREQUAL "")
    set_property(GLOBAL APPEND PROPERTY HOLDFAST_FAST_LAYERS ${target})
  else()
    set(flags -O${level})
    if(level EQUAL 1 AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
      list(APPEND flags -finline-small-functions -finline-functions -findirect-inlining -fpartial-inlining)
    endif()
  endif()
  target_compile_options(${target} PRIVATE ${flags})
  if(HOLDFAST_PRECOMPILED)
    set(headers holdfast_library_headers${level})
    if(NOT TARGET ${headers})
      holdfast_precompile(${headers} HEADERS ${common_headers} LIBRARIES holdfast_compiler fmt::fmt tl::expected)
      target_compile_options(${headers} PRIVATE ${flags})
    endif()
    holdfast_use_precompiled(${target} ${headers})
  endif()
endfunction()

if(HOLDFAST_PRECOMPILED)
  set(common_headers
      <algorithm> <array> <cmath> <cstddef> <cstdint> <filesystem> <functional> <limits> <map> <memory> <numeric>
      <optional> <span> <string> <string_view> <utility> <variant> <vector> <fmt/format.h> <tl/expected.hpp>)
endif()
