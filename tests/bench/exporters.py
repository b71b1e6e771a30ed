#!/usr/bin/env python3
"""`top gpus` over 600 exporters behind a real API server, beside curl fetching the same URLs in parallel.

600 nodes of 8 GPUs, a pod with an exporter's text on each, and 1,200 pods that hold GPUs. All texts must have been
read, and each card's use must be that of its text. curl has as many transfers in flight as the program; both run in
turns, so that a noisy machine is noisy for both: read the ratio. Pods have addresses in a network namespace, because
the API server's proxy refuses loopback ones.
Usage: exporters.py BINARY [--runs N] [--exporters N]. Needs root, Go, curl, iproute2; starts and ends a control plane
of its own.
"""
import argparse
import base64
import concurrent.futures
import contextlib
import http.client
import json
import os
import pathlib
import ssl
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[2]
CONTROLPLANE = ROOT / "tests/controlplane"
CARDS, IN_FLIGHT, PORT, NAMESPACE = 8, 32, 9400, "default"
POD_BYTES = 4000


def cluster(*words):
    return subprocess.check_output([CONTROLPLANE / "cluster", *words], text=True).strip()


def binaries():
    return subprocess.check_output([CONTROLPLANE / "build"], text=True).strip()


class Server:
    """The API server, as the administrator sees it."""

    def __init__(self, kubeconfig):
        config = json.loads(subprocess.check_output(
            [binaries() + "/kubectl", "config", "view", "--raw", "--minify", "-o", "json", "--kubeconfig", kubeconfig]))
        entry = config["clusters"][0]["cluster"]
        self.url = entry["server"]
        self.token = config["users"][0]["user"]["token"]
        self.authority = base64.b64decode(entry["certificate-authority-data"]).decode()
        self.context = ssl.create_default_context(cadata=self.authority)

    def ask(self, method, path, body, content_type="application/json"):
        connection = http.client.HTTPSConnection(urllib.parse.urlsplit(self.url).netloc, context=self.context, timeout=30)
        with contextlib.closing(connection):
            connection.request(method, path, json.dumps(body),
                               {"Authorization": f"Bearer {self.token}", "Content-Type": content_type})
            answer = connection.getresponse()
            content = answer.read()
        if answer.status >= 300:
            sys.exit(f"{method} {path}: {answer.status} {content[:300].decode(errors='replace')}")


def node_name(number):
    return f"node-{number:05d}"


def pod_name(number):
    return f"dcgm-exporter-{number:05d}"


def address(number):
    return f"10.234.{(number + 10) // 256}.{(number + 10) % 256}"


def used_percent(number, card):
    return 1 + (number * 7 + card * 11) % 100


def text_of(number):
    """What dcgm-exporter writes of one node with its default counters: about 40 kB."""
    families = {
        "DCGM_FI_DEV_SM_CLOCK": "1980", "DCGM_FI_DEV_MEM_CLOCK": "2619", "DCGM_FI_DEV_MEMORY_TEMP": "41",
        "DCGM_FI_DEV_GPU_TEMP": "39", "DCGM_FI_DEV_POWER_USAGE": "302.206000",
        "DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION": "4335301032", "DCGM_FI_DEV_PCIE_REPLAY_COUNTER": "0",
        "DCGM_FI_DEV_GPU_UTIL": None, "DCGM_FI_DEV_MEM_COPY_UTIL": "31", "DCGM_FI_DEV_ENC_UTIL": "0",
        "DCGM_FI_DEV_DEC_UTIL": "0", "DCGM_FI_DEV_XID_ERRORS": "0", "DCGM_FI_DEV_FB_FREE": "41037",
        "DCGM_FI_DEV_FB_USED": "40000", "DCGM_FI_DEV_FB_RESERVED": "522", "DCGM_FI_DEV_UNCORRECTABLE_REMAPPED_ROWS": "0",
        "DCGM_FI_DEV_CORRECTABLE_REMAPPED_ROWS": "0", "DCGM_FI_DEV_ROW_REMAP_FAILURE": "0",
        "DCGM_FI_DEV_NVLINK_BANDWIDTH_TOTAL": "0", "DCGM_FI_DEV_VGPU_LICENSE_STATUS": "0",
        "DCGM_FI_PROF_GR_ENGINE_ACTIVE": None, "DCGM_FI_PROF_PIPE_TENSOR_ACTIVE": "0.401000",
        "DCGM_FI_PROF_DRAM_ACTIVE": "0.250000", "DCGM_FI_PROF_PCIE_TX_BYTES": "1048576",
        "DCGM_FI_PROF_PCIE_RX_BYTES": "2097152",
    }
    lines = []
    for name, value in families.items():
        lines += [f"# HELP {name} As the exporter has it.", f"# TYPE {name} gauge"]
        for card in range(CARDS):
            labels = (f'gpu="{card}",UUID="GPU-{number:08x}-0000-4000-8000-{card:012x}",pci_bus_id="00000000:{16 + card:02X}:00.0",'
                      f'device="nvidia{card}",modelName="NVIDIA H100 80GB HBM3",Hostname="{pod_name(number)}",'
                      f'DCGM_FI_DRIVER_VERSION="570.86.15"')
            used = used_percent(number, card)
            told = {"DCGM_FI_DEV_GPU_UTIL": used, "DCGM_FI_PROF_GR_ENGINE_ACTIVE": f"{used / 100:f}"}.get(name, value)
            lines.append(f"{name}{{{labels}}} {told}")
    return "\n".join(lines) + "\n"


