#!/usr/bin/env python3
"""`cost --since 7d` beside a real Prometheus that holds a made-up week of kube-state-metrics: equals the truth that the
week was made from, within one scrape. Once as it should be, once with all that goes wrong: two instances at once,
restarts, labels that were moved to exported_*, hours without a scrape.

Usage: check.py BINARY [--pods N]
"""
import argparse
import json
import pathlib
import sys
import tempfile
import time

import stand
import week

GAP_HOURS = 2


def moved(labels):
    """As scraped without honorLabels: kube-state-metrics' own pod and namespace win."""
    own = {"namespace": "monitoring", "pod": "kube-state-metrics-0", "container": "kube-state-metrics", "node": "cpu-0"}
    return {**{f"exported_{key}" if key in own else key: value for key, value in labels.items() if value}, **own}


def troubled(series, made):
    """Each series from two instances, one after the other with an hour in common; nothing for two hours."""
    half = (made.start + made.now) // 2
    gap = made.start + 2 * week.DAY + 1800
    spans = [("10.0.0.1:8080", 0, gap), ("10.0.0.1:8080", gap + GAP_HOURS * 3600, half + 3600),
             ("10.0.0.2:8080", half, made.now + 3600)]
    for name, labels, value, begin, end in series:
        for number, (instance, first, last) in enumerate(spans):
            if max(begin, first) < min(end, last):
                told = moved({**labels, "instance": instance})
                yield name, {**told, "pod": f"kube-state-metrics-{number}"}, value, max(begin, first), min(end, last)


def in_gap(made, pod):
    gap = made.start + 2 * week.DAY + 1800
    return not pod.completed and gap - week.SCRAPE <= (pod.removed or 0) <= gap + GAP_HOURS * 3600 + week.SCRAPE


def rows_of(binary, config, prometheus, view):
    out, errors, *_ = stand.ask(binary, config, "cost", *view, "--since=7d", "--prometheus-url", prometheus.url,
                                "-o", "json")
    return json.loads(out), errors


def compare(made, answer, allowed):
    problems = []
    told = {(row["namespace"], row["owner"]["kind"], row["owner"]["name"]): row for row in answer["items"]}
    truth = made.truth()
    for key in sorted(set(told) | set(truth)):
        row, want = told.get(key), truth.get(key)
        if want is None and row["heldSeconds"] <= 3 * week.SCRAPE:
            continue  # over when the window began
        if row is None or want is None:
            problems.append(f"{key}: {'not told' if row is None else 'made up'} {want or row}")
            continue
        slack = want["slack"] + allowed.get(key, 0)
        rate = 8 * 55.04 / 8 / 3600
        if abs(row["heldSeconds"] - want["seconds"]) > slack:
            problems.append(f"{key}: held {row['heldSeconds']} s, truth {want['seconds']} s, within {slack} s")
        if abs((row["usdTotal"] or 0) - want["usd"]) > slack * rate + 0.001:
            problems.append(f"{key}: {row['usdTotal']} $, truth {want['usd']:.4f} $")
        if key in allowed and row["evidence"] != "lowerBound":
            problems.append(f"{key}: evidence {row['evidence']}, and pods of it ended unseen")
        if row["pods"] + row["finishedPods"] != want["pods"]:
            problems.append(f"{key}: {row['pods']} + {row['finishedPods']} pods, truth {want['pods']}")
    return problems, len(truth)


def check(binary, folder, name, made, series, allowed=None):
    folder = pathlib.Path(folder, name)
    folder.mkdir()
    server = stand.ApiServer(made.objects())
    with stand.Prometheus(folder, series) as prometheus:
        config = server.kubeconfig(folder / "config")
        answer, errors = rows_of(binary, config, prometheus, ["--by", "owner"])
        problems, owners = compare(made, answer, allowed or {})
        total = sum(row["usdTotal"] or 0 for row in answer["items"])
        spaces, _ = rows_of(binary, config, prometheus, ["namespaces"])
        by_namespace = sum(row["usdTotal"] or 0 for row in spaces["items"])
        if abs(total - by_namespace) > 1:
            problems.append(f"namespaces come to {by_namespace}, owners to {total}")
    truth = sum(each["usd"] for each in made.truth().values())
    print(f"{name}: {len(made.pods)} pods, {len(made.objects()['pods'])} listed, {owners} owners; "
          f"{total:.2f} $, truth {truth:.2f} $")
    for problem in problems[:20]:
        print("  " + problem)
    if problems:
        print(errors)
    return not problems


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--pods", type=int, default=120)
    args = parser.parse_args()
    now = int(time.time()) // week.SCRAPE * week.SCRAPE
    made = week.Week(now, args.pods)
    allowed = {}
    for pod in made.pods:
        if in_gap(made, pod):
            key = (pod.ns, *pod.top)
            allowed[key] = allowed.get(key, 0) + GAP_HOURS * 3600
    with tempfile.TemporaryDirectory() as folder:
        good = check(args.binary, folder, "plain", made, made.series())
        good = check(args.binary, folder, "troubled", made, troubled(made.series(), made), allowed) and good
    sys.exit(0 if good else 1)


main()
