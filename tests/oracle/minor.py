#!/usr/bin/env python3
"""Builds tests/controlplane/cmd/oracle with kube-scheduler of another minor.

Usage: minor.py MINOR FOLDER
MINOR is 30 to 35. FOLDER gets a Go module and the program `oracle`; the first build of a minor takes
minutes, and about 1 GB of Go's caches. Needs go 1.26 and a module proxy.
"""

import argparse
import json
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1] / "controlplane"
MINORS = pathlib.Path(__file__).resolve().parent / "minors"
# The newest patch of each whose modules the proxy had when the recordings were made.
PATCHES = {30: 14, 31: 13, 32: 13, 33: 13, 34: 4, 35: 4}
SHARED = (
    "cmd/oracle/main.go", "internal/oracle/case.go", "internal/oracle/trim.go",
    "internal/scheduler/scheduler.go", "internal/scheduler/cycle.go",
    "internal/stored/stored.go", "internal/stored/strategies.go",
    "internal/generate/clusters.go", "internal/generate/random.go", "internal/generate/waiting*.go",
)  # fmt: skip


def run(*words, **options):
    return subprocess.run(words, check=True, encoding="utf-8", **options)


def own_file(prefix, minor):
    """The file of the newest minor that is not newer; none for a minor before the first."""
    known = {int(re.search(r"\d+", path.name)[0]): path for path in MINORS.glob(f"{prefix}_*.go")}
    fitting = [number for number in known if number <= minor]
    return known[max(fitting)] if fitting else None


def copy_sources(minor, folder):
    for pattern in SHARED:
        for source in ROOT.glob(pattern):
            target = folder / source.relative_to(ROOT)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, target)
    version = f'\n// Version is that of the scheduler in this module.\nconst Version = "v1.{minor}.{PATCHES[minor]}"\n'
    (folder / "internal/scheduler/version.go").write_text(own_file("scheduler", minor).read_text() + version)
    if claims := own_file("claims", minor):
        shutil.copy(claims, folder / "internal/stored/claims.go")


def write_module(minor, folder):
    """A go.mod with the libraries that Kubernetes itself is built with."""
    version = f"v1.{minor}.{PATCHES[minor]}"
    (folder / "go.mod").write_text("module kubectl-gpu/tests/controlplane\n\ngo 1.26.0\n")
    found = run("go", "mod", "download", "-json", f"k8s.io/kubernetes@{version}", cwd=folder, stdout=subprocess.PIPE)
    module = run("go", "mod", "edit", "-json", json.loads(found.stdout)["GoMod"], stdout=subprocess.PIPE)
    staged = [replace["Old"]["Path"] for replace in json.loads(module.stdout)["Replace"] if replace["New"]["Path"].startswith("./")]
    library = f"v0.{minor}.{PATCHES[minor]}"
    edits = [f"-replace={name}={name}@{library}" for name in staged]
    run("go", "mod", "edit", f"-require=k8s.io/kubernetes@{version}", *edits, cwd=folder)
    run("go", "mod", "tidy", cwd=folder)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("minor", type=int, choices=sorted(PATCHES))
    parser.add_argument("folder", type=pathlib.Path)
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    copy_sources(arguments.minor, arguments.folder)
    write_module(arguments.minor, arguments.folder)
    run("go", "build", "-p", "1", "-o", "oracle", "./cmd/oracle", cwd=arguments.folder)


if __name__ == "__main__":
    sys.exit(main())
