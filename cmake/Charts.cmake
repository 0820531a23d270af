# The chart library of report.html (Vega-Lite), bundled into one script: holdfast_bundle_charts(OUTPUT) adds the rule.
# Node and npm are optional. Without them, or without a registry, the script is empty: the charts of reports are then
# still pictures, and reports say how to get interactive ones. The next build tries again.
find_program(HOLDFAST_NPM npm)
find_program(HOLDFAST_NODE node)

function(holdfast_bundle_charts output)
  set(sources ${PROJECT_SOURCE_DIR}/src/holdfast/report/page)
  set(inputs ${sources}/package.json ${sources}/package-lock.json ${sources}/.npmrc ${sources}/charts.js
             ${PROJECT_SOURCE_DIR}/cmake/bundle_charts.cmake)
  if(NOT HOLDFAST_NPM OR NOT HOLDFAST_NODE)
    message(STATUS "no npm: charts of reports will be still pictures (./setup charts installs it)")
    file(TOUCH ${output})
    return()
  endif()
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DNPM=${HOLDFAST_NPM} -DNODE=${HOLDFAST_NODE} -DSOURCES=${sources} -DOUTPUT=${output}
            -P ${PROJECT_SOURCE_DIR}/cmake/bundle_charts.cmake
    DEPENDS ${inputs}
    COMMENT "Bundling the chart library of reports"
    VERBATIM)
endfunction()

# Files as constants of a C++ source: holdfast_embed(SOURCE NAME FILE [NAME FILE...]) writes SOURCE, which defines
# std::string_view holdfast::assets::NAME for each. The assembler copies the files, which costs nothing to compile.
function(holdfast_embed source)
  set(text "#include <string_view>\n")
  set(rest ${ARGN})
  while(rest)
    list(POP_FRONT rest name file)
    string(APPEND text
      "__asm__(\".section .rodata\\n\"\n"
      "        \"holdfast_asset_${name}:\\n.incbin \\\"${file}\\\"\\n\"\n"
      "        \"holdfast_asset_${name}_end:\\n.byte 0\\n\"\n"
      "        \".global holdfast_asset_${name}\\n.global holdfast_asset_${name}_end\\n\"\n"
      "        \".hidden holdfast_asset_${name}\\n.hidden holdfast_asset_${name}_end\\n.text\\n\");\n"
      "extern \"C\" const char holdfast_asset_${name}[];\n"
      "extern \"C\" const char holdfast_asset_${name}_end[];\n"
      "namespace holdfast::assets {\n"
      "std::string_view ${name}() {\n"
      "  return {holdfast_asset_${name}, static_cast<std::size_t>(holdfast_asset_${name}_end - holdfast_asset_${name})};\n"
      "}\n"
      "}  // namespace holdfast::assets\n")
    list(APPEND files ${file})
  endwhile()
  file(GENERATE OUTPUT ${source} CONTENT "${text}")
  set_source_files_properties(${source} PROPERTIES OBJECT_DEPENDS "${files}")
endfunction()
