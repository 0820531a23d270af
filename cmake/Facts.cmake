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