@contextlib.contextmanager
def exporters(count, folder):
    """Serves all texts in a network namespace, until left."""
    pid = os.getpid()
    space, outside, inside = f"kgpu-bench-{pid}", f"kb{pid % 1000000}", f"kb{pid % 1000000}p"
    served = []
    for number in range(count):
        file = pathlib.Path(folder, f"{number}.prom")
        file.write_text(text_of(number))
        served.append({"listen": f"{address(number)}:{PORT}", "file": str(file)})
    list_file, program = pathlib.Path(folder, "served.json"), pathlib.Path(folder, "exporter")
    list_file.write_text(json.dumps(served))
    subprocess.run(["go", "build", "-C", CONTROLPLANE, "-o", program, "./cmd/exporter"], check=True)
    child = None
    try:
        for words in ([f"netns add {space}", f"link add {outside} type veth peer name {inside} netns {space}",
                       f"addr add 10.234.0.1/22 dev {outside}", f"link set {outside} up", f"-n {space} link set lo up",
                       f"-n {space} link set {inside} up"]):
            subprocess.run(["ip", *words.split()], check=True)
        subprocess.run(["ip", "-n", space, "-batch", "-"], check=True, text=True,
                       input="".join(f"addr add {address(n)}/22 dev {inside}\n" for n in range(count)))
        child = subprocess.Popen(["ip", "netns", "exec", space, str(program), str(list_file)],
                                 stdout=subprocess.PIPE, text=True)
        if child.stdout.readline().strip() != "ready":
            sys.exit("the exporters do not serve")
        yield
    finally:
        if child:
            child.kill()
            child.wait()
        subprocess.run(["ip", "netns", "del", space], check=False)


def create_pods(server, count):
    """An exporter's pod on each node, running and ready."""
    def create(number):
        pods = f"/api/v1/namespaces/{NAMESPACE}/pods"
        server.ask("POST", pods, {
            "apiVersion": "v1", "kind": "Pod",
            "metadata": {"name": pod_name(number), "labels": {"app": "nvidia-dcgm-exporter"}},
            "spec": {"nodeName": node_name(number), "automountServiceAccountToken": False, "containers": [
                {"name": "nvidia-dcgm-exporter", "image": "registry.example/dcgm-exporter:4.5.3",
                 "ports": [{"name": "metrics", "containerPort": PORT}]}]}})
        server.ask("PATCH", f"{pods}/{pod_name(number)}/status", {"status": {
            "phase": "Running", "podIP": address(number), "podIPs": [{"ip": address(number)}],
            "conditions": [{"type": "Ready", "status": "True"}]}}, "application/strategic-merge-patch+json")
    with concurrent.futures.ThreadPoolExecutor(8) as workers:
        list(workers.map(create, range(count)))


