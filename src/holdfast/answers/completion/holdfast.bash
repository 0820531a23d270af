# Completion of holdfast for bash: the program itself says what may stand next. The first line of what it prints says how.
_holdfast() {
  local lines=() line
  COMPREPLY=()
  mapfile -t lines < <("${COMP_WORDS[0]/#\~/$HOME}" complete --shell bash -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  for line in "${lines[@]:1}"; do COMPREPLY+=("${line%%$'\t'*}"); done
  case ${lines[0]-} in
    files) compopt -o default ;;
    folders) compopt -o dirnames ;;
    open) compopt -o nospace ;;
  esac 2>/dev/null
}
complete -F _holdfast holdfast
