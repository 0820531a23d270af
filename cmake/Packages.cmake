# Debian packages: `cmake --workflow --preset package` writes them into build/package. One for each component of an installation:
# the program, its MPI executor, the library for running jobs, the development files of both libraries, the Python package, and the
# documentation. docs/decisions/0049 and 0064 say why these.
if(NOT HOLDFAST_PACKAGES)
  return()
endif()
if(NOT Python3_FOUND)
  message(FATAL_ERROR "packages need python3: ./setup package")
endif()

set(maintainer "Holdfast maintainers <maintainers@holdfast.invalid>")

# The time of everything in the packages: SOURCE_DATE_EPOCH, else that of the last commit.
set(epoch $ENV{SOURCE_DATE_EPOCH})
if(NOT epoch)
  execute_process(COMMAND git log -1 --format=%ct WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
                  OUTPUT_VARIABLE epoch OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
if(NOT epoch)
  set(epoch 0)
endif()
configure_file(${PROJECT_SOURCE_DIR}/packaging/cpack_settings.cmake.in ${PROJECT_BINARY_DIR}/cpack_settings.cmake @ONLY)
set(CPACK_PROJECT_CONFIG_FILE ${PROJECT_BINARY_DIR}/cpack_settings.cmake)

# Pairs of a component and its package.
set(packages program holdfast library libholdfast1 dev libholdfast-dev doc holdfast-doc)
if(TARGET holdfast_mpi)
  list(APPEND packages mpi holdfast-mpi)
endif()
if(TARGET holdfast_python)
  list(APPEND packages python python3-holdfast)
endif()
set(CPACK_COMPONENTS_ALL)
set(changelogs)
set(rest ${packages})
while(rest)
  list(POP_FRONT rest component package)
  list(APPEND CPACK_COMPONENTS_ALL ${component})
  string(TOUPPER ${component} upper)
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${package})
  set(changelog ${PROJECT_BINARY_DIR}/packaging/${package}/changelog.gz)
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/packaging/${package})
  file(GLOB entries CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/changes/*.md)
  add_custom_command(
    OUTPUT ${changelog}
    COMMAND Python3::Interpreter ${PROJECT_SOURCE_DIR}/tools/make_changelog --package holdfast --version ${PROJECT_VERSION}
            --maintainer ${maintainer} --epoch ${epoch} ${changelog}
    DEPENDS ${PROJECT_SOURCE_DIR}/tools/make_changelog ${PROJECT_SOURCE_DIR}/CHANGELOG.md ${entries} VERBATIM)
  list(APPEND changelogs ${changelog})
  install(FILES ${changelog} ${PROJECT_SOURCE_DIR}/packaging/copyright DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package}
          COMPONENT ${component})
  if(EXISTS ${PROJECT_SOURCE_DIR}/packaging/lintian/${package})
    install(FILES ${PROJECT_SOURCE_DIR}/packaging/lintian/${package} DESTINATION ${CMAKE_INSTALL_DATADIR}/lintian/overrides
            COMPONENT ${component})
  endif()
endwhile()

# The documentation: the site, and the examples where readers of documentation look for them. The program that draws the site's pictures
# does not know the folder of the sources: so it finds beside it the folders of an installation. The Python package draws some of the
# pictures, so it is built first.
set(site ${PROJECT_BINARY_DIR}/site)
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/${CMAKE_INSTALL_DATADIR}/holdfast)
foreach(folder reproduce examples src/holdfast/domains)
  cmake_path(GET folder FILENAME name)
  file(CREATE_LINK ${PROJECT_SOURCE_DIR}/${folder} ${PROJECT_BINARY_DIR}/${CMAKE_INSTALL_DATADIR}/holdfast/${name} SYMBOLIC)
endforeach()
set(drawing holdfast)
if(TARGET holdfast_python)
  list(APPEND drawing holdfast_python)
endif()
add_custom_command(
  OUTPUT ${site}/html/index.html
  COMMAND Python3::Interpreter ${PROJECT_SOURCE_DIR}/tools/docs --program $<TARGET_FILE:holdfast> --output ${site}
  DEPENDS ${drawing} COMMENT "Building the documentation site" VERBATIM)
add_custom_target(package_documents ALL DEPENDS ${changelogs} ${site}/html/index.html)
if(TARGET holdfast_python)
  # What `pip list` and importlib.metadata show of the package.
  set(backend ${PROJECT_SOURCE_DIR}/bindings/python/build_backend)
  set(metadata ${PROJECT_BINARY_DIR}/packaging/python3-holdfast/METADATA)
  add_custom_command(
    OUTPUT ${metadata}
    COMMAND ${CMAKE_COMMAND} -E env PYTHONPATH=${backend} PYTHONDONTWRITEBYTECODE=1 ${Python3_EXECUTABLE} -c
            "import backend, pathlib; pathlib.Path('${metadata}').write_text(backend._metadata(), encoding='utf-8')"
    DEPENDS ${backend}/backend.py ${PROJECT_SOURCE_DIR}/pyproject.toml ${PROJECT_SOURCE_DIR}/README.md VERBATIM)
  add_custom_target(package_python ALL DEPENDS ${metadata} holdfast_python)
  install(FILES ${metadata} DESTINATION lib/python3/dist-packages/holdfast-${PROJECT_VERSION}.dist-info COMPONENT python)
endif()
install(DIRECTORY ${site}/html DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/holdfast-doc COMPONENT doc)
install(CODE "file(CREATE_LINK ../../holdfast/examples
                   \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATADIR}/doc/holdfast-doc/examples\" SYMBOLIC)"
        COMPONENT doc)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME holdfast)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER ${maintainer})
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_SECTION science)

set(CPACK_DEBIAN_PROGRAM_DESCRIPTION "plan, schedule and simulate work on machines that fail
When should a job write its next checkpoint? On how many processors should
each task of a workflow run, when some of them must be repeated? Which
machines get which jobs, when power comes and goes? Holdfast answers with
plans, and simulates what each plan is worth beside the published strategies,
under the same failures.")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS "holdfast-doc, holdfast-mpi")
set(CPACK_DEBIAN_MPI_DESCRIPTION "campaigns of Holdfast on many nodes, by MPI
Holdfast plans and simulates work on machines that fail. This package lets
'holdfast run --executor mpi' share a campaign among processes that mpirun or
srun starts.")
set(CPACK_DEBIAN_MPI_PACKAGE_RECOMMENDS openmpi-bin)
set(CPACK_DEBIAN_LIBRARY_DESCRIPTION "tells a running program when to write its next checkpoint
Holdfast plans and simulates work on machines that fail. This library is its
advisor: a program asks it at every step whether a checkpoint is due, and it
learns on the way what a checkpoint costs and how often the job fails. It is
for programs in C, C++, Fortran and Python.")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
# shlibs: the package that programs linked with the library need; triggers: the cache of the dynamic linker is brought up to date.
set(control ${PROJECT_BINARY_DIR}/packaging/libholdfast1)
file(CONFIGURE OUTPUT ${control}/shlibs CONTENT "libholdfast 1 libholdfast1 (>= ${PROJECT_VERSION})\n")
file(CONFIGURE OUTPUT ${control}/triggers CONTENT "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA ${control}/shlibs ${control}/triggers)
set(CPACK_DEBIAN_DEV_DESCRIPTION "plan and simulate work on machines that fail: libraries and headers
Holdfast answers when to write checkpoints, how to schedule and what it is
worth, by simulation against the published strategies. This package has the
static library and headers for programs in C++20 with strategies of their own,
and what programs in C, C++ and Fortran need that ask libholdfast1 when to
write their next checkpoint.")
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS
    "libholdfast1 (= ${PROJECT_VERSION}), libbz2-dev, libexpected-dev, libfmt-dev, liblzma-dev, libsqlite3-dev, libtomlplusplus-dev, libzstd-dev, nlohmann-json3-dev, pkg-config, zlib1g-dev")
set(CPACK_DEBIAN_PYTHON_DESCRIPTION "plan and simulate work on machines that fail: for Python
Holdfast answers when to write checkpoints, how to schedule and what it is
worth, by simulation against the published strategies. This package has
'import holdfast': plans, simulations, campaigns and fits as tables and
arrays, strategies written in Python, and the advisor for training loops.")
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON_PACKAGE_RECOMMENDS "python3-pandas, python3-tqdm")
set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS "python3-matplotlib, python3-networkx, python3-xarray")
set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/packaging/python/postinst
                                              ${PROJECT_SOURCE_DIR}/packaging/python/prerm)
set(CPACK_DEBIAN_DOC_DESCRIPTION "plan and simulate work on machines that fail: documentation
Holdfast answers when to write checkpoints, how to schedule and what it is
worth. This package has its tutorials, how-tos, the reference of all commands
and names, and a gallery, as pages that open offline.")
set(CPACK_DEBIAN_DOC_PACKAGE_SECTION doc)
set(CPACK_DEBIAN_DOC_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_DOC_PACKAGE_SUGGESTS holdfast)
include(CPack)
