// The scripts know nothing of the table: the program itself reads the words. `PROGRAM __complete --
// WORD...` prints where candidates come from (see `Offer.text`), then a candidate a line.
extension CommandCatalog {
  /// A completion script for bash 4.2 or newer, with or without the package bash-completion.
  package func bashCompletion() -> String {
    #"""
    # bash completion for \#(program.name), which finds the candidates itself
    _\#(program.identifier)() {
      local IFS=$' \t\n' line=${COMP_LINE:0:COMP_POINT} source lead piece rest word cur i
      local -a words=()
      # Join again what readline has split at = and : (the pieces touch each other in the line).
      for ((i = 0; i <= COMP_CWORD; i++)); do
        piece=${COMP_WORDS[i]} rest=${line#"${line%%[![:blank:]]*}"}
        ((i < COMP_CWORD)) || piece=$rest
        if ((i > 1)) && [[ -n $line && $rest == "$line" ]]; then
          words[${#words[@]} - 1]+=$piece
        else
          words+=("$piece")
        fi
        line=${rest#"$piece"}
      done
      cur=${words[${#words[@]} - 1]}
      COMPREPLY=()
      {
        IFS=$'\t' read -r source lead
        while IFS=$'\t' read -r word rest; do
          [[ $word == "$cur"* ]] && COMPREPLY+=("$word")
        done
      } < <("${words[0]/#\~\//$HOME/}" __complete -- "${words[@]:1}" 2>/dev/null </dev/null)
      [[ $source == command && $lead -lt $((${#words[@]} - 1)) ]] && source=files lead=
      case $source in
        files | directories) compopt -o filenames 2>/dev/null ;;&
        files) rest=-f ;;
        directories) rest=-d ;;
        command) rest=-c lead= ;;
        *) rest= ;;
      esac
      [[ -n $rest ]] && while IFS= read -r word; do
        COMPREPLY+=("$lead$word")
      done < <(compgen "$rest" -- "${cur#"$lead"}")
      [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null
      # Readline replaces only what follows the last = or :, where it splits there.
      [[ $COMP_WORDBREAKS == *=* ]] && piece=${piece##*=}
      [[ $COMP_WORDBREAKS == *:* ]] && piece=${piece##*:}
      rest=${cur%"$piece"}
      [[ -n $rest ]] && COMPREPLY=("${COMPREPLY[@]#"$rest"}")
      return 0
    }
    complete -F _\#(program.identifier) \#(program.name)

    """#
  }

  /// A completion script for zsh, to be found in `fpath` as `_PROGRAM` or to be sourced.
  package func zshCompletion() -> String {
    #"""
    #compdef \#(program.name)
    # zsh completion for \#(program.name), which finds the candidates itself
    _\#(program.identifier)() {
      local -a lines rows settings
      local line word source lead
      lines=("${(@f)$("${${(Q)words[1]}/#\~\//$HOME/}" __complete -- "${(@Q)words[2,CURRENT-1]}" \
        "${(Q)PREFIX}" 2>/dev/null </dev/null)}")
      source=${lines[1]%%$'\t'*} lead=${lines[1]#*$'\t'}
      for line in "${(@)lines[2,-1]}"; do
        word=${line%%$'\t'*}
        [[ $word == *= ]] && settings+=("$word") && continue
        rows+=("${word//:/\\:}:${line#*$'\t'}")
      done
      (($#settings)) && compadd -S '' -a settings
      (($#rows)) && _describe -t values value rows
      case $source in
        files | directories)
          IPREFIX+=$lead PREFIX=${PREFIX#"$lead"}
          [[ $source == files ]] && _files || _files -/
          ;;
        command)
          shift $lead words
          ((CURRENT -= lead))
          _normal
          ;;
      esac
    }
    if [[ $funcstack[1] == _\#(program.identifier) ]]; then
      _\#(program.identifier) "$@"
    else
      compdef _\#(program.identifier) \#(program.name)
    fi

    """#
  }

  /// A completion script for fish 3.1 or newer.
  package func fishCompletion() -> String {
    #"""
    # fish completion for \#(program.name), which finds the candidates itself
    function __\#(program.identifier)_offer
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
                printf '%s\n' $lead(complete -C "__\#(program.identifier)_unknown $typed" | string match -er $pattern)
            case command
                set -l start (math 1 + $lead)
                set -l foreign
                test $start -le (count $words); and set foreign (string escape -- $words[$start..-1])
                complete -C "$foreign $current"
        end
    end
    complete -c \#(program.name) -f -a '(__\#(program.identifier)_offer)'

    """#
  }
}

extension Program {
  fileprivate var identifier: String {
    String(name.map { $0.isLetter || $0.isNumber ? $0 : "_" })
  }
}
