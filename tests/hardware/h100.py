#!/usr/bin/env python3
"""Holds `kubectl gpu top` against nvidia-smi on a machine with a real GPU.

An exporter in dcgm-exporter's text, written from NVML, stands behind a pod of a real API server; PyTorch
loads the card. In each phase (idle, busy, memory held but idle) nvidia-smi is asked before and after
`top gpus` and `top pods`, and what these say must lie between. Needs root, pyroute2, pynvml and PyTorch.
Usage: h100.py BINARIES KUBECTL_GPU OUT [--fake]     BINARIES: the folder that controlplane/build prints
What was recorded lies in OUT afterwards, UUIDs and serial numbers replaced.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

import pyroute2

from plane import Plane, run_gpu

HERE = pathlib.Path(__file__).parent
ADDRESS, PORT = "10.233.252.2", 9400
NODE = "h100"
PHASES = ("idle", "busy", "held")
ROUNDS = 4
LOAD = """
import sys, time, torch
held = torch.empty(20 << 30, dtype=torch.uint8, device="cuda")
print("ready", flush=True)
a = torch.randn(8192, 8192, device="cuda", dtype=torch.bfloat16)
end = time.time() + float(sys.argv[2])
while time.time() < end:
    if sys.argv[1] == "busy":
        for _ in range(20): a @ a
        torch.cuda.synchronize()
    else:
        time.sleep(0.2)
"""


class Network:
    """A namespace with one address, joined to ours."""

    def __init__(self):
        self.name = f"kgpu-{os.getpid()}"

    def __enter__(self):
        pyroute2.netns.create(self.name)
        self.ip = pyroute2.IPRoute()
        self.ip.link("add", ifname="kgh", kind="veth", peer={"ifname": "kgp", "net_ns_fd": self.name})
        self._up(self.ip, "kgh", "10.233.252.1")
        with pyroute2.NetNS(self.name) as inside:
            self._up(inside, "kgp", ADDRESS)
            inside.link("set", index=inside.link_lookup(ifname="lo")[0], state="up")
        return self

    @staticmethod
    def _up(ip, name, address):
        index = ip.link_lookup(ifname=name)[0]
        ip.addr("add", index=index, address=address, prefixlen=24)
        ip.link("set", index=index, state="up")

    def __exit__(self, *_):
        pyroute2.netns.remove(self.name)
        self.ip.close()

    def run(self, *command):
        """A program inside; it has started once it says `ready`."""
        def enter():
            pyroute2.netns.setns(self.name)
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, preexec_fn=enter)
        if process.stdout.readline().strip() != "ready":
            raise RuntimeError(f"{command} did not start")
        return process


def product_and_memory(fake):
    """As GPU feature discovery labels them: the name with dashes, MiB."""
    if fake:
        return "NVIDIA-H100-80GB-HBM3", "81559"
    line = subprocess.run(["nvidia-smi", "--query-gpu=name,memory.total", "--format=csv,noheader,nounits"],
                          capture_output=True, text=True, check=True).stdout.splitlines()[0]
    name, memory = line.split(", ")
    return name.replace(" ", "-"), memory


def node(product, memory):
    return {"apiVersion": "v1", "kind": "Node", "metadata": {"name": NODE, "labels": {
        "nvidia.com/gpu.product": product, "nvidia.com/gpu.count": "1", "nvidia.com/gpu.memory": memory,
        "nvidia.com/gpu.replicas": "1", "nvidia.com/gpu.present": "true"}},
        "status": {"capacity": {"nvidia.com/gpu": "1", "cpu": "16", "memory": "128Gi", "pods": "110"},
                   "allocatable": {"nvidia.com/gpu": "1", "cpu": "16", "memory": "128Gi", "pods": "110"},
                   "conditions": [{"type": "Ready", "status": "True", "reason": "KubeletReady", "message": ""}]}}


def pod(ns, name, labels, container, ip):
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"namespace": ns, "name": name, "labels": labels},
            "spec": {"nodeName": NODE, "tolerations": [{"operator": "Exists"}], "containers": [container]},
            "status": {"phase": "Running", "podIP": ip, "podIPs": [{"ip": ip}], "hostIP": "127.0.0.1",
                       "conditions": [{"type": "Ready", "status": "True"}]}}


def smi(fake):
    """Use in per cent, memory in MiB, degrees, watts, as nvidia-smi has them now."""
    if fake:
        util, used = (int(word) for word in pathlib.Path(str(fake) + ".fake").read_text().split())
        return {"util": util, "used": used, "temp": 30 + util // 3, "power": 70.0 + 6 * util}
    line = subprocess.run(["nvidia-smi", "--query-gpu=utilization.gpu,memory.used,temperature.gpu,power.draw",
                           "--format=csv,noheader,nounits"], capture_output=True, text=True, check=True).stdout.splitlines()[0]
    util, used, temp, power = (float(cell) for cell in line.split(", "))
    return {"util": util, "used": used, "temp": temp, "power": power}


def between(name, value, before, after, slack):
    low, high = min(before[name], after[name]) - slack, max(before[name], after[name]) + slack
    return value is not None and low <= value <= high


def compare(row, before, after):
    """What `top gpus` says that nvidia-smi, asked before and after, does not."""
    have = {"util": None if row["utilization"] is None else 100 * row["utilization"], "temp": row["temperatureCelsius"],
            "used": None if row["memoryUsedBytes"] is None else row["memoryUsedBytes"] / (1 << 20), "power": row["powerWatts"]}
    slack = {"util": 3, "used": 80, "temp": 3, "power": 60}
    return have, [f"{name} {have[name]}, nvidia-smi {before[name]} and {after[name]}" for name in slack
                  if not between(name, have[name], before, after, slack[name])]


class Test:
    def __init__(self, plane, binary, out, owner, fake):
        self.plane, self.binary, self.out, self.owner, self.fake = plane, binary, out, owner, fake
        self.problems = []

    def top(self, view, *args):
        return json.loads(run_gpu(self.binary, self.plane, "top", view, "-o", "json", *args))

    def expect(self, holds, what):
        if not holds:
            self.problems.append(what)

    def phase(self, name):
        holder = [] if name == "idle" else ["ml/load-0"]
        for number in range(ROUNDS):
            before = smi(self.fake)
            gpus, pods = self.top("gpus"), self.top("pods")
            after = smi(self.fake)
            row = gpus["items"][0]
            have, wrong = compare(row, before, after)
            print(f"{name} {number}: top {have} nvidia-smi {before} {after}", flush=True)
            for text in wrong:
                self.problems.append(f"{name} {number}: {text}")
            names = [f"{one['namespace']}/{one['name']}" for one in row["pods"]]
            self.expect(names == holder, f"{name}: held by {names}, not {holder}")
            if holder:
                mine = pods["items"][0]
                use = None if mine["utilization"] is None else 100 * mine["utilization"]
                self.expect(between("util", use, before, after, 3), f"{name}: top pods says {use} %")
                self.expect(mine["idle"] is (name == "held"), f"{name}: idle is {mine['idle']}")
            time.sleep(1)
        self.record(name)

    def record(self, name):
        for view in ("nodes", "gpus", "pods"):
            text = run_gpu(self.binary, self.plane, "top", view, "--terminal=100x40", "--color=never")
            (self.out / f"{name}-{view}.txt").write_text(text)
            print(text, flush=True)
        raw = self.plane.kubectl("get", "--raw", f"/api/v1/namespaces/gpu-operator/pods/nvidia-dcgm-exporter-h100:{PORT}/proxy/metrics")
        (self.out / f"{name}.prom").write_text(raw)
        run_gpu(self.binary, self.plane, "snapshot", str(self.out / f"{name}-snapshot.json"))
        if not self.fake:
            xml = subprocess.run(["nvidia-smi", "-q", "-x"], capture_output=True, text=True, check=True).stdout
            (self.out / f"{name}-nvidia-smi.xml").write_text(xml)


def hide(out):
    """UUIDs and serial numbers of the card are nobody's business."""
    for file in out.iterdir():
        text = file.read_text()
        text = re.sub(r"(GPU|MIG)-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", r"\1-00000000-0000-4000-8000-000000000001", text)
        text = re.sub(r"<(serial|board_part_number|gpu_part_number|pdi|chassis_serial_number|platform_info[^>]*)>[^<]*<", r"<\1>0<", text)
        file.write_text(text)


