#!/usr/bin/env python3
"""Serves what NVML says of the GPUs of this machine in the text of dcgm-exporter.

Usage: nvml_exporter.py ADDRESS PORT OWNER_FILE [--fake]
Each scrape asks NVML anew. OWNER_FILE holds `namespace pod container` of the pod that has the GPU, or
nothing. --fake makes numbers up, to try the test where there is no GPU.
"""
import http.server
import pathlib
import sys


class Fake:
    """A card that works as hard as the file beside the owner's says."""

    def __init__(self, file):
        self.file = pathlib.Path(str(file) + ".fake")

    def read(self):
        util, used = (int(word) for word in self.file.read_text().split())
        return [{"index": 0, "uuid": "GPU-00000000-0000-4000-8000-000000000000", "name": "NVIDIA H100 80GB HBM3",
                 "bus": "00000000:04:00.0", "util": util, "copy": 0, "used": used, "free": 81079 - used, "reserved": 480,
                 "power": 70.0 + 6 * util, "temp": 30 + util // 3, "sm_clock": 1980, "engine": None}]


class Nvml:
    def __init__(self):
        import pynvml
        self.nvml = pynvml
        pynvml.nvmlInit()
        self.driver = pynvml.nvmlSystemGetDriverVersion()

    def read(self):
        nvml, cards = self.nvml, []
        for index in range(nvml.nvmlDeviceGetCount()):
            card = nvml.nvmlDeviceGetHandleByIndex(index)
            use = nvml.nvmlDeviceGetUtilizationRates(card)
            memory = nvml.nvmlDeviceGetMemoryInfo(card, version=nvml.nvmlMemory_v2)
            cards.append({"index": index, "uuid": text(nvml.nvmlDeviceGetUUID(card)), "name": text(nvml.nvmlDeviceGetName(card)),
                          "bus": text(nvml.nvmlDeviceGetPciInfo(card).busId), "util": use.gpu, "copy": use.memory,
                          "used": memory.used >> 20, "free": memory.free >> 20, "reserved": memory.reserved >> 20,
                          "power": nvml.nvmlDeviceGetPowerUsage(card) / 1000,
                          "temp": nvml.nvmlDeviceGetTemperature(card, nvml.NVML_TEMPERATURE_GPU),
                          "sm_clock": nvml.nvmlDeviceGetClockInfo(card, nvml.NVML_CLOCK_SM)})
        return cards


def text(value):
    return value.decode() if isinstance(value, bytes) else value


FAMILIES = [("DCGM_FI_DEV_SM_CLOCK", "SM clock frequency (in MHz).", "sm_clock", "{}"),
            ("DCGM_FI_DEV_GPU_TEMP", "GPU temperature (in C).", "temp", "{}"),
            ("DCGM_FI_DEV_POWER_USAGE", "Power draw (in W).", "power", "{:.6f}"),
            ("DCGM_FI_DEV_GPU_UTIL", "GPU utilization (in %).", "util", "{}"),
            ("DCGM_FI_DEV_MEM_COPY_UTIL", "Memory utilization (in %).", "copy", "{}"),
            ("DCGM_FI_DEV_FB_FREE", "Framebuffer memory free (in MiB).", "free", "{}"),
            ("DCGM_FI_DEV_FB_USED", "Framebuffer memory used (in MiB).", "used", "{}"),
            ("DCGM_FI_DEV_FB_RESERVED", "Framebuffer memory reserved (in MiB).", "reserved", "{}")]


def rendered(cards, owner):
    lines = []
    for name, help_text, key, form in FAMILIES:
        lines += [f"# HELP {name} {help_text}", f"# TYPE {name} gauge"]
        for card in cards:
            labels = (f'gpu="{card["index"]}",UUID="{card["uuid"]}",pci_bus_id="{card["bus"]}",device="nvidia{card["index"]}",'
                      f'modelName="{card["name"]}",Hostname="exporter-h100"')
            if owner:
                ns, pod, container = owner
                labels += f',container="{container}",namespace="{ns}",pod="{pod}"'
            lines.append(f"{name}{{{labels}}} {form.format(card[key])}")
    return "\n".join(lines) + "\n"


def main():
    address, port, owner_file = sys.argv[1], int(sys.argv[2]), pathlib.Path(sys.argv[3])
    source = Fake(owner_file) if "--fake" in sys.argv else Nvml()

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            body = rendered(source.read(), owner_file.read_text().split()).encode()
            self.send_response(200)
            self.send_header("Content-Type", "text/plain; version=0.0.4")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer((address, port), Handler)
    print("ready", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
