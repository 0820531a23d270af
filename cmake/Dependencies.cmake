# Every library that the project uses, each named once. `setup` installs the Debian packages.
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)                  # libfmt-dev: text
find_package(tl-expected REQUIRED)          # libexpected-dev: Result<T>
find_package(nlohmann_json 3.11 REQUIRED)   # nlohmann-json3-dev: JSON, in base/ alone
find_package(tomlplusplus REQUIRED)         # libtomlplusplus-dev: TOML, in base/ alone
find_package(ZLIB REQUIRED)                 # zlib1g-dev: .gz inputs
find_package(PkgConfig REQUIRED)
find_package(LibLZMA REQUIRED)              # liblzma-dev: .xz inputs
find_package(BZip2 REQUIRED)                # libbz2-dev: .bz2 inputs
pkg_check_modules(ZSTD REQUIRED IMPORTED_TARGET libzstd)   # libzstd-dev: .zst inputs
find_package(SQLite3 REQUIRED)              # libsqlite3-dev: results, in campaign/database.cpp alone
find_package(MPI COMPONENTS CXX QUIET)      # libopenmpi-dev, optional: campaign/executors/mpi.cpp alone
find_package(CLI11 REQUIRED)                # libcli11-dev: command line, in apps/ alone
find_path(RANDOM123_INCLUDE Random123/philox.h REQUIRED)             # librandom123-dev
if(HOLDFAST_TESTS)
  find_package(doctest QUIET)               # doctest-dev
  find_package(rapidcheck QUIET)            # librapidcheck-dev
  if(NOT doctest_FOUND OR NOT rapidcheck_FOUND)
    message(STATUS "no tests: doctest and RapidCheck are not both installed (./setup test)")
    set(HOLDFAST_TESTS OFF)
  endif()
endif()
if(HOLDFAST_TESTS AND CMAKE_BUILD_TYPE STREQUAL "Release")
  find_package(benchmark QUIET)             # libbenchmark-dev, optional: target `benches`
endif()
