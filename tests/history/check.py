#!/usr/bin/env python3
"""`cost --since 7d` beside a real Prometheus that holds a made-up week of kube-state-metrics: equals the truth that the
week was made from, within one scrape. Once as it should be, once with all that goes wrong: two instances at once,
restarts, labels that were moved to exported_*, hours without a scrape. Then a Prometheus that keeps three days, which is
to say so, and a cluster that had no pods before that, which is not.

Usage: check.py BINARY [--pods N]
"""
import argparse
import json
import pathlib
import re
import sys
import tempfile
import time

import stand
import week

GAP_HOURS = 2
KEPT_DAYS = 3
DATA_SINCE = r"Prometheus has data since \d{4}-\d\d-\d\d only \((3|2\.9) of 7 days\)"


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


def says_since(answer):
    return [gap["what"] for gap in answer["gaps"] if "Prometheus has data since" in gap["what"]]


def kept(series, made):
    """What a Prometheus has whose retention is shorter than the week."""
    cut = made.now - KEPT_DAYS * week.DAY
    return [(name, labels, value, max(begin, cut), end) for name, labels, value, begin, end in series if end > cut]


def check_short(binary, folder, made):
    """Of what was before its data it knows nothing, so that no sum is more than a lower bound."""
    folder = pathlib.Path(folder, "short")
    folder.mkdir()
    server = stand.ApiServer(made.objects())
    problems = []
    with stand.Prometheus(folder, kept(made.series(), made)) as prometheus:
        config = server.kubeconfig(folder / "config")
        for view in ["--by", "owner"], ["namespaces"], ["pods"]:
            answer, _ = rows_of(binary, config, prometheus, view)
            if not (said := says_since(answer)) or not re.fullmatch(DATA_SINCE, said[0]):
                problems.append(f"{view}: it says {said}")
            for row in answer["items"] if view != ["pods"] else []:
                is_of_pods = view == ["namespaces"] or row["owner"]["kind"] != "Pod"
                # What is still listed of a Job, and all that it has counted, is exact.
                if is_of_pods and row["evidence"] == "history" or view == ["namespaces"] and row["evidence"] == "exact":
                    problems.append(f"{view}: {row['evidence']} of {row['namespace']} {row['name']}")
            total, truth = (sum(each or 0 for each in of) for of in
                            ([row["usdTotal"] for row in answer["items"]], [e["usd"] for e in made.truth().values()]))
            if not 0 < total < truth:
                problems.append(f"{view}: {total} $, and the truth is {truth} $")
    print(f"short: {len(problems)} problems")
    for problem in problems:
        print("  " + problem)
    return not problems


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
        listed = {(pod["metadata"]["namespace"], pod["metadata"]["name"]) for pod in made.objects()["pods"]}
        for row in rows_of(binary, config, prometheus, ["pods"])[0]["items"]:
            rates = [row[key] for key in ("usdPerHour", "busyUsdPerHour", "idleUsdPerHour", "unknownUsdPerHour")]
            if (row["namespace"], row["name"]) not in listed and any(rate is not None for rate in rates):
                problems.append(f"{row['name']} is gone, and has a rate: {rates}")
        if said := says_since(answer):
            problems.append(said[0])
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
        good = check_short(args.binary, folder, made) and good
        late = week.Week(now, args.pods)
        late.pods = [pod for pod in late.pods if pod.created > now - KEPT_DAYS * week.DAY]
        good = check(args.binary, folder, "late", late, late.series()) and good
    sys.exit(0 if good else 1)


main()
