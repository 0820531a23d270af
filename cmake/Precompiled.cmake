# Headers of libraries that most files include, parsed once: everything compiles in half the time. check_headers and tidy
# compile without them, and so check that each file includes what it uses.
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

if(HOLDFAST_PRECOMPILED)
  set(common_headers
      <algorithm> <array> <cmath> <cstddef> <cstdint> <filesystem> <functional> <limits> <map> <memory> <numeric>
      <optional> <span> <string> <string_view> <utility> <variant> <vector> <fmt/format.h> <tl/expected.hpp>)
  holdfast_precompile(holdfast_library_headers HEADERS ${common_headers}
                      LIBRARIES holdfast_compiler fmt::fmt tl::expected)
endif()
