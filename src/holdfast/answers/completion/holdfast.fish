# Completion of holdfast for fish: the program itself says what may stand next. The first line of what it prints says how.
function __holdfast_complete
    set -l typed (commandline -opc)
    set -l word (commandline -ct)
    set -l lines ($typed[1] complete --shell fish -- $typed[2..] "$word" 2>/dev/null)
    printf '%s\n' $lines[2..]
    # The path of --option=PATH begins behind the sign.
    set -l option (string match -r -- '^--[^=]*=' "$word")
    set -l path (string replace -- "$option" '' "$word")
    switch "$lines[1]"
        case files
            __fish_complete_path "$path" | string replace -r -- '^' "$option"
        case folders
            __fish_complete_directories "$path" | string replace -r -- '^' "$option"
    end
end
complete -c holdfast -f -a '(__holdfast_complete)'
