#!/usr/bin/env python3
"""`gen` on 5,000 nodes: fitted beside curl, which fetches the list of nodes, and judged beside `why-pending -f`.

All run in turns, so that a noisy machine is noisy for all: read the ratios. Usage: gen.py BINARY [--runs N]. Needs Go, curl;
starts and ends a control plane of its own.
"""
import argparse
import os
import pathlib
import statistics
import sys
import tempfile

sys.dont_write_bytecode = True
from beside import cluster, curl_command, measured, print_table, rounds

NODES, PODS, POD_BYTES = 5000, 20000, 4000
JOB = ["gen", "job", "train", "--image", "ghcr.io/acme/train:1.4", "--gpus", "4"]


def bench(binary, runs):
    with tempfile.TemporaryDirectory() as folder:
        state, manifest = f"{folder}/cluster", pathlib.Path(folder, "train.yaml")
        cluster("up", "--dir", state)
        try:
            cluster("load", "--dir", state, "--nodes", str(NODES), "--pods", str(PODS),
                    "--pod-bytes", str(POD_BYTES), "--gpu-nodes", str(NODES // 10))
            kubeconfig = f"{state}/ordinary.kubeconfig"
            environment = {"PATH": os.environ["PATH"], "HOME": folder, "KUBECONFIG": kubeconfig}
            os.system(f"{binary} {' '.join(JOB)} --offline > {manifest} 2>/dev/null")
            nodes = curl_command(kubeconfig, folder, "/api/v1/nodes?resourceVersion=0")
            print_table(f"fitted to {NODES} nodes; median of {runs}",
                        rounds([("curl, the list of nodes", nodes), ("gen --no-check", [binary, *JOB, "--no-check"])],
                               environment, runs), "curl, the list of nodes")
            judged = [("why-pending -f", [binary, "why-pending", "-f", str(manifest)]), ("gen", [binary, *JOB])]
            print_table(f"judged beside {PODS} pods; median of {runs}",
                        rounds(judged, environment, runs, may_fail=("why-pending -f",)), "why-pending -f")
        finally:
            cluster("down", "--dir", state)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("binary", type=lambda p: str(pathlib.Path(p).resolve()))
    parser.add_argument("--runs", type=int, default=7)
    options = parser.parse_args()
    offline = [measured([options.binary, *JOB, "--offline"], {})[0] for _ in range(50)]
    print(f"--offline: {statistics.median(offline) * 1000:.1f} ms, median of 50")
    bench(options.binary, options.runs)


main()
