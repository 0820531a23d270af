# What a build is made of, as JSON: compiler, kind of build, and the libraries of Dependencies.cmake with their versions. `holdfast
# --version --json` prints it, and tools/make_sbom reads it.
function(holdfast_build_facts output)
  # Boost's version is read from its headers, because none of its CMake packages is used.
  file(STRINGS ${BOOST_MATH_INCLUDE}/boost/version.hpp boost REGEX "define BOOST_LIB_VERSION")
  string(REGEX REPLACE ".*\"(.*)\".*" "\\1" boost "${boost}")
  string(REPLACE "_" "." boost "${boost}")
  set(libraries
    CLI11 "${CLI11_VERSION}" boost "${boost}" bzip2 "${BZIP2_VERSION_STRING}" fmt "${fmt_VERSION}" liblzma "${LIBLZMA_VERSION_STRING}"
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
