"""Random texts in Prometheus' two formats, valid ones with the samples they hold, and mutated ones."""
import math

NAMES = ["DCGM_FI_DEV_GPU_UTIL", "DCGM_FI_DEV_FB_USED", "gpu_used_vram", "hw_gpu_utilization_ratio",
         "up", "_x", "job:up:sum", "a1", "HostGPUMemoryUsage", ":a"]
LABELS = ["gpu", "UUID", "pod", "namespace", "container", "Hostname", "_a", "a1", "vdeviceid", "__meta"]
PIECES = ["GPU-a0000000", "team-a", "1g.10gb", " ", "\t", "{", "}", ",", "=", "#", "\\", '"', "\n", "'",
          "é", "☃", "😀", "\x01", "\x7f", "a=\"b\"", "} 5", "# EOF", "\u2028", "0"]
VALUES = ["0", "97", "-1.5", "+3", "0.000000", "302.206000", ".5", "5.", "1e3", "1E-2", "5.32523487232e+011",
          "9223372036854775794", "140737488355328.0", "NaN", "nan", "Nan", "+Inf", "-Inf", "inf", "Infinity",
          "-infinity", "0.1", "1e308", "4.9e-324", "1e-400", "123456789012345678901234567890"]
HELPS = ["\\\\", "\\n", "{", "\"", "#", "☃", "\t"]
BLANKS = ["", "", "", " ", "\t", "  ", " \t "]
MUTANTS = list("{}\",=\\ \t#\n\r\0:_.-+eE0123456789aAnN") + [b"\xff", b"\xc3", b"\xe2\x98", "# EOF\n", "# TYPE x gauge\n"]


class Sample:
    """One sample as every reader must see it; an empty label value is no label."""

    def __init__(self, name, labels, value, at):
        self.name = name
        self.labels = {key: text for key, text in labels.items() if text}
        self.value = float(value)
        self.at = at  # seconds since 1970, cut down, or None

    def key(self):
        value = "NaN" if math.isnan(self.value) else self.value
        return (self.name, tuple(sorted(self.labels.items())), value, self.at)


def escaped(text):
    return text.replace("\\", "\\\\").replace("\n", "\\n").replace('"', '\\"')


def some_labels(random, names=LABELS):
    chosen = random.sample(names, random.choice([0, 0, 1, 2, 3, 5]))
    return {name: "".join(random.choices(PIECES, k=random.choice([0, 1, 1, 2, 4]))) for name in chosen}


def classic_line(random, name):
    """A line that expfmt takes, and its sample."""
    blank = lambda: random.choice(BLANKS)
    labels = some_labels(random)
    value = random.choice(VALUES)
    milliseconds = random.choice([None, None, None, 0, 1, 1613993498553, -1500, 253402300799000])
    text = blank() + name + blank()
    if labels or random.random() < 0.2:
        parts = [f'{blank()}{key}{blank()}={blank()}"{escaped(value_)}"{blank()}' for key, value_ in labels.items()]
        comma = random.choice(["", "", "," + blank()]) if parts else ""
        # A blank behind the brace: Python's reader drops one character there.
        text += "{" + ",".join(parts) + comma + "}"
    text += random.choice([" ", "\t", "  "]) + value
    if milliseconds is not None:
        text += random.choice([" ", "\t"]) + str(milliseconds)
    return text, Sample(name, labels, value, None if milliseconds is None else milliseconds // 1000)


def classic(random):
    """A valid text of format 0.0.4, and its samples."""
    lines, samples = [], []
    for name in random.sample(NAMES, random.randint(1, 4)):
        if random.random() < 0.7:
            lines.append(f"# HELP {name} some é {random.choice(HELPS)} text")
        if random.random() < 0.7:
            lines.append(f"# TYPE {name} {random.choice(['gauge', 'counter', 'untyped'])}")
        lines += random.choices(["", "#", "# a comment", " \t", "#no blank", "# EOF"], k=random.choice([0, 0, 1]))
        for _ in range(random.randint(0, 5)):
            line, sample = classic_line(random, name)
            lines.append(line)
            samples.append(sample)
    return "".join(line + "\n" for line in lines).encode(), samples


def open_line(random, name, value, labels, is_counter):
    text = name
    if labels or random.random() < 0.2:
        text += "{" + ",".join(f'{key}="{escaped(value_)}"' for key, value_ in labels.items()) + "}"
    text += " " + value
    seconds = random.choice([None, None, "0", "1613993498", "1613993498.553", "-1.5", "1.5e9", "123456789.000001"])
    if seconds is not None:
        text += " " + seconds
    if is_counter and random.random() < 0.4:
        text += ' # {trace_id="' + random.choice(["abc", "{", " # "]) + '"} 0.5' + random.choice(["", " 1613993498.1"])
    return text, Sample(name, labels, value, None if seconds is None else math.floor(float(seconds)))


def openmetrics(random):
    """A valid text of OpenMetrics 1.0, and its samples."""
    lines, samples = [], []
    for name in random.sample([name for name in NAMES if ":" not in name], random.randint(1, 4)):
        kind = random.choice(["gauge", "unknown", "counter", None])
        if kind:
            lines.append(f"# TYPE {name} {kind}")
        if random.random() < 0.5:
            lines.append(f"# HELP {name} some é text")
        seen = set()
        for _ in range(random.randint(0, 5)):
            labels = some_labels(random)
            if tuple(sorted(labels.items())) in seen:
                continue  # twice the same series in a row would need rising times
            seen.add(tuple(sorted(labels.items())))
            is_counter = kind == "counter"
            value = random.choice(["0", "5", "1e3", "0.25", "+Inf"] if is_counter else
                                  [v for v in VALUES if "inf" not in v.lower()] + ["+Inf", "-Inf"])
            line, sample = open_line(random, name + ("_total" if is_counter else ""), value, labels, is_counter)
            lines.append(line)
            samples.append(sample)
    return ("".join(line + "\n" for line in lines) + "# EOF\n").encode(), samples


def mutated(random, text):
    """`text` with one to three small damages."""
    for _ in range(random.choice([1, 1, 1, 2, 3])):
        at = random.randrange(len(text) + 1)
        width = random.choice([0, 0, 1, 1, 1, 2, 8])
        new = random.choice(MUTANTS)
        new = new if isinstance(new, bytes) else new.encode()
        new = random.choice([b"", new, new, text[at:at + width] * 2])
        text = text[:at] + new + text[at + width:]
    return text
