#!/usr/bin/env python3
"""`doctor` beside `top`, which reads the same nodes and pods: 5,000 GPU nodes with 100,000 pods, then 50 GPU nodes among 5,000.

All run in turns, so that a noisy machine is noisy for all: read the ratios. `doctor` may take twice as long as `top`. Usage:
doctor.py BINARY [--runs N]. Needs Go, curl; starts and ends a control plane of its own.
"""
import argparse
import os
import pathlib
import sys
import tempfile

sys.dont_write_bytecode = True
from beside import cluster, print_table, rounds

NODES, PODS, POD_BYTES = 5000, 100000, 4000


def bench(binary, gpu_nodes, runs):
    with tempfile.TemporaryDirectory() as folder:
        state = f"{folder}/cluster"
        cluster("up", "--dir", state)
        try:
            cluster("load", "--dir", state, "--nodes", str(NODES), "--pods", str(PODS),
                    "--pod-bytes", str(POD_BYTES), "--gpu-nodes", str(gpu_nodes))
            environment = {"PATH": os.environ["PATH"], "HOME": folder, "KUBECONFIG": f"{state}/admin.kubeconfig"}
            contenders = [(name, [binary, name, "--metrics", "none"]) for name in ("top", "doctor")]
            print_table(f"{NODES} nodes, {gpu_nodes} with GPUs, {PODS} pods of {POD_BYTES} bytes; median of {runs}",
                        rounds(contenders, environment, runs, ("doctor",)), "top")
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