def measured(command, environment):
    """Wall and user CPU seconds and peak MiB of one run, and what it wrote."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        start = time.monotonic()
        child = subprocess.Popen(command, env=environment, stdout=out, stderr=err)
        _, status, usage = os.wait4(child.pid, 0)
        wall = time.monotonic() - start
        child.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0), err.seek(0)
        written, said = out.read(), err.read()
    if child.returncode != 0:
        sys.exit(f"{command[0]} failed: {said.decode(errors='replace')[:500]}")
    return [wall, usage.ru_utime, usage.ru_maxrss / 1024], written


def check_all_read(answer, count):
    """Ends the benchmark when a text was not read: half of the work is no result."""
    answer = json.loads(answer)
    seen = {(item["node"], item["uuid"]): item["utilization"] for item in answer["items"]}
    for number in range(count):
        for card in range(CARDS):
            key = (node_name(number), f"GPU-{number:08x}-0000-4000-8000-{card:012x}")
            want = used_percent(number, card) / 100
            if seen.get(key) is None or abs(seen[key] - want) > 1e-9:
                sys.exit(f"{key}: use is {seen.get(key)}, not {want}; gaps: {json.dumps(answer['gaps'])[:1000]}")


def curl_command(server, count, folder):
    """The same texts by curl, each written to a file of its own; URLs and token stand in a file."""
    authority, config = pathlib.Path(folder, "ca.crt"), pathlib.Path(folder, "curl.config")
    authority.write_text(server.authority)
    lines = [f'header = "Authorization: Bearer {server.token}"', f'cacert = "{authority}"']
    for number in range(count):
        lines += [f'url = "{server.url}/api/v1/namespaces/{NAMESPACE}/pods/{pod_name(number)}:{PORT}/proxy/metrics"',
                  f'output = "{folder}/fetched-{number}"']
    config.write_text("\n".join(lines) + "\n")
    return ["curl", "-sSf", "--compressed", "--http1.1", "--parallel", "--parallel-max", str(IN_FLIGHT), "-K", str(config)]


def print_table(title, figures, base):
    print(f"\n{title}\n{'':40}{'wall s':>8}{'user s':>8}{'MiB':>8}{'wall, of ' + base:>24}")
    for name, (wall, user, memory) in figures.items():
        print(f"{name:40}{wall:8.3f}{user:8.3f}{memory:8.1f}{wall / figures[base][0]:23.2f}x")


def bench(binary, count, runs):
    with tempfile.TemporaryDirectory() as folder:
        state = f"{folder}/cluster"
        cluster("up", "--dir", state)
        try:
            cluster("load", "--dir", state, "--nodes", str(count), "--gpu-nodes", str(count), "--pods", str(2 * count),
                    "--pod-bytes", str(POD_BYTES))
            with exporters(count, folder):
                server = Server(f"{state}/admin.kubeconfig")
                create_pods(server, count)
                environment = {"PATH": os.environ["PATH"], "HOME": folder, "KUBECONFIG": f"{state}/admin.kubeconfig"}
                top = [binary, "top", "gpus", "-o", "json", "--metrics"]
                contenders = {"curl": curl_command(server, count, folder), "kubectl gpu top gpus": [*top, "exporter"],
                              "the same without texts": [*top, "none"]}
                figures = {name: [] for name in contenders}
                for run in range(runs + 1):  # the first is for warm caches only
                    for name, command in contenders.items():
                        numbers, written = measured(command, environment)
                        if name == "kubectl gpu top gpus":
                            check_all_read(written, count)
                        if run > 0:
                            figures[name].append(numbers)
                medians = {name: [statistics.median(column) for column in zip(*rows)] for name, rows in figures.items()}
                size = len(text_of(0)) * count / 1e6
                print_table(f"{count} exporters of {CARDS} GPUs, {size:.0f} MB in all; median of {runs}", medians, "curl")
        finally:
            cluster("down", "--dir", state)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", type=lambda p: str(pathlib.Path(p).resolve()))
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--exporters", type=int, default=600)
    options = parser.parse_args()
    bench(options.binary, options.exporters, options.runs)


main()
