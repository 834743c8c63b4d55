/// The part of the bash completion that does not depend on the table.
enum BashScript {
  static func text(_ program: String) -> String {
    let name = String(program.map { $0.isLetter || $0.isNumber ? $0 : "_" })
    return #"""
      # Adds candidates that begin with what was typed. $1 is typed, $2 goes before each.
      _\#(name)_add() {
        local item
        while IFS= read -r item; do
          [[ -n $item && $item == "$1"* ]] && COMPREPLY+=("$2$item")
        done
      }

      # Offers values of a kind. $1 is the kind, $2 is typed, $3 goes before each value;
      # what follows is the command line so far.
      _\#(name)_offer() {
        local kind=$1 typed=$2 lead=$3
        shift 3
        case $kind in
          file | directory)
            compopt -o filenames 2>/dev/null
            local action=-f
            [[ $kind == directory ]] && action=-d
            _\#(name)_add "$typed" "$lead" < <(compgen "$action" -- "$typed")
            ;;
          command) _\#(name)_add "$typed" "$lead" < <(compgen -c -- "$typed") ;;
          choices\ *) _\#(name)_add "$typed" "$lead" < <(printf '%s\n' ${kind#choices }) ;;
          dynamic\ *)
            local self=${1/#\~\//$HOME/}
            shift
            _\#(name)_add "$typed" "$lead" < <(
              "$self" __complete "${kind#dynamic }" -- "$@" 2>/dev/null </dev/null
            )
            ;;
        esac
      }

      _\#(name)() {
        COMPREPLY=()
        local IFS=$' \t\n'
        local REPLY word rest piece i last cur
        local scope='' want='' literal='' count=0
        local -a words=()

        # Join again what readline has split at = and : (the words touch each other in the line).
        local line=${COMP_LINE:0:COMP_POINT}
        for ((i = 0; i <= COMP_CWORD; i++)); do
          piece=${COMP_WORDS[i]}
          rest=${line#"${line%%[![:blank:]]*}"}
          ((i == COMP_CWORD)) && [[ -n $COMP_LINE ]] && piece=$rest
          if ((i > 1)) && [[ -n $line && $rest == "$line" ]]; then
            words[${#words[@]} - 1]+=$piece
          else
            words+=("$piece")
          fi
          line=${rest#"$piece"}
        done
        last=$((${#words[@]} - 1))
        cur=${words[last]}

        for ((i = 1; i < last; i++)); do
          word=${words[i]}
          if [[ -n $want ]]; then
            want=''
            continue
          fi
          if [[ -z $literal ]]; then
            case $word in
              --)
                literal=1
                continue
                ;;
              --*=*) continue ;;
              --*)
                _\#(name)_kind "$scope" "$word"
                want=$REPLY
                continue
                ;;
              -?*)
                rest=${word#-}
                while [[ -n $rest ]]; do
                  _\#(name)_kind "$scope" "-${rest:0:1}"
                  rest=${rest:1}
                  if [[ -n $REPLY ]]; then
                    [[ -z $rest ]] && want=$REPLY
                    break
                  fi
                done
                continue
                ;;
            esac
          fi
          if ((count == 0)) && [[ -z $literal ]] && _\#(name)_scope "$scope" "$word"; then
            scope=$REPLY
          elif [[ -z $scope ]]; then
            # An external command: files are the best guess.
            _\#(name)_offer file "$cur" ''
            return 0
          else
            _\#(name)_operand "$scope" "$count"
            [[ $REPLY == command ]] && literal=1
            count=$((count + 1))
          fi
        done

        local -a before=("${words[@]:0:last}")
        if [[ -n $want ]]; then
          _\#(name)_offer "$want" "$cur" '' "${before[@]}"
        elif [[ -z $literal && $cur == --*=* ]]; then
          _\#(name)_kind "$scope" "${cur%%=*}"
          _\#(name)_offer "$REPLY" "${cur#*=}" "${cur%%=*}=" "${before[@]}"
        elif [[ -z $literal && $cur == -* ]]; then
          _\#(name)_options "$scope"
          _\#(name)_add "$cur" '' < <(printf '%s\n' $REPLY)
        else
          if ((count == 0)) && [[ -z $literal ]]; then
            _\#(name)_words "$scope"
            _\#(name)_add "$cur" '' < <(printf '%s\n' $REPLY)
          fi
          if [[ -n $scope ]]; then
            _\#(name)_operand "$scope" "$count"
            _\#(name)_offer "$REPLY" "$cur" '' "${before[@]}"
          else
            while IFS= read -r word; do
              _\#(name)_add "$cur" '' <<<"${word#\#(program)-}"
            done < <(compgen -c '\#(program)-')
          fi
        fi

        # Readline replaces only what follows the last = or :, where it splits there.
        [[ $COMP_WORDBREAKS == *=* ]] && piece=${piece##*=}
        [[ $COMP_WORDBREAKS == *:* ]] && piece=${piece##*:}
        rest=${cur%"$piece"}
        [[ -n $rest ]] && COMPREPLY=("${COMPREPLY[@]#"$rest"}")
        return 0
      }

      complete -F _\#(name) \#(program)

      """#
  }
}
