"""What a test of history stands on: a real Prometheus that holds made-up series, and an API server that lists what is
left of them."""
import http.server
import json
import os
import pathlib
import re
import socket
import subprocess
import threading
import time
import urllib.parse
import urllib.request

from week import SCRAPE

EMPTY = {"services": "ServiceList", "namespaces": "NamespaceList", "jobs": "JobList", "replicasets": "ReplicaSetList"}


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def escaped(labels):
    return ",".join(f'{key}="{value}"' for key, value in labels.items() if value)


def openmetrics(series, path):
    """Families stand together, and samples of a series are in order."""
    families = {}
    for name, labels, value, begin, end in series:
        families.setdefault(name, []).append((escaped(labels), value, begin, end))
    with open(path, "w") as out:
        for name, all_of_it in families.items():
            out.write(f"# TYPE {name} gauge\n")
            for labels, value, begin, end in all_of_it:
                first = -(-int(begin) // SCRAPE) * SCRAPE
                out.writelines(f"{name}{{{labels}}} {value} {at}\n" for at in range(first, int(end) + 1, SCRAPE))
        out.write("# EOF\n")


class Prometheus:
    def __init__(self, folder, series):
        folder = pathlib.Path(folder)
        text, data = folder / "series.txt", folder / "data"
        openmetrics(series, text)
        data.mkdir()
        subprocess.run(["promtool", "tsdb", "create-blocks-from", "openmetrics", "--max-block-duration=192h", "--quiet", text, data],
                       check=True, stdout=subprocess.DEVNULL)
        text.unlink()
        config = folder / "prometheus.yml"
        config.write_text("global: {scrape_interval: 60s}\n")
        self.url = f"http://127.0.0.1:{free_port()}"
        self.log = open(folder / "prometheus.log", "w")
        self.process = subprocess.Popen(
            ["prometheus", f"--config.file={config}", f"--storage.tsdb.path={data}", "--storage.tsdb.retention.time=60d",
             f"--web.listen-address={self.url[7:]}"], stdout=self.log, stderr=self.log)
        for _ in range(600):
            try:
                urllib.request.urlopen(self.url + "/-/ready", timeout=5).close()
                return
            except OSError:
                if self.process.poll() is not None:
                    raise RuntimeError((folder / "prometheus.log").read_text()[-3000:])
                time.sleep(0.1)
        raise RuntimeError("Prometheus does not get ready")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        self.log.close()


class ApiServer:
    """Lists `objects` by plural; all else is not found."""

    def __init__(self, objects):
        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                url = urllib.parse.urlsplit(self.path)
                code, body = answer(objects, url.path, urllib.parse.parse_qs(url.query))
                if "as=PartialObjectMetadataList" in self.headers.get("Accept", "") and "items" in body:
                    body = {**body, "kind": "PartialObjectMetadataList", "apiVersion": "meta.k8s.io/v1"}
                content = json.dumps(body).encode()
                self.send_response(code)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def kubeconfig(self, path):
        path.write_text(json.dumps({
            "apiVersion": "v1", "kind": "Config", "current-context": "a",
            "clusters": [{"name": "a", "cluster": {"server": self.url}}], "users": [{"name": "a", "user": {}}],
            "contexts": [{"name": "a", "context": {"cluster": "a", "user": "a"}}]}))
        return path


def answer(objects, path, query):
    plural = path.rsplit("/", 1)[-1]
    if plural in objects or plural in EMPTY:
        items = objects.get(plural, [])
        for field in ",".join(query.get("fieldSelector", [])).split(","):
            if match := re.fullmatch(r"spec\.nodeName=(.*)", field):
                items = [each for each in items if each["spec"].get("nodeName", "") == match[1]]
            if match := re.fullmatch(r"status\.phase!=(.*)", field):
                items = [each for each in items if each["status"]["phase"] != match[1]]
        kind = {"nodes": "NodeList", "pods": "PodList"}.get(plural, EMPTY.get(plural))
        version = "v1" if path.startswith("/api/") else "/".join(path.split("/")[2:4])
        return 200, {"kind": kind, "apiVersion": version, "metadata": {"resourceVersion": "1"}, "items": items}
    return 404, {"kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": "NotFound", "code": 404,
                 "message": "the server could not find the requested resource"}


def ask(binary, config, *args):
    """The program's answer, what it said beside, and what it cost: seconds, and MiB at most."""
    begin = time.monotonic()
    process = subprocess.Popen([binary, *args, "--kubeconfig", str(config)], stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               env={"LC_ALL": "C.UTF-8", "HOME": "/nonexistent", "PATH": os.environ["PATH"]})
    errors = []
    reader = threading.Thread(target=lambda: errors.append(process.stderr.read()))
    reader.start()
    out = process.stdout.read()
    reader.join()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise RuntimeError(f"exit code {process.returncode}: {errors[0].decode()}")
    return out.decode(), errors[0].decode(), time.monotonic() - begin, usage.ru_maxrss / 1024
