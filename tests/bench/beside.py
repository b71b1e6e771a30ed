"""Commands beside each other: run in turns on a real API server of one's own, with wall and CPU time and memory."""
import base64
import json
import os
import pathlib
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROTOBUF = "Accept: application/vnd.kubernetes.protobuf, application/json;q=0.9"


def measured(command, environment, codes=(0,)):
    """Wall and user CPU seconds and peak MiB of one run, with its children."""
    start = time.monotonic()
    child = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    stderr = child.stderr.read()
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode not in codes:
        sys.exit(f"{command[0]} failed: {stderr.decode(errors='replace')[:500]}")
    return time.monotonic() - start, usage.ru_utime, usage.ru_maxrss / 1024


def rounds(contenders, environment, runs, may_fail=()):
    """Medians by name; those in `may_fail` may say by exit code 1 that something is blocked."""
    figures = {name: [] for name, _ in contenders}
    for name, command in contenders:  # once, so that no one pays for a cold cache
        measured(command, environment, (0, 1) if name in may_fail else (0,))
    for _ in range(runs):
        for name, command in contenders:
            figures[name].append(measured(command, environment, (0, 1) if name in may_fail else (0,)))
    return {name: [statistics.median(column) for column in zip(*rows)] for name, rows in figures.items()}


def curl_command(kubeconfig, folder, *paths):
    """curl that fetches these paths one after the other, compressed."""
    config = json.loads(subprocess.check_output(
        [kubectl(), "config", "view", "--raw", "--minify", "-o", "json", "--kubeconfig", kubeconfig]))
    cluster, user = config["clusters"][0]["cluster"], config["users"][0]["user"]
    ca = pathlib.Path(folder, "ca.crt")
    ca.write_bytes(base64.b64decode(cluster["certificate-authority-data"]))
    server = cluster["server"]
    return ["curl", "-sSf", "--compressed", "--http1.1", "--cacert", str(ca), "-A", "bench",
            "-H", f"Authorization: Bearer {user['token']}", "-H", PROTOBUF, *(server + path for path in paths)]


def kubectl():
    return subprocess.check_output([ROOT / "tests/controlplane/build"], text=True).strip() + "/kubectl"


def cluster(*words):
    return subprocess.check_output([ROOT / "tests/controlplane/cluster", *words], text=True).strip()


def print_table(title, figures, base):
    print(f"\n{title}\n{'':34}{'wall s':>8}{'user s':>8}{'MiB':>8}{'wall, of ' + base:>28}")
    for name, (wall, user, memory) in figures.items():
        print(f"{name:34}{wall:8.3f}{user:8.3f}{memory:8.1f}{wall / figures[base][0]:27.2f}x")
