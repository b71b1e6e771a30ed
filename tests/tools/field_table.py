#!/usr/bin/python3
"""Writes lib/manifest/schema/fields.txt: which fields the kinds have that `gen` prints, and of what type.

Usage: field_table.py CRDS OPENAPI... CRDS is a folder of CustomResourceDefinitions (tests/cases/crds.tar.xz unpacked),
OPENAPI are answers of an API server: kubectl get --raw /openapi/v3/apis/batch/v1, ... Prints the table.

A line `Kind group/version TYPE` is a kind, a line `#N field:TYPE ...` a type: objects that have the same fields are
one. TYPE is s (text), i (whole number), n (number), b (truth), q (number or text), x (anything), #N, [TYPE or {TYPE
(a list, a map of it).
"""
import json
import pathlib
import sys

import yaml

CORE = {("", "v1"): "Pod ConfigMap Service PersistentVolumeClaim ResourceQuota LimitRange Secret".split(),
        ("batch", "v1"): ["Job"], ("apps", "v1"): ["Deployment"], ("policy", "v1"): ["PodDisruptionBudget"],
        ("scheduling.k8s.io", "v1"): ["PriorityClass"],
        ("resource.k8s.io", "v1"): ["ResourceClaim", "ResourceClaimTemplate"]}
CUSTOM = set("Notebook InferenceService PyTorchJob TFJob MPIJob TrainJob JobSet LeaderWorkerSet RayJob RayCluster "
             "RayService ResourceFlavor ClusterQueue LocalQueue NodePool ServiceMonitor PrometheusRule".split())
SCALARS = {"string": "s", "integer": "i", "number": "n", "boolean": "b"}


class Table:
    def __init__(self):
        self.types = {}  # signature -> number
        self.kinds = []

    def type_of(self, schema, named):
        while True:
            if "allOf" in schema and len(schema["allOf"]) == 1 and "properties" not in schema:
                schema = schema["allOf"][0]
            elif "$ref" in schema:
                name = schema["$ref"].rsplit("/", 1)[-1]
                if name.endswith(("resource.Quantity", "intstr.IntOrString")):
                    return "q"
                schema = named[name]
            else:
                break
        if schema.get("x-kubernetes-int-or-string"):
            return "q"
        kind = schema.get("type")
        if kind in SCALARS:
            return SCALARS[kind]
        if kind == "array":
            return "[" + self.type_of(schema.get("items", {}), named)
        if schema.get("properties"):
            return self.object_of(schema["properties"], named)
        if isinstance(schema.get("additionalProperties"), dict):
            return "{" + self.type_of(schema["additionalProperties"], named)
        return "x"

    def object_of(self, properties, named):
        fields = " ".join(f"{name}:{self.type_of(each, named)}" for name, each in sorted(properties.items()))
        return "#" + str(self.types.setdefault(fields, len(self.types)))

    def add(self, kind, group, version, schema, named, metadata):
        properties = {name: each for name, each in schema["properties"].items()
                      if name not in ("status", "metadata", "apiVersion", "kind")}
        fields = " ".join([f"apiVersion:s kind:s metadata:{metadata}"] +
                          [f"{name}:{self.type_of(each, named)}" for name, each in sorted(properties.items())])
        root = "#" + str(self.types.setdefault(fields, len(self.types)))
        self.kinds.append(f"{kind} {group + '/' if group else ''}{version} {root}")


def main():
    crds, answers = pathlib.Path(sys.argv[1]), sys.argv[2:]
    table = Table()
    metadata = None
    for path in answers:
        named = json.loads(pathlib.Path(path).read_text())["components"]["schemas"]
        metadata = metadata or table.type_of(
            named["io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"], named)
        for schema in named.values():
            for each in schema.get("x-kubernetes-group-version-kind", []):
                key = (each["group"], each["version"])
                if each["kind"] in CORE.get(key, []) and "spec" in str(schema["properties"].keys()) or (
                        each["kind"] in ("ConfigMap", "PriorityClass", "Secret") and each["kind"] in CORE.get(key, [])):
                    table.add(each["kind"], *key, schema, named, metadata)
    for path in sorted(crds.rglob("*.yaml")):
        for crd in yaml.load_all(path.read_text(), yaml.CSafeLoader):
            spec = crd["spec"]
            if spec["names"]["kind"] not in CUSTOM:
                continue
            for version in spec["versions"]:
                if version["served"] and version.get("storage"):
                    table.add(spec["names"]["kind"], spec["group"], version["name"],
                              version["schema"]["openAPIV3Schema"], {}, metadata)
    # Both operators have an MPIJob: that of its own operator is printed.
    for line in sorted(set(table.kinds)):
        print(line)
    for fields, number in table.types.items():
        print(f"#{number} {fields}")


main()
