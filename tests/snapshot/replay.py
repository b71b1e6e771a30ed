#!/usr/bin/env python3
"""Snapshots answer as what they were made of, redacted or not.

For each set of files: a snapshot of it gives byte by byte the answers that it gives itself, in every
view and the forms that tell most; with TESTS=all in every form, which takes minutes with sanitizers.
A redacted one gives the same once its pseudonyms are put back, names nothing that the first one names,
and stays as it is when it is redacted again. Live use is part of all this: texts of every exporter in
tests/cases/metrics are read as such, and as what Prometheus would have told of them. Without FILES,
why-pending is asked, too: see redacted_answers.py.

Usage: replay.py ROOT BINARY [FILES...]. Without FILES: the demo cluster, those of all golden cases, and
the exporters' texts. FILES may be `exporters` and `prometheus`, which are these texts.
"""
import concurrent.futures
import gzip
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import jsonschema

import redacted_answers

VIEWS = ["nodes", "gpus", "pods", "namespaces", "models"]
FORMS = [[], ["-o", "wide"], ["-o", "json"], ["-o", "yaml"], ["-o", "csv"], ["-o", "name"],
         ["-o", "json", "--metrics", "none"], ["-o", "json", "--metrics", "exporter"],
         ["--terminal=100x40"], ["--terminal=80x24", "--color=always"], ["--ascii", "--terminal=200x40"]]
if os.environ.get("TESTS") != "all":
    FORMS = [["-o", "json"], ["--ascii", "--terminal=200x40"]]
