# fish completion for sdkctl, which finds the candidates itself
function __sdkctl_offer
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l lines (command $words[1] __complete -- $words[2..-1] "$current" 2>/dev/null </dev/null)
    set -l source (string split \t -- $lines[1])
    printf '%s\n' $lines[2..-1]
    set -l lead "$source[2]"
    switch "$source[1]"
        case files directories
            set -l typed (string sub -s (math 1 + (string length -- $lead)) -- "$current")
            set -l pattern '.'
            test $source[1] = directories; and set pattern '/$'
            # The files that fish offers to a command that it does not know.
            printf '%s\n' $lead(complete -C "__sdkctl_unknown $typed" | string match -er $pattern)
        case command
            set -l start (math 1 + $lead)
            set -l foreign
            test $start -le (count $words); and set foreign (string escape -- $words[$start..-1])
            complete -C "$foreign $current"
    end
end
complete -c sdkctl -f -a '(__sdkctl_offer)'
