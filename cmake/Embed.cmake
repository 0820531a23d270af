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