def load(kind, seconds, fake):
    if fake:
        pathlib.Path(str(fake) + ".fake").write_text("97 21000" if kind == "busy" else "0 21000")
        return subprocess.Popen(["sleep", str(seconds)])
    process = subprocess.Popen([sys.executable, "-c", LOAD, kind, str(seconds)], stdout=subprocess.PIPE, text=True)
    process.stdout.readline()
    time.sleep(4)
    return process


def main():
    binaries, binary, out = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, Network() as network, Plane(binaries, folder + "/plane") as plane:
        owner = pathlib.Path(folder) / "owner"
        owner.write_text("")
        fake = owner if "--fake" in sys.argv else None
        if fake:
            pathlib.Path(str(owner) + ".fake").write_text("0 1")
        exporter = network.run(sys.executable, HERE / "nvml_exporter.py", ADDRESS, str(PORT), owner, *(["--fake"] if fake else []))
        try:
            for ns in ("gpu-operator", "ml"):
                plane.kubectl("create", "namespace", ns)
            plane.create(node(*product_and_memory(fake)))
            plane.create(pod("gpu-operator", "nvidia-dcgm-exporter-h100", {"app": "nvidia-dcgm-exporter"},
                             {"name": "nvidia-dcgm-exporter", "image": "example.com/dcgm-exporter:4", "args": ["-c", "100"],
                              "ports": [{"name": "metrics", "containerPort": PORT}]}, ADDRESS))
            test = Test(plane, binary, out, owner, fake)
            for name in PHASES:
                if name == "busy":
                    plane.create(pod("ml", "load-0", {}, {"name": "main", "image": "example.com/load", "resources": {
                        "limits": {"nvidia.com/gpu": "1"}, "requests": {"nvidia.com/gpu": "1"}}}, "10.0.0.9"))
                    owner.write_text("ml load-0 main")
                work = None if name == "idle" else load(name, 40, fake)
                try:
                    test.phase(name)
                finally:
                    if work:
                        work.kill()
                        work.wait()
        finally:
            exporter.kill()
            exporter.wait()
    hide(out)
    for problem in test.problems:
        print("PROBLEM", problem)
    print(f"{len(PHASES) * ROUNDS} rounds, {len(test.problems)} problems")
    return 1 if test.problems else 0


if __name__ == "__main__":
    sys.exit(main())
