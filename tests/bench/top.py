#!/usr/bin/env python3
"""`top` beside curl and kubectl, on a real API server with 2,000 nodes and 20,000 pods of 10 kB.

All run in the same minutes, in turns, so that a noisy machine is noisy for all: read the ratios.
curl fetches, one after the other, the same two lists that our one-list case asks for, compressed.
Usage: top.py BINARY [--beside BINARY] [--runs N]. --beside runs another build in the same turns. Needs Go, curl; starts and ends a control plane of its own.
"""
import argparse
import base64
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
NODES, PODS, POD_BYTES = 2000, 20000, 10000
VIEWS = ["gpus", "pods", "namespaces", "models"]
PROTOBUF = "Accept: application/vnd.kubernetes.protobuf, application/json;q=0.9"
LIVE = "fieldSelector=status.phase%21%3DSucceeded%2Cstatus.phase%21%3DFailed"


def measured(command, environment):
    """Wall and user CPU seconds and peak MiB of one run, with its children."""
    start = time.monotonic()
    child = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    stderr = child.stderr.read()
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        sys.exit(f"{command[0]} failed: {stderr.decode(errors='replace')[:500]}")
    return time.monotonic() - start, usage.ru_utime, usage.ru_maxrss / 1024


def rounds(contenders, environment, runs):
    figures = {name: [] for name, _ in contenders}
    for name, command in contenders:  # once, so that no one pays for a cold cache
        measured(command, environment)
    for _ in range(runs):
        for name, command in contenders:
            figures[name].append(measured(command, environment))
    return {name: [statistics.median(column) for column in zip(*rows)] for name, rows in figures.items()}


def curl_command(kubeconfig, folder):
    config = json.loads(subprocess.check_output(
        [kubectl(), "config", "view", "--raw", "--minify", "-o", "json", "--kubeconfig", kubeconfig]))
    cluster, user = config["clusters"][0]["cluster"], config["users"][0]["user"]
    ca = pathlib.Path(folder, "ca.crt")
    ca.write_bytes(base64.b64decode(cluster["certificate-authority-data"]))
    server = cluster["server"]
    return ["curl", "-sSf", "--compressed", "--http1.1", "--cacert", str(ca), "-A", "bench",
            "-H", f"Authorization: Bearer {user['token']}", "-H", PROTOBUF,
            f"{server}/api/v1/nodes?resourceVersion=0", f"{server}/api/v1/pods?resourceVersion=0&{LIVE}"]


def kubectl():
    return subprocess.check_output([ROOT / "tests/controlplane/build"], text=True).strip() + "/kubectl"


def cluster(*words):
    return subprocess.check_output([ROOT / "tests/controlplane/cluster", *words], text=True).strip()


def print_table(title, figures, base):
    print(f"\n{title}\n{'':34}{'wall s':>8}{'user s':>8}{'MiB':>8}{'wall, of ' + base:>28}")
    for name, (wall, user, memory) in figures.items():
        print(f"{name:34}{wall:8.3f}{user:8.3f}{memory:8.1f}{wall / figures[base][0]:27.2f}x")


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
            contenders = [("curl", curl_command(kubeconfig, folder)), *own_contenders(binary, "kubectl gpu")]
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
