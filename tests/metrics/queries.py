#!/usr/bin/env python3
"""What the program asks Prometheus, answered by Prometheus' own engine (promtool test rules).

Made-up series of 100 minutes; each query must give exactly what is said here.
Usage: queries.py METRICS_QUERIES
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

NOW = "100m"
UTIL, ENGINE, USED = "DCGM_FI_DEV_GPU_UTIL", "DCGM_FI_PROF_GR_ENGINE_ACTIVE", "DCGM_FI_DEV_FB_USED"
A, B, C, D, E, F = (f'UUID="GPU-{letter}",gpu="{number}",instance="i"' for number, letter in enumerate("abcdef"))
SLICE_3, SLICE_4 = 'GPU_I_ID="3",UUID="GPU-g",instance="i"', 'GPU_I_ID="4",UUID="GPU-g",instance="i"'
AMD, INTEL = 'gpu_id="0",gpu_uuid="x",instance="j"', 'pci_bdf="p",instance="k"'
TPU, LOWER = 'accelerator_id="t",instance="l",make="cloud-tpu"', 'UUID="GPU-h",instance="m"'

# What stays as it is.
STEADY = {
    f"{UTIL}{{{B}}}": "0+0x100",
    f"{UTIL}{{{E}}}": "10+0x50 4294967295 10+0x60",  # one value that no card can have
    # Under one owner after the other: that is one card, and one average.
    f'{UTIL}{{{F},pod="p1"}}': "40+0x69 stale",
    f'{UTIL}{{{F},pod="p2"}}': "_x70 40+0x60",
    f"{ENGINE}{{{SLICE_3}}}": "0.5+0x100",
    f"{ENGINE}{{{SLICE_4}}}": "0.01+0x100",
    f"amd_gpu_gfx_activity{{{AMD}}}": "7+0x100",
    f'hw_gpu_utilization_ratio{{{INTEL},hw_gpu_task="a"}}': "0.1+0x100",
    f'hw_gpu_utilization_ratio{{{INTEL},hw_gpu_task="b"}}': "0.6+0x100",
    f"duty_cycle{{{TPU}}}": "33+0x100",
    f"dcgm_fi_dev_gpu_util{{{LOWER}}}": "3+0x100",
    # Names of others.
    'duty_cycle{fan="t",instance="l"}': "33+0x100",
    'memory_used{db="t",instance="l"}': "33+0x100",
    'hw_gpu_utilization_ratio{hw_id="gpu0",instance="k"}': "0.1+0x100",
    'node_memory_MemFree_bytes{instance="m"}': "3+0x100",
}
STEADY_UTIL = {(UTIL, B): 0, (UTIL, E): 10, (UTIL, F): 40, ("amd_gpu_gfx_activity", AMD): 7, ("duty_cycle", TPU): 33,
               ("dcgm_fi_dev_gpu_util", LOWER): 3}
STEADY_ENGINE = {(ENGINE, SLICE_3): 0.5, (ENGINE, SLICE_4): 0.01, ("hw_gpu_utilization_ratio", INTEL): 0.6}
# By what a query is for: its ending, and a name in it.
STEADY_WINDOW = {
    (":avg", UTIL): STEADY_UTIL,
    (":max", UTIL): STEADY_UTIL,
    (":idle_seconds", UTIL): {key: 3600 if value < 5 else 0 for key, value in STEADY_UTIL.items()},
    (":avg", ENGINE): STEADY_ENGINE,
    (":max", ENGINE): STEADY_ENGINE,
    (":idle_seconds", ENGINE): {key: 3600 if value < 0.05 else 0 for key, value in STEADY_ENGINE.items()},
    (":max", USED): {},
}
# By a name in the query for now: how many series there are for it.
STEADY_NOW = {UTIL: 6, "hw_gpu_utilization_ratio": 2, "duty_cycle": 1, ".*gpu_gfx_activity": 1}

# What changes. The mean of it depends on how an engine counts the ends of a window, and is not asked for.
CHANGING = {
    # The owner changed after 69 minutes; the card has been idle since then: one step less is proven.
    f'{UTIL}{{{A},pod="p1"}}': "80+0x69 stale",
    f'{UTIL}{{{A},pod="p2"}}': "_x70 2+0x60",
    f"{UTIL}{{{C}}}": "0+0x30 stale _x39 0+0x40",  # not seen for 40 minutes: nobody knows what it did
    f"{UTIL}{{{D}}}": "0+0x99 50+0x2",
    f"{USED}{{{B}}}": "100+1x100",
}
CHANGING_WINDOW = {
    (":max", UTIL): {(UTIL, A): 80, (UTIL, C): 0, (UTIL, D): 50},
    (":idle_seconds", UTIL): {(UTIL, A): 30 * 60, (UTIL, D): 0},
    (":avg", ENGINE): {},
    (":max", ENGINE): {},
    (":idle_seconds", ENGINE): {},
    (":max", USED): {(USED, B): 200},
}


def kind_of(query):
    """Its ending, and a name in it that only queries of its sort have."""
    names = [name for name in (UTIL, ENGINE, USED) if f"(?i:{name})" in query]
    if len(names) != 1:
        sys.exit(f"no known sort of query: {query}")
    return re.search(r'"__name__","\$1(:\w+)"', query)[1], names[0]


def window_checks(queries, wanted):
    checks, missing = [], set(wanted)
    for query in queries:
        kind = kind_of(query)
        missing.discard(kind)
        if kind in wanted:
            # The answer keeps the metric's name in a label of its own.
            checks.append((query, [(f'{{__name__="{metric}{kind[0]}",gpu_metric="{metric}",{labels}}}', value)
                                   for (metric, labels), value in wanted[kind].items()]))
    if missing:
        sys.exit(f"no query is for {missing}")
    return checks


def now_checks(queries, wanted):
    def count(query):
        return sum(number for name, number in wanted.items() if re.search(rf'["|:]{re.escape(name)}[")|]', query))
    return [(f"count({query}) or vector(0)", [("{}", count(query))]) for query in queries]


def group(series, checks):
    return {"interval": "1m", "input_series": [{"series": s, "values": v} for s, v in series.items()],
            "promql_expr_test": [{"expr": query, "eval_time": NOW,
                                  "exp_samples": [{"labels": labels, "value": value} for labels, value in samples]}
                                 for query, samples in checks]}


def main():
    queries = json.loads(subprocess.check_output([sys.argv[1], "3600"]))
    age = [(queries["age"], [(f"{{{labels}}}", 6000) for labels in
                             (A + ',pod="p2"', B, C, D)])]
    groups = [group(STEADY, now_checks(queries["instant"], STEADY_NOW) + window_checks(queries["window"], STEADY_WINDOW)),
              group(CHANGING, window_checks(queries["window"], CHANGING_WINDOW) + age)]
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "queries.yml")
        file.write_text(json.dumps({"evaluation_interval": "1m", "tests": groups}))
        done = subprocess.run(["promtool", "test", "rules", str(file)], timeout=120)
    checks = sum(len(each["promql_expr_test"]) for each in groups)
    print(f"{checks} queries" if done.returncode == 0 else "promtool found differences")
    sys.exit(done.returncode)


main()
