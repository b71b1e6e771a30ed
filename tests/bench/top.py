#!/usr/bin/env python3
"""`top` beside curl and kubectl, on a real API server with 2,000 nodes and 20,000 pods of 10 kB.

All run in the same minutes, in turns, so that a noisy machine is noisy for all: read the ratios.
curl fetches, one after the other, the same two lists that our one-list case asks for, compressed.
Usage: top.py BINARY [--beside BINARY] [--runs N]. --beside runs another build in the same turns. Needs Go, curl; starts and ends a control plane of its own.
"""
import argparse
import os
import pathlib
import statistics
import sys
import tempfile

sys.dont_write_bytecode = True
from beside import cluster, curl_command, kubectl, measured, print_table, rounds

NODES, PODS, POD_BYTES = 2000, 20000, 10000
VIEWS = ["gpus", "pods", "namespaces", "models"]
LISTS = ["/api/v1/nodes?resourceVersion=0",
         "/api/v1/pods?resourceVersion=0&fieldSelector=status.phase%21%3DSucceeded%2Cstatus.phase%21%3DFailed"]


def own_contenders(binary, name):
    return [(f"{name} top {view}".rstrip(), [binary, "top", *view.split()]) for view in ["", *VIEWS]]


def bench(binary, other, gpu_nodes, runs, slow_runs):
    with tempfile.TemporaryDirectory() as folder:
        state = f"{folder}/cluster"
        cluster("up", "--dir", state)
        try:
            cluster("load", "--dir", state, "--nodes", str(NODES), "--pods", str(PODS),
                    "--pod-bytes", str(POD_BYTES), "--gpu-nodes", str(gpu_nodes))
            kubeconfig = f"{state}/ordinary.kubeconfig"
            environment = {"PATH": os.environ["PATH"], "HOME": folder, "KUBECONFIG": kubeconfig}
            contenders = [("curl", curl_command(kubeconfig, folder, *LISTS)), *own_contenders(binary, "kubectl gpu")]
            if other:  # one view of both, then the next
                others = own_contenders(other, "the other build")
                contenders[1:] = [each for pair in zip(contenders[1:], others) for each in pair]
            print_table(f"{NODES} nodes, {gpu_nodes} with GPUs, {PODS} pods of {POD_BYTES} bytes; "
                        f"median of {runs}", rounds(contenders, environment, runs), "curl")
            if slow_runs:
                slow = [("kubectl gpu top", [binary, "top"]),
                        ("kubectl get pods -A", [kubectl(), "get", "pods", "-A"])]
                print_table(f"beside kubectl; median of {slow_runs}",
                            rounds(slow, environment, slow_runs), "kubectl gpu top")
        finally:
            cluster("down", "--dir", state)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("binary", type=lambda p: str(pathlib.Path(p).resolve()))
    parser.add_argument("--beside", type=lambda p: str(pathlib.Path(p).resolve()))
    parser.add_argument("--runs", type=int, default=7)
    options = parser.parse_args()
    help_runs = [measured([options.binary, "--help"], {})[0] for _ in range(50)]
    print(f"--help: {statistics.median(help_runs) * 1000:.1f} ms, median of 50")
    bench(options.binary, options.beside, NODES, options.runs, 3)
    bench(options.binary, options.beside, 200, options.runs, 0)


main()
