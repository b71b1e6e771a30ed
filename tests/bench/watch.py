#!/usr/bin/env python3
"""`top -w` on a real API server with 2,000 GPU nodes and 20,000 pods of 10 kB while 50 objects change a second.

Prints CPU (of one core) and memory of the program, every ten seconds and over all; then the same with nothing
changing. Runs on a terminal of 200x50 that somebody reads.
Usage: watch.py BINARY [--seconds N] [--steady N] [--changes N] [--view VIEW]. Needs Go; starts and ends a control
plane of its own.
"""
import argparse
import base64
import fcntl
import http.client
import json
import os
import pathlib
import pty
import random
import signal
import ssl
import struct
import subprocess
import sys
import tempfile
import termios
import threading
import time
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[2]
NODES, PODS, POD_BYTES = 2000, 20000, 10000
WRITERS = 4


def cluster(*words):
    return subprocess.check_output([ROOT / "tests/controlplane/cluster", *words], text=True).strip()


class Server:
    """The API server, as the administrator sees it."""

    def __init__(self, kubeconfig):
        kubectl = subprocess.check_output([ROOT / "tests/controlplane/build"], text=True).strip() + "/kubectl"
        config = json.loads(subprocess.check_output(
            [kubectl, "config", "view", "--raw", "--minify", "-o", "json", "--kubeconfig", kubeconfig]))
        entry = config["clusters"][0]["cluster"]
        self.address = urllib.parse.urlsplit(entry["server"]).netloc
        self.token = config["users"][0]["user"]["token"]
        self.context = ssl.create_default_context(
            cadata=base64.b64decode(entry["certificate-authority-data"]).decode())

    def connection(self):
        return http.client.HTTPSConnection(self.address, context=self.context, timeout=30)

    def ask(self, connection, method, path, body=None):
        headers = {"Authorization": f"Bearer {self.token}", "Accept": "application/json",
                   "Content-Type": "application/strategic-merge-patch+json"}
        connection.request(method, path, body and json.dumps(body), headers)
        answer = connection.getresponse()
        content = answer.read()
        if answer.status >= 300:
            raise RuntimeError(f"{method} {path}: {answer.status} {content[:300]}")
        return json.loads(content)


class Changes:
    """Pods end and run again, nodes are cordoned and not, so many times a second."""

    def __init__(self, server, rate):
        self.server, self.rate, self.count, self.failed = server, rate, 0, None
        self.stop = threading.Event()
        connection = server.connection()
        pods = server.ask(connection, "GET", "/api/v1/pods?limit=2000")["items"]
        nodes = server.ask(connection, "GET", "/api/v1/nodes?limit=200")["items"]
        self.pods = [p["metadata"]["namespace"] + "/pods/" + p["metadata"]["name"] for p in pods
                     if p["spec"].get("nodeName") and p["status"]["phase"] == "Running"]
        self.nodes = [n["metadata"]["name"] for n in nodes]
        self.threads = [threading.Thread(target=self.run, args=(i,)) for i in range(WRITERS)]

    def start(self):
        for thread in self.threads:
            thread.start()

    def end(self):
        self.stop.set()
        for thread in self.threads:
            thread.join()
        if self.failed:
            sys.exit(f"changes failed: {self.failed}")

    def run(self, index):
        try:
            self.write(index)
        except Exception as error:  # told by end(): a thread cannot end the program
            self.failed = error

    def write(self, index):
        dice, connection = random.Random(index), self.server.connection()
        pods, nodes = self.pods[index::WRITERS], self.nodes[index::WRITERS]
        ended, cordoned, begin, done = set(), set(), time.monotonic(), 0
        while not self.stop.wait(max(0.0, begin + done * WRITERS / self.rate - time.monotonic())):
            done += 1
            self.count += 1
            if dice.random() < 0.1:
                node = dice.choice(nodes)
                cordoned ^= {node}
                self.server.ask(connection, "PATCH", f"/api/v1/nodes/{node}",
                                {"spec": {"unschedulable": node in cordoned}})
            else:
                pod = dice.choice(pods)
                ended ^= {pod}
                self.server.ask(connection, "PATCH", f"/api/v1/namespaces/{pod}/status",
                                {"status": {"phase": "Succeeded" if pod in ended else "Running"}})


class Watched:
    """The program on a terminal of its own, read to the end."""

    def __init__(self, words, environment):
        self.child, self.terminal = pty.fork()
        if self.child == 0:
            fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 200, 0, 0))
            os.execve(words[0], words, environment)
        self.written = 0
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        try:
            while data := os.read(self.terminal, 65536):
                self.written += len(data)
        except OSError:
            pass

    def cpu_seconds(self):
        fields = pathlib.Path(f"/proc/{self.child}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory_mib(self):
        status = pathlib.Path(f"/proc/{self.child}/status").read_text()
        return int(status.split("VmRSS:")[1].split()[0]) / 1024

    def wait_for_screen(self):
        end = time.monotonic() + 120
        while self.written < 4000:
            if time.monotonic() > end:
                sys.exit("nothing was drawn")
            time.sleep(0.1)

    def end(self):
        os.kill(self.child, signal.SIGTERM)
        os.waitpid(self.child, 0)


def measure(watched, title, seconds, changes=None):
    """CPU of one core and the largest memory over that time."""
    first = cpu = watched.cpu_seconds()
    begin = last = time.monotonic()
    counted, written, most = changes.count if changes else 0, watched.written, 0.0
    print(f"\n{title}\n{'seconds':>8}{'CPU %':>8}{'MiB':>8}{'changes/s':>11}{'kB/s out':>10}")
    while last - begin < seconds:
        time.sleep(min(10.0, seconds))
        now, used, memory = time.monotonic(), watched.cpu_seconds(), watched.memory_mib()
        count = changes.count if changes else 0
        print(f"{now - begin:8.0f}{100 * (used - cpu) / (now - last):8.2f}{memory:8.1f}"
              f"{(count - counted) / (now - last):11.1f}{(watched.written - written) / (now - last) / 1000:10.1f}",
              flush=True)
        last, cpu, counted, written, most = now, used, count, watched.written, max(most, memory)
    print(f"over all: {100 * (cpu - first) / (last - begin):.2f} % of a core, at most {most:.1f} MiB")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("binary", type=lambda p: str(pathlib.Path(p).resolve()))
    parser.add_argument("--seconds", type=int, default=600)
    parser.add_argument("--steady", type=int, default=60)
    parser.add_argument("--changes", type=float, default=50)
    parser.add_argument("--view", default="nodes")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        state = f"{folder}/cluster"
        cluster("up", "--dir", state)
        try:
            cluster("load", "--dir", state, "--nodes", str(NODES), "--pods", str(PODS),
                    "--pod-bytes", str(POD_BYTES), "--gpu-nodes", str(NODES))
            environment = {"HOME": folder, "KUBECONFIG": f"{state}/ordinary.kubeconfig", "TERM": "xterm",
                           "LC_ALL": "C.UTF-8"}
            changes = Changes(Server(f"{state}/admin.kubeconfig"), options.changes)
            watched = Watched([options.binary, "top", options.view, "-w"], environment)
            watched.wait_for_screen()
            changes.start()
            title = f"top {options.view} -w: {NODES} nodes, {PODS} pods of {POD_BYTES} bytes"
            measure(watched, title, options.seconds, changes)
            changes.end()
            time.sleep(5)
            measure(watched, "the same, and nothing changes", options.steady)
            watched.end()
        finally:
            cluster("down", "--dir", state)


main()
