# Warnings, sanitizers and speed of compilation: one interface target that everything links.
add_library(holdfast_compiler INTERFACE)
target_include_directories(holdfast_compiler INTERFACE ${PROJECT_SOURCE_DIR}/src)
target_compile_options(
  holdfast_compiler
  INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wold-style-cast
            -Wnon-virtual-dtor -Woverloaded-virtual)
# When it optimises, g++ 12 gives these two warnings for correct code: string concatenation (its bug 105651) and tl::expected.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(holdfast_compiler INTERFACE -Wno-restrict -Wno-maybe-uninitialized)
endif()
# The same bytes on every machine: no fused multiply-add where the source does not say so.
target_compile_options(holdfast_compiler INTERFACE -ffp-contract=off)
# Messages, assertions and debug information name files relative to the root of the project.
target_compile_options(holdfast_compiler INTERFACE -ffile-prefix-map=${PROJECT_SOURCE_DIR}/=)

# One set of objects makes programs, libraries and modules. Symbols are hidden unless they are exported: otherwise
# position-independent code calls even its own functions through tables (docs/decisions/0039).
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
# Programs of a release stop at a smashed stack and at a copy past the end of a buffer, and their tables of addresses are
# read-only (docs/decisions/0039). Not under sanitizers, which find more, but not in checked copies.
if(CMAKE_BUILD_TYPE STREQUAL "Release" AND NOT HOLDFAST_SANITIZE)
  option(HOLDFAST_HARDENING "stack protector, checked copies, read-only relocations" ON)
  if(HOLDFAST_HARDENING)
    add_compile_options(-fstack-protector-strong -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
    add_link_options(-Wl,-z,relro,-z,now)
  endif()
endif()

# Not for users, whose compiler may know warnings that ours do not; `./test all` switches it on.
option(HOLDFAST_WERROR "treat warnings as errors" OFF)
if(HOLDFAST_WERROR)
  target_compile_options(holdfast_compiler INTERFACE -Werror)
endif()
if(HOLDFAST_SANITIZE)
  target_compile_options(
    holdfast_compiler INTERFACE -fsanitize=${HOLDFAST_SANITIZE} -fno-omit-frame-pointer
                                -fno-sanitize-recover=all)
  target_link_options(holdfast_compiler INTERFACE -fsanitize=${HOLDFAST_SANITIZE})
  if(HOLDFAST_SANITIZE MATCHES "address.*undefined|undefined.*address")
    # The address sanitizer also finds null pointers and wrong sizes; these two checks take a fifth of the time to compile.
    target_compile_options(holdfast_compiler INTERFACE -fno-sanitize=null,object-size)
  endif()
endif()

# For building everything once; for work on single files, each file is compiled alone (preset dev).
option(HOLDFAST_BATCHES "compile sources in batches, where they allow it" OFF)
# g++ collects garbage only beyond half a gigabyte: with precompiled headers, collecting it earlier takes a tenth of the time.
if(HOLDFAST_BATCHES AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(holdfast_compiler INTERFACE --param=ggc-min-heapsize=524288)
endif()

# Both are optional, and only make builds faster. The cache ignores the folder of the checkout, so that a second clone
# finds what the first one compiled.
find_program(HOLDFAST_CCACHE ccache)
if(HOLDFAST_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}
                                  CCACHE_NOHASHDIR=1 CCACHE_SLOPPINESS=pch_defines,time_macros ${HOLDFAST_CCACHE})
endif()
find_program(HOLDFAST_MOLD mold)
if(HOLDFAST_MOLD)
  add_link_options(-fuse-ld=mold)
endif()
