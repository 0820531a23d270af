# `cmake --install build/release --prefix DIR`: the program and its files (apps/holdfast), and for C++ users the headers, one
# library and a CMake package: find_package(holdfast), target holdfast::holdfast; for other build systems holdfast.pc.
# Components are the packages of cmake/Packages.cmake: program, mpi, dev and doc. `project` has files that packages replace by
# others, such as the changelog.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

get_property(layers GLOBAL PROPERTY HOLDFAST_LAYERS)
get_property(libraries GLOBAL PROPERTY HOLDFAST_LIBRARIES)
list(REMOVE_DUPLICATES libraries)
list(TRANSFORM layers REPLACE "(.+)" "$<TARGET_OBJECTS:\\1>" OUTPUT_VARIABLE objects)

add_library(holdfast_library STATIC ${objects})
set_target_properties(holdfast_library PROPERTIES OUTPUT_NAME holdfast EXPORT_NAME holdfast LINKER_LANGUAGE CXX)
target_include_directories(holdfast_library INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_compile_features(holdfast_library INTERFACE cxx_std_20)
target_link_libraries(holdfast_library PUBLIC tl::expected PRIVATE ${libraries})

install(TARGETS holdfast_library EXPORT holdfast COMPONENT dev)
install(EXPORT holdfast FILE holdfast-targets.cmake NAMESPACE holdfast::
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/holdfast COMPONENT dev)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/holdfast-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_SOURCE_DIR}/cmake/holdfast-config.cmake ${PROJECT_BINARY_DIR}/holdfast-config-version.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/holdfast COMPONENT dev)
file(RELATIVE_PATH HOLDFAST_PREFIX_FROM_PC ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
configure_file(${PROJECT_SOURCE_DIR}/packaging/holdfast.pc.in ${PROJECT_BINARY_DIR}/holdfast.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/holdfast.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT dev)
# What docs/reference/cpp.md lists, and what that includes; tools/public_headers holds the two together.
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/public_headers.txt)
file(STRINGS ${CMAKE_CURRENT_LIST_DIR}/public_headers.txt headers)
foreach(header ${headers})
  cmake_path(GET header PARENT_PATH folder)
  install(FILES ${PROJECT_SOURCE_DIR}/src/${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/${folder} COMPONENT dev)
endforeach()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples DESTINATION ${CMAKE_INSTALL_DATADIR}/holdfast COMPONENT program
        PATTERN "*-results" EXCLUDE
        PATTERN "*.sh" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
install(FILES ${PROJECT_SOURCE_DIR}/packaging/systemd/holdfast-io.service DESTINATION lib/systemd/system COMPONENT program)
install(FILES ${PROJECT_SOURCE_DIR}/packaging/grafana/holdfast.json DESTINATION ${CMAKE_INSTALL_DATADIR}/holdfast/grafana COMPONENT program)
install(FILES ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/CHANGELOG.md ${PROJECT_SOURCE_DIR}/LICENSE
              ${PROJECT_SOURCE_DIR}/SECURITY.md
        DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT project)
