# What a build is made of, as JSON: compiler, kind of build, and the libraries of Dependencies.cmake with their versions. `holdfast
# --version --json` prints it, and tools/make_sbom reads it.
function(holdfast_build_facts output)
  set(libraries
    CLI11 "${CLI11_VERSION}" bzip2 "${BZIP2_VERSION_STRING}" fmt "${fmt_VERSION}" liblzma "${LIBLZMA_VERSION_STRING}"
    nlohmann_json "${nlohmann_json_VERSION}" sqlite "${SQLite3_VERSION}" tl-expected "${tl-expected_VERSION}" tomlplusplus "${tomlplusplus_VERSION}"
    zlib "${ZLIB_VERSION_STRING}" zstd "${ZSTD_VERSION}")
  set(rows)
  while(libraries)
    list(POP_FRONT libraries name version)
    list(APPEND rows "    \"${name}\": \"${version}\"")
  endwhile()
  list(JOIN rows ",\n" rows)
  if(MPI_CXX_FOUND AND NOT HOLDFAST_SANITIZE)
    set(mpi true)
  else()
    set(mpi false)
  endif()
  file(CONFIGURE OUTPUT ${output} CONTENT [[{
  "compiler": "@CMAKE_CXX_COMPILER_ID@ @CMAKE_CXX_COMPILER_VERSION@",
  "build_type": "@CMAKE_BUILD_TYPE@",
  "mpi": @mpi@,
  "libraries": {
@rows@
  }
}
]] @ONLY)
endfunction()

# The commit that is built, in a file of its own, which is made again when git moves HEAD. Sources without git may name theirs in the
# environment, as HOLDFAST_COMMIT; else the file is empty.
function(holdfast_commit output)
  set(moved)
  if(NOT DEFINED ENV{HOLDFAST_COMMIT} AND EXISTS ${PROJECT_SOURCE_DIR}/.git)
    execute_process(COMMAND git rev-parse --git-path logs/HEAD WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
                    OUTPUT_VARIABLE moved OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    if(moved)  # not where git is missing, or distrusts the owner of the folder
      cmake_path(ABSOLUTE_PATH moved BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
    endif()
  endif()
  if(moved AND EXISTS ${moved})
    add_custom_command(OUTPUT ${output} COMMAND git rev-parse --short=12 HEAD > ${output} DEPENDS ${moved}
                       WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} COMMENT "Asking git for the commit" VERBATIM)
  else()
    file(CONFIGURE OUTPUT ${output} CONTENT "$ENV{HOLDFAST_COMMIT}\n")
  endif()
endfunction()
