#!/usr/bin/env python3
"""`why-pending` on 1,000 different pods that wait, 5,000 nodes and 50,000 pods that run, from a snapshot.

Prints the medians of CPU seconds and peak MiB: of reading alone (a question whose answer is `not found`,
which reads everything and judges nothing), of one pod, and of all pods in each form. What an answer costs
after reading is the difference. With --rival, another program is run on the same cluster's lists, in turns.
Usage: why_pending.py BINARY [--runs N] [--heavy] [--rival COMMAND]. COMMAND may hold {nodes} and {pods}.
"""
import argparse
import json
import os
import pathlib
import shlex
import statistics
import subprocess
import sys
import tempfile
import time

NODES, RUNNING, WAITING = 5000, 50000, 1000
GIBI = 1 << 30


def node(i):
    product = "NVIDIA-H100-80GB-HBM3" if i % 3 == 1 else "NVIDIA-A100-SXM4-80GB"
    labels = {f"label.example.com/key-{k}": f"value-{i % (k + 2)}" for k in range(25)}
    labels |= {"kubernetes.io/hostname": f"node-{i:04}", "topology.kubernetes.io/zone": f"zone-{i % 6}",
               "nvidia.com/gpu.product": product}
    amounts = {"cpu": "96", "memory": "1024Gi", "pods": "110", "ephemeral-storage": "1024Gi",
               "nvidia.com/gpu": "8"}
    spec = {"taints": [{"key": "dedicated", "value": f"t{i % 70}", "effect": "NoSchedule"}]} if i % 10 == 0 else {}
    if i % 100 == 1:
        spec["unschedulable"] = True
    return {"apiVersion": "v1", "kind": "Node", "metadata": {"name": f"node-{i:04}", "labels": labels},
            "spec": spec, "status": {"allocatable": amounts, "capacity": amounts,
                                     "conditions": [{"type": "Ready", "status": "True"}]}}


def to_app(i, key):
    return {"labelSelector": {"matchLabels": {"app": f"app-{i % 500}"}}, "topologyKey": key}


def pod(name, i, cpus, gpus):
    requests = {"cpu": str(cpus), "memory": f"{2 * cpus}Gi"}
    if gpus:
        requests["nvidia.com/gpu"] = str(gpus)
    return {"apiVersion": "v1", "kind": "Pod",
            "metadata": {"name": name, "namespace": f"ns-{i % 50}", "uid": f"uid-{name}",
                         "creationTimestamp": "2026-11-01T10:00:00Z", "labels": {"app": f"app-{i % 500}"}},
            "spec": {"schedulerName": "default-scheduler",
                     "containers": [{"name": "main", "image": "registry.example.com/train:1",
                                     "resources": {"requests": requests, "limits": requests}}]},
            "status": {"phase": "Pending"}}


def running(i, heavy):
    made = pod(f"pod-{i}", i, 2, 2 if i // NODES < 4 else 0)
    made["spec"] |= {"nodeName": f"node-{i % NODES:04}", "priority": 0 if i % 7 == 0 else 100}
    made["status"] = {"phase": "Running", "startTime": "2026-11-01T10:00:05Z"}
    if heavy and i % 10 == 0:
        made["spec"]["affinity"] = {"podAntiAffinity": {
            "requiredDuringSchedulingIgnoredDuringExecution": [to_app(i, "kubernetes.io/hostname")]}}
    return made


def waiting(i, heavy):
    made = pod(f"wait-{i}", i, 4, 1 + i % 8)
    made["metadata"]["labels"]["job"] = str(i)
    spec = made["spec"]
    spec |= {"priority": 0 if i % 5 == 0 else 50,
             "nodeSelector": {"nvidia.com/gpu.product": "NVIDIA-A100-SXM4-80GB" if i % 2 else "NVIDIA-H100-80GB-HBM3"}}
    if i % 3 == 0:
        spec["tolerations"] = [{"key": "dedicated", "operator": "Exists"}]
    if heavy and i % 4 == 0:
        spec["topologySpreadConstraints"] = [
            {"maxSkew": 1, "topologyKey": "topology.kubernetes.io/zone", "whenUnsatisfiable": "DoNotSchedule",
             "labelSelector": {"matchLabels": {"app": f"app-{i % 500}"}}}]
    if heavy and i % 4 == 1:
        spec["affinity"] = {"podAffinity": {
            "requiredDuringSchedulingIgnoredDuringExecution": [to_app(i, "topology.kubernetes.io/zone")]}}
    return made


def write(path, items):
    path.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": list(items)}))
    return path


def measured(command):
    """User and system CPU seconds, wall seconds and peak MiB of one run, and its exit code."""
    start = time.monotonic()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    return [usage.ru_utime + usage.ru_stime, time.monotonic() - start, usage.ru_maxrss / 1024, child.returncode]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--heavy", action="store_true", help="with spread, affinity and anti-affinity")
    parser.add_argument("--rival")
    parser.add_argument("--keep", help="a folder to write the cluster to, and leave it there")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(options.keep or temporary)
        folder.mkdir(exist_ok=True)
        lists = folder / "lists"
        lists.mkdir(exist_ok=True)
        nodes = write(lists / "nodes.json", map(node, range(NODES)))
        pods = write(lists / "pods.json", [*(running(i, options.heavy) for i in range(RUNNING)),
                                            *(waiting(i, options.heavy) for i in range(WAITING))])
        snapshot = folder / "cluster.json.gz"
        subprocess.run([options.binary, "snapshot", "--from", lists, snapshot], check=True,
                       stderr=subprocess.DEVNULL)
        ask = [options.binary, "why-pending", "--from", snapshot]
        contenders = {"reading": [*ask, "ns-0/not-there"], "one pod": [*ask, "ns-7/wait-7"],
                      "all, table": [*ask, "-A"], "all, a row each": [*ask, "-A", "--no-fold"],
                      "all, json": [*ask, "-A", "-o", "json"]}
        if options.rival:
            contenders["rival"] = shlex.split(options.rival.format(nodes=nodes, pods=pods))
        figures = {name: [] for name in contenders}
        for _ in range(options.runs):
            for name, command in contenders.items():
                figures[name].append(measured(command))
        reading = [statistics.median(column) for column in zip(*figures["reading"])]
        for name, rows in figures.items():
            cpu, wall, peak, _ = [statistics.median(column) for column in zip(*rows)]
            print(f"{name:16} CPU {cpu:6.2f} s  wall {wall:6.2f} s  peak {peak:5.0f} MiB  "
                  f"after reading {cpu - reading[0]:6.2f} s {peak - reading[2]:5.0f} MiB  exit {rows[0][3]}")


if __name__ == "__main__":
    sys.exit(main())
