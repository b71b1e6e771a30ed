# fish completion for kubectl-gpu by its own name ("kubectl gpu" is completed by kubectl, see kubectl_complete-gpu).
# The program's answer is described in kubectl-gpu.bash.

# Fills $__kubectl_gpu_candidates; fails where file names are wanted, so that fish offers those.
function __kubectl_gpu_ask
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l program (string replace -r '^~/' "$HOME/" -- $words[1])
    set -g __kubectl_gpu_candidates
    set -l lines ($program __complete $words[2..-1] "$current" 2>/dev/null)
    or return 0
    set -l directive (string replace -rf '^:(\d+)$' '$1' -- $lines[-1])
    or return 0
    set -e lines[-1]
    if test (count $lines) -eq 0
        test (math "bitand($directive, 5)") -ne 0
        return
    end
    # After --flag= the program names values only, but fish replaces the whole word.
    set -l flag (string match -r '^-[^=]*=' -- $current)
    set -g __kubectl_gpu_candidates "$flag"$lines
    return 0
end

complete -c kubectl-gpu -e
complete -c kubectl-gpu -n __kubectl_gpu_ask -f -k -a '$__kubectl_gpu_candidates'
