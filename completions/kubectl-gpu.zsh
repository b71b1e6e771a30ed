#compdef kubectl-gpu
# zsh completion for kubectl-gpu by its own name ("kubectl gpu" is completed by kubectl, see kubectl_complete-gpu).
# Source it, or put it on $fpath as _kubectl-gpu. The program's answer is described in kubectl-gpu.bash.

_kubectl-gpu() {
  local answer line word directive=1 program=${${(Q)words[1]}/#\~/$HOME}
  local -a candidates options

  answer=$("$program" __complete "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null) || return 1
  for line in "${(@f)answer}"; do
    case $line in
      :[0-9]*) directive=${line#:} ;;
      *$'\t'*) word=${line%%$'\t'*}; candidates+=("${word//:/\\:}:${line#*$'\t'}") ;;
      ?*) candidates+=("${line//:/\\:}") ;;
    esac
  done

  compset -P '-*='
  (( directive & 2 )) && options+=(-S '')
  if (( $#candidates )); then
    _describe 'kubectl-gpu' candidates $options
  elif ! (( directive & 5 )); then
    _files
  else
    return 1
  fi
}

if [[ $funcstack[1] == _kubectl-gpu ]]; then
  _kubectl-gpu "$@"
else
  compdef _kubectl-gpu kubectl-gpu
fi