ENVIRONMENT = {"LC_ALL": "C.UTF-8", "HOME": "/nonexistent", "PATH": os.environ["PATH"],
               "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "")}
POOL = concurrent.futures.ThreadPoolExecutor(os.cpu_count())
# Members whose texts are names of somebody's: none may be left in a redacted file.
NAMES = re.compile(r'"(?:name|namespace|uid|nodeName|image|providerID|kubernetes.io/hostname|'
                   r'topology.kubernetes.io/[a-z]+|node|pool|podIP|hostIP|exporter|'
                   r'(?:exported_|kube_|pod_?|kubernetes_)?(?:pod|namespace|container|name)|podname|ctrname|'
                   r'[Hh]ostname|(?:gpu_?|device_?)?(?:UUID|uuid)|nodeid|instance|serial_number)":"([^"]{4,})"')
COMMON = re.compile(r"gpu-\d+|main|none|kube-system|kube-scheduler|default|(?:gpu|mig)\.[a-z.]+|memory|(?:nvidia-)?dcgm-exporter|"
                    r"exporter|gpu-operator|nvidia-gpu-operator|volcano-system|prometheus|monitoring|metrics|NVIDIA [A-Z0-9 ]+|"
                    r"nvidia-(?:driver|device-plugin)-daemonset|nvidia-device-plugin|nvidia-gpu-device-plugin|[a-z.-]+\.nvidia\.com|"
                    r"kube-proxy|node-feature-discovery(?:-worker)?|gpu-feature-discovery(?:-ctr)?|nvidia-mig-manager|"
                    r"nvidia-device-plugin-(?:ctr|ds|mps-control-daemon|gpu-feature-discovery)|"
                    r"nvidia-container-toolkit-daemonset|(?:amdgpu|hami)-device-plugin[a-z-]*|"
                    r"(?:k8s-)?dra-driver-nvidia-gpu(?:-kubelet-plugin)?|nvidia-dra-driver-gpu(?:-kubelet-plugin)?|compute-domains|kube-amd-gpu|"
                    r"(?:habanalabs|neuron)-device-plugin-daemonset|amd-gpu-device-plugin-daemonset|inteldeviceplugins-system|habana-(?:system|ai-operator)|"
                    r"intel-gpu-plugin|vgpu-monitor|kai-scheduler|kai-resource-reservation|runai-reservation|"
                    # Devices of ComputeDomains and example drivers; pods that are named as pseudonyms are.
                    r"channel(?:-\d+)?|daemon-\d+|whole|pod-\d{4}|"
                    r".*\.x-k8s\.io/.*|claim:.*|nvidia\.com/.*|(?:amd|google|aws\.amazon|aliyun|habana)\..*")


def run(binary, *args):
    done = subprocess.run([binary, *args], env=ENVIRONMENT, stdin=subprocess.DEVNULL, capture_output=True,
                          timeout=120)
    return done.stdout, done.stderr.decode(), done.returncode


def leaves(value, path=()):
    """Every text and number of a JSON value, and where it stands."""
    if isinstance(value, dict):
        for key, each in value.items():
            yield from leaves(each, path + (key,))
    elif isinstance(value, list):
        for number, each in enumerate(value):
            yield from leaves(each, path + (number,))
    else:
        yield path, value


class Judge:
    def __init__(self, binary):
        self.binary, self.problems, self.checked = binary, [], 0
        self.schema = json.loads(pathlib.Path("docs/schema/Snapshot.json").read_text())

    def expect(self, holds, text):
        self.checked += 1
        if not holds:
            self.problems.append(text)

    def views(self, source):
        """The views that this program has."""
        return [view for view in VIEWS if run(self.binary, "top", view, "--from", source)[2] == 0]

    def judge(self, source, folder):
        plain, packed = str(folder / "plain.json"), str(folder / "packed.json.gz")
        for path in (plain, packed):
            _, talk, code = run(self.binary, "snapshot", "--from", source, path)
            self.expect(code == 0 and "names are real" in talk, f"snapshot of {source}: {talk}")
        self.expect(gzip.open(packed).read() == pathlib.Path(plain).read_bytes(), f"{source}: .gz differs")
        views = self.views(source)
        self.expect(views, f"{source}: no view answers")
        asked = [("top", view, *form, "--from") for view in views for form in FORMS]
        wants, *haves = [list(POOL.map(lambda words: run(self.binary, *words, path), asked))
                         for path in (source, plain, packed)]
        for path, answers in zip((plain, packed), haves):
            for words, want, have in zip(asked, wants, answers):
                self.expect(have[0] == want[0] and have[2] == want[2],
                            f"{source}: {' '.join(words)} differs from {path}")
        self.judge_redacted(source, plain, views, folder)

    def judge_redacted(self, source, plain, views, folder):
        hidden, again = str(folder / "hidden.json"), str(folder / "again.json")
        run(self.binary, "snapshot", "--redact", "--from", source, hidden)
        run(self.binary, "snapshot", "--redact", "--from", hidden, again)
        text = pathlib.Path(hidden).read_text()
        self.expect(text == pathlib.Path(again).read_text(), f"{source}: redacted twice differs from once")
        self.expect('"redacted":true' in text, f"{source}: does not say that it is redacted")
        for path in (plain, hidden):
            for error in jsonschema.Draft7Validator(self.schema).iter_errors(json.loads(pathlib.Path(path).read_text())):
                self.expect(False, f"{source}: schema: {'/'.join(map(str, error.path))}: {error.message}")
        kept = {value for _, value in leaves(json.loads(text))}
        # Events have a field of that name, too.
        lists = [item["series"] for item in json.loads(text)["items"] if isinstance(item.get("series"), list)]
        metrics = {series["name"] for series_list in lists for series in series_list}
        for name in set(NAMES.findall(pathlib.Path(plain).read_text())) - metrics:
            if not COMMON.fullmatch(name):
                self.expect(name not in kept, f"{source}: {name} is in the redacted file")
        for view in views:
            want = json.loads(run(self.binary, "top", view, "-o", "json", "--from", source)[0])
            have = json.loads(run(self.binary, "top", view, "-o", "json", "--from", hidden)[0])
            self.compare(f"{source}: top {view}, redacted", want["items"], have["items"])
            self.expect(want["summary"] == have["summary"], f"{source}: totals of top {view} differ")

    def compare(self, what, want, have):
        """The same rows in the same order, but for names: each has one pseudonym, and the reverse."""
        forward, backward = {}, {}
        want, have = list(leaves(want)), list(leaves(have))
        self.expect([path for path, _ in want] == [path for path, _ in have], f"{what}: other rows or keys")
        for (path, real), (_, shown) in zip(want, have):
            if real == shown:
                continue
            where = f"{what}: {'/'.join(map(str, path))}"
            is_name = isinstance(real, str) and isinstance(shown, str)
            self.expect(is_name and re.search(r"-\d+", shown), f"{where}: {real} became {shown}")
            key = tuple(part for part in path if isinstance(part, str))
            self.expect(forward.setdefault((key, real), shown) == shown, f"{where}: {real} has two pseudonyms")
            self.expect(backward.setdefault((key, shown), real) == real, f"{where}: {shown} stands for two")


LINE = re.compile(r"(\w+)(?:\{(.*)\})?\s+(\S+)")
LABEL = re.compile(r'([\w.]+)="((?:[^"\\]|\\.)*)"')


def series_of(text):
    """Enough of the text format for the texts of the cases; what is odd in them is left out."""
    for line in text.splitlines():
        found = LINE.match(line.strip())
        if found and not line.startswith("#"):
            yield found[1], {key: value for key, value in LABEL.findall(found[2] or "") if value}, found[3]


def pods_in(series, node):
    """The pods that labels name, each with a GPU of `node`."""
    owners = set()
    for _, labels, _ in series:
        pod = next((labels[key] for key in ("exported_pod", "pod", "pod_name", "podname") if key in labels), None)
        ns = next((labels[key] for key in ("exported_namespace", "namespace", "pod_namespace", "podnamespace")
                   if key in labels), None)
        if pod and ns:
            owners.add((ns, pod))
    for ns, pod in sorted(owners):
        yield {"apiVersion": "v1", "kind": "Pod", "metadata": {"namespace": ns, "name": pod}, "status": {"phase": "Running"},
               "spec": {"nodeName": node, "containers": [{"name": "main", "resources": {"requests": {"nvidia.com/gpu": "1"}}}]}}


def write_cluster(root, kind, folder):
    """A node for each text of tests/cases/metrics, and the texts: of its exporter, or through Prometheus."""
    items, scrapes = [], []
    for path in sorted((root / "tests/cases/metrics").glob("*.prom")):
        node, text = f"host-of-{path.stem}", path.read_bytes()
        series = list(series_of(text.decode(errors="replace")))
        devices = {"nvidia.com/gpu": "8"}
        items.append({"apiVersion": "v1", "kind": "Node", "metadata": {"name": node},
                      "status": {"capacity": devices, "allocatable": devices}})
        items += pods_in(series, node)
        if kind == "exporters":
            (folder / f"{node}.prom").write_bytes(text)
        scrapes.append({"apiVersion": "kubectl-gpu/v1", "kind": "Scrape", "metadata": {"name": "prometheus"},
                        "source": "prometheus", "readAt": "2026-11-01T12:00:00Z", "series": [
                            {"name": name, "value": value if value in ("NaN", "+Inf", "-Inf") else float(value),
                             "labels": {"job": "gpus", "instance": "10.1.2.3:9400", **labels, "node": node}}
                            for name, labels, value in series]})
    items.append({"apiVersion": "v1", "kind": "Pod", "metadata": {"namespace": "kube-system", "name": "dns"}})
    if kind == "exporters":
        (folder / "now").write_text("2026-11-01T12:00:00Z\n")
        (folder / "cluster.json").write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": items}))
        return
    (folder / "cluster.json").write_text(json.dumps({
        "apiVersion": "kubectl-gpu/v1", "kind": "Snapshot", "redacted": False, "items": items + scrapes,
        "takenAt": "2026-11-01T12:00:00Z", "serverVersion": None, "gaps": [], "sight": {
            kind: "whole" for kind in ("nodes", "pods", "slices", "claims", "use")}}))


def sources(root):
    yield "exporters"
    yield "prometheus"
    yield "examples/demo-cluster"
    for args in sorted((root / "tests/golden").rglob("cluster")):
        if any(args.glob("*.json")):
            yield str(args.relative_to(root))


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    binary = str(pathlib.Path(sys.argv[2]).resolve())
    os.chdir(root)
    judge = Judge(binary)
    count = 0
    wanted = sys.argv[3:]
    for source in wanted or sources(root):
        if source in ("exporters", "prometheus"):
            with tempfile.TemporaryDirectory() as cluster, tempfile.TemporaryDirectory() as folder:
                write_cluster(root, source, pathlib.Path(cluster))
                judge.judge(cluster, pathlib.Path(folder))
            count += 1
            continue
        if run(judge.binary, "top", "--from", source)[2] != 0:
            continue  # cases of files that cannot be read
        count += 1
        with tempfile.TemporaryDirectory() as folder:
            judge.judge(source, pathlib.Path(folder))
    if not wanted:
        compared, problems = redacted_answers.compare(binary, [])
        judge.checked += compared
        judge.problems += problems
    for problem in judge.problems:
        print(problem)
    print(f"{count} sets of files, {judge.checked} checks, {len(judge.problems)} problems")
    return 1 if judge.problems or count < (len(wanted) or 5) else 0


sys.exit(main())
