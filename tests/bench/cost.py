#!/usr/bin/env python3
"""`cost` beside curl, which downloads the same lists: 5,000 GPU nodes with 100,000 pods, then 50 GPU nodes among 5,000.

All run in turns, so that a noisy machine is noisy for all: read the ratios. Usage: cost.py BINARY [--runs N]. Needs Go, curl;
starts and ends a control plane of its own.
"""
import argparse
import os
import pathlib
import sys
import tempfile

sys.dont_write_bytecode = True
from beside import cluster, curl_command, print_table, rounds

NODES, PODS, POD_BYTES = 5000, 100000, 4000
NODE_LIST = "/api/v1/nodes?resourceVersion=0"
POD_LIST = "/api/v1/pods?resourceVersion=0&fieldSelector=status.phase%21%3DSucceeded%2Cstatus.phase%21%3DFailed"
COST = ["cost", "--metrics", "none", "--price", "2.5"]


def bench(binary, gpu_nodes, runs):
    with tempfile.TemporaryDirectory() as folder:
        state = f"{folder}/cluster"
        cluster("up", "--dir", state)
        try:
            cluster("load", "--dir", state, "--nodes", str(NODES), "--pods", str(PODS),
                    "--pod-bytes", str(POD_BYTES), "--gpu-nodes", str(gpu_nodes))
            kubeconfig = f"{state}/ordinary.kubeconfig"
            environment = {"PATH": os.environ["PATH"], "HOME": folder, "KUBECONFIG": kubeconfig}
            contenders = [("curl", curl_command(kubeconfig, folder, NODE_LIST, POD_LIST))]
            for words in ([], ["pods"], ["nodes"], ["jobs"]):
                contenders.append((" ".join(["cost", *words]), [binary, COST[0], *words, *COST[1:]]))
            print_table(f"{NODES} nodes, {gpu_nodes} with GPUs, {PODS} pods of {POD_BYTES} bytes; median of {runs}",
                        rounds(contenders, environment, runs), "curl")
        finally:
            cluster("down", "--dir", state)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("binary", type=lambda p: str(pathlib.Path(p).resolve()))
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    bench(options.binary, NODES, options.runs)
    bench(options.binary, 50, options.runs)


main()
