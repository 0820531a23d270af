# The documents of an installation: man pages and the bill of materials, made from what the program prints with --json, and the
# completion scripts of shells. `./run` builds none of them.
set(HOLDFAST_ZSH_COMPLETIONS zsh/site-functions CACHE STRING "folder of zsh's functions below share/")
set(scripts ${PROJECT_SOURCE_DIR}/src/holdfast/answers/completion)
install(FILES ${scripts}/holdfast.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME holdfast
        COMPONENT program)
install(FILES ${scripts}/holdfast.zsh DESTINATION ${CMAKE_INSTALL_DATADIR}/${HOLDFAST_ZSH_COMPLETIONS} RENAME _holdfast
        COMPONENT program)
install(FILES ${scripts}/holdfast.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT program)

find_package(Python3 3.11 COMPONENTS Interpreter)
if(NOT Python3_FOUND)
  message(STATUS "no python3 of 3.11 or later: no man pages and no bill of materials")
  return()
endif()
if(HOLDFAST_SANITIZE)
  return()
endif()

set(man ${PROJECT_BINARY_DIR}/man)
add_custom_command(
  OUTPUT ${man}/holdfast.1.gz
  COMMAND Python3::Interpreter ${PROJECT_SOURCE_DIR}/tools/make_man --program $<TARGET_FILE:holdfast> ${man}
  DEPENDS holdfast ${PROJECT_SOURCE_DIR}/tools/make_man ${PROJECT_SOURCE_DIR}/docs/interface.md
  COMMENT "Writing man pages" VERBATIM)
set(sbom ${PROJECT_BINARY_DIR}/holdfast.spdx.json)
add_custom_command(
  OUTPUT ${sbom}
  COMMAND Python3::Interpreter ${PROJECT_SOURCE_DIR}/tools/make_sbom --program $<TARGET_FILE:holdfast> ${sbom}
  DEPENDS holdfast ${PROJECT_SOURCE_DIR}/tools/make_sbom ${PROJECT_SOURCE_DIR}/packaging/components.toml
          ${PROJECT_SOURCE_DIR}/cmake/Dependencies.cmake
  COMMENT "Writing the bill of materials" VERBATIM)
add_custom_target(documents ALL DEPENDS ${man}/holdfast.1.gz ${sbom})
install(DIRECTORY ${man}/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT program FILES_MATCHING PATTERN "*.1.gz")
install(DIRECTORY ${man}/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man5 COMPONENT program FILES_MATCHING PATTERN "*.5.gz")
install(FILES ${sbom} DESTINATION ${CMAKE_INSTALL_DATADIR}/holdfast COMPONENT program)
