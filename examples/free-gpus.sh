#!/bin/sh
# For CI: exits 1 unless the cluster has N free GPUs of a model on one node, so that a job does not queue.
# Usage: free-gpus.sh N MODEL [flags of kubectl gpu top, such as --context or --from]
set -eu
wanted=$1
model=$2
shift 2
kubectl-gpu top --model "$model" -o json "$@" |
  jq -er --argjson wanted "$wanted" '[.items[] | select(.free != null and .free >= $wanted) | .name] |
    if length > 0 then "\(.[0]) has \($wanted) free" else empty end' ||
  { echo "no node has $wanted free $model GPUs" >&2; exit 1; }
