#compdef holdfast
# Completion of holdfast for zsh: the program itself says what may stand next. The first line of what it prints says how.
_holdfast() {
  local -a lines names shown space
  local line
  lines=("${(@f)$(${~words[1]} complete --shell zsh -- "${(@)words[2,CURRENT]}" 2>/dev/null)}")
  for line in "${(@)lines[2,-1]}"; do
    names+=("${line%%$'\t'*}")
    shown+=("${line/$'\t'/  }")
  done
  [[ $lines[1] == open ]] && space=(-S '')
  (( $#names )) && compadd -l "${space[@]}" -d shown -a names
  case $lines[1] in
    files) compset -P '--*='; _files ;;
    folders) compset -P '--*='; _files -/ ;;
  esac
}
if [[ $funcstack[1] == _holdfast ]]; then _holdfast "$@"; else compdef _holdfast holdfast; fi
