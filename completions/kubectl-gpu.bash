# shellcheck shell=bash
# bash completion for kubectl-gpu by its own name ("kubectl gpu" is completed by kubectl, see kubectl_complete-gpu).
# The program answers with one WORD<TAB>DESCRIPTION per line and last a line :N, a sum of 2 (no space after the word)
# and 4 (no file names), as Cobra's programs do. After --flag= it names values only.

_kubectl_gpu() {
  local rest=${COMP_LINE:0:COMP_POINT} word tail='' i program=${COMP_WORDS[0]/#\~/$HOME}
  local -a words=()

  # bash cuts words at = and : as well; put back together what no blank divides.
  for ((i = 0; i <= COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    if [[ ${#words[@]} -eq 0 || $rest == [[:space:]]* ]]; then
      words+=('')
      rest=${rest#"${rest%%[![:space:]]*}"}
    fi
    ((i < COMP_CWORD)) || word=$rest  # only as far as the cursor
    words[${#words[@]}-1]+=$word
    rest=${rest#"$word"}
    tail=$word
  done
  words=("${words[@]//[\"\'\\]/}")
  tail=${tail//[\"\'\\]/}
  local current=${words[${#words[@]}-1]}
  [[ $tail == [=:] ]] && tail=''

  local directive=1 line answer
  local -a candidates=()
  answer=$("$program" __complete "${words[@]:1}" 2>/dev/null) || return
  while IFS= read -r line; do
    case $line in
      :[0-9]*) directive=${line#:} ;;
      ?*) candidates+=("${line%%$'\t'*}") ;;
    esac
  done <<<"$answer"

  [[ $current == -*=* ]] && current=${current#*=}
  local done_already=${current%"$tail"}  # the part that bash leaves alone
  COMPREPLY=()
  for word in ${candidates[@]+"${candidates[@]}"}; do
    [[ $word == "$current"* ]] && COMPREPLY+=("${word#"$done_already"}")
  done
  if ((directive & 2)); then compopt -o nospace 2>/dev/null; fi
  if ! ((directive & 5)) && ((${#COMPREPLY[@]} == 0)); then compopt -o default 2>/dev/null; fi
  return 0
}

complete -F _kubectl_gpu kubectl-gpu
