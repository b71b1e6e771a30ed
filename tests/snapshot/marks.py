#!/usr/bin/env python3
"""A redacted snapshot holds nothing that the cluster's owner wrote.

Each text of each golden cluster, of the demo and of the exporters' texts is marked with something that could be
somebody's: a word, an address, a name that looks like a card's, a long number, a host. What is the same stays the
same, so that what referred to an object still does. Then the cluster is redacted, and no mark may be left.
Marks stand in place of a text, behind it and beside it; in values alone, and in keys that anybody may choose, too.
With TESTS=all each cluster is marked in every form, else in one.

Usage: marks.py ROOT BINARY [FILES...], where FILES is a folder of a cluster.
"""
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import zlib

ENVIRONMENT = {"LC_ALL": "C.UTF-8", "HOME": "/nonexistent", "PATH": os.environ["PATH"],
               "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "")}
MARKS = ["zqxword", "ZQX42AB", "10.77.66.35", "4155551234", "415555.1234567", "zqx.card.internal", "zqx-jane@zqx.io"]
LEFT = re.compile(r"zqx|10\.77|77\.66|66\.35|415555|1234567", re.IGNORECASE)
PLACES = {"instead": "{mark}", "joined": "{text}-{mark}", "beside": "{text} {mark}", "before": "{mark}/{text}"}
# Where a number or a time is expected, a number may stand.
TYPED = re.compile(r'"(?:startTime|lastTransitionTime|completionTime|parallelism|[a-z.]+/gpu|example\.com/resource-\d+)":"[\d.]+"')
FORMS = [(place, keys) for place in PLACES for keys in (False, True)]
# What is read as a number or a time says nothing of its writer, and the rest of the object hangs on it.
AMOUNT = re.compile(r"[-+]?[\d.]+(?:[eE]\d+|m|k|[KMGTPE]i?)?|\d{4}-\d\d-\d\dT[\d:.]+Z?|(?:\d+(?:ms|[dhms]))+|[-+]?(?:Inf|NaN)")
# Members whose keys are names that somebody chose.
FREE_KEYS = {"labels", "annotations", "matchLabels", "nodeSelector", "capacity", "allocatable", "limits", "requests",
             "hard", "used", "attributes", "flavors", "resourceUsage", "nodeLabels"}


class Marker:
    """Marks texts, the same text always in the same way."""

    def __init__(self, place, keys, seed):
        self.place, self.marks_keys, self.seed = PLACES[place], keys, seed

    def text(self, text):
        mark = MARKS[zlib.crc32(f"{self.seed} {text}".encode()) % len(MARKS)]
        return self.place.format(text=text, mark=mark)

    def value(self, value, key, parent):
        if isinstance(value, dict):
            free = self.marks_keys and key in FREE_KEYS
            return {self.text(name) if free else name: self.value(each, name, key) for name, each in value.items()}
        if isinstance(value, list):
            return [self.value(each, key, parent) for each in value]
        if not isinstance(value, str) or not value or parent != "labels" and AMOUNT.fullmatch(value):
            return value
        return self.text(value)

    def object(self, item):
        """Its own kind and group stay: else nothing of it would be read."""
        own = {name: item[name] for name in ("apiVersion", "kind") if name in item}
        if item.get("kind") == "Scrape":
            own["source"] = item.get("source")
            own["series"] = [{**series, "labels": self.value(series.get("labels", {}), "labels", "")}
                             for series in item.get("series", [])]
        marked = {**self.value({name: each for name, each in item.items() if name not in own}, "", ""), **own}
        if isinstance(item.get("items"), list):
            marked["items"] = [self.object(each) for each in item["items"] if isinstance(each, dict)]
        for name in ("redacted", "takenAt", "sight", "serverVersion"):
            if name in item and own.get("kind") == "Snapshot":
                marked[name] = item[name]
        return marked

    def metrics(self, text):
        return re.sub(r'="((?:[^"\\\n]|\\.)+)"', lambda found: f'="{self.text(found[1])}"', text)


def write(source, marker, folder):
    """A marked copy of the files; False where none of them can be read."""
    count = 0
    for path in sorted(source.iterdir()):
        if path.suffix == ".prom":
            (folder / path.name).write_text(marker.metrics(path.read_text(errors="replace")))
        elif path.suffix == ".json":
            try:
                document = json.loads(path.read_text())
            except ValueError:
                continue
            if isinstance(document, dict):
                (folder / path.name).write_text(json.dumps(marker.object(document)))
                count += 1
        elif path.name == "now":
            (folder / path.name).write_bytes(path.read_bytes())
    return count > 0


def check(binary, source, form):
    """What is left of the marks: a line for each, the text around it."""
    place, keys = form
    marker = Marker(place, keys, source.as_posix())
    with tempfile.TemporaryDirectory() as folder:
        if not write(source, marker, pathlib.Path(folder)):
            return None
        done = subprocess.run([binary, "snapshot", "--redact", "--from", folder, "-"], env=ENVIRONMENT,
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=120)
    if done.returncode != 0:
        return None
    text = TYPED.sub('""', done.stdout.decode())
    return [f"{source} ({place}{', keys' if keys else ''}): ...{text[max(0, at.start() - 90):at.end() + 30]}..."
            for at in LEFT.finditer(text)]


def sources():
    yield pathlib.Path("examples/demo-cluster")
    for path in sorted(pathlib.Path("tests/golden").rglob("cluster")):
        if path.is_dir():
            yield path


def main():
    binary = str(pathlib.Path(sys.argv[2]).resolve())
    os.chdir(sys.argv[1])
    wanted = [pathlib.Path(name) for name in sys.argv[3:]]
    every = os.environ.get("TESTS") == "all" or wanted
    runs = [(source, form) for number, source in enumerate(wanted or sources())
            for form in (FORMS if every else [FORMS[number % len(FORMS)]])]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = [one for one in pool.map(lambda run: check(binary, *run), runs) if one is not None]
    problems = [problem for one in found for problem in one]
    for problem in problems[:60]:
        print(problem)
    print(f"{len(found)} of {len(runs)} marked clusters redacted, {len(problems)} marks left")
    # Most can still be read when marked; a test of none of them would prove nothing.
    return 1 if problems or len(found) * 2 < len(runs) else 0


if __name__ == "__main__":
    sys.exit(main())
