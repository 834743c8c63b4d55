# bash completion for sdkctl, which finds the candidates itself
_sdkctl() {
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
complete -F _sdkctl sdkctl
