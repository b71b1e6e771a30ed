"""A made-up week of pods with GPUs: what really happened, and what kube-state-metrics would have told of it.

`Week` draws pods, jobs and nodes; `series()` is what is scraped of them, `objects()` what the API server lists at the
end, `truth()` what each owner's pods held.
"""
import collections
import dataclasses
import random

SCRAPE = 60
DAY = 86400
PRICES = {"p5.48xlarge": 55.04 / 8, "g5.xlarge": 1.006}  # of one GPU
RESOURCES = {"nvidia.com/gpu": 1, "nvidia.com/mig-1g.5gb": 1 / 7, "nvidia.com/gpu.shared": 1 / 4, "amd.com/gpu": 1}


@dataclasses.dataclass
class Pod:
    ns: str
    name: str
    uid: str
    node: str
    resource: str
    units: int
    init_units: int
    owner: tuple  # kind, name; () for none
    top: tuple
    created: int
    scheduled: int
    completed: int  # 0: it never was
    removed: int  # 0: it is still listed

    @property
    def held(self):
        return max(self.units, self.init_units)

    def end(self, now):
        return self.completed or self.removed or now


def written(name):
    return "".join(c if c.isalnum() else "_" for c in name)


class Week:
    def __init__(self, now, pods, seed=1, days=7, mean_hours=3.0):
        self.now, self.start, self.random = now, now - days * DAY, random.Random(seed)
        self.mean_hours = mean_hours
        self.nodes = {f"gpu-{i}": "p5.48xlarge" for i in range(4 + pods // 20)}
        self.gone_nodes = {f"old-{i}": "g5.xlarge" for i in range(3)}
        self.pods = [self.pod(i) for i in range(pods)]

    def owner(self, number):
        group = number // 3
        kind = group % 5
        if kind == 0:
            return ("Job", f"train-{group}"), ("Job", f"train-{group}")
        if kind == 1:
            return ("Job", f"set-{group}-0"), ("JobSet", f"set-{group}")
        if kind == 2:
            return ("ReplicaSet", f"serve-{group}-abc"), ("Deployment", f"serve-{group}")
        if kind == 3:
            return ("PyTorchJob", f"torch-{group}"), ("PyTorchJob", f"torch-{group}")
        return (), ("Pod", f"pod-{number}")

    def pod(self, number):
        draw = self.random
        owner, top = self.owner(number)
        is_gone = draw.random() < 0.3
        node = draw.choice(list(self.gone_nodes if is_gone else self.nodes))
        units = 1 if is_gone else draw.choice([1, 2, 4])
        earliest = self.now - 12 * 3600 if draw.random() < 0.15 else self.start - 6 * 3600
        scheduled = draw.randrange(earliest, self.now - 3600)
        length = min(int(draw.expovariate(1 / (self.mean_hours * 3600))) + 300, 40 * 3600)
        end = scheduled + length
        pod = Pod(ns=draw.choice(["ml", "research"]), name=f"pod-{number}", uid=f"uid-{number}", node=node,
                  resource="nvidia.com/gpu", units=units, init_units=8 if number % 17 == 0 and not is_gone else 0,
                  owner=owner, top=top, created=scheduled - draw.randrange(0, 1800), scheduled=scheduled, completed=0,
                  removed=0)
        if top[0] in ("Job", "JobSet", "PyTorchJob", "Pod") and draw.random() < 0.7:
            pod.completed = end
            pod.removed = end + draw.randrange(2 * SCRAPE, 6 * 3600)
        else:
            pod.removed = end
        if pod.completed >= self.now:
            pod.completed = 0
        if pod.removed >= self.now:
            pod.removed = 0
        if not pod.removed and is_gone:  # nothing is listed on a node that is gone
            pod.removed = self.now - 120
            pod.completed = min(pod.completed, pod.removed)
        return pod

    def truth(self):
        """By namespace, kind and name of the top owner: seconds, GPU hours and dollars of this week; pods; and how far
        off seconds may be, as metrics only see every SCRAPE that a pod is deleted."""
        owners = collections.defaultdict(lambda: {"seconds": 0, "hours": 0.0, "usd": 0.0, "pods": 0, "slack": 0})
        for pod in self.pods:
            held = pod.end(self.now) - max(pod.scheduled, self.start)
            if held <= 3 * SCRAPE and pod.scheduled < self.start:
                continue  # it may be out of the window by the time that the program is asked
            entry = owners[(pod.ns, *pod.top)]
            hours = held / 3600 * pod.held
            entry["seconds"] += held
            entry["hours"] += hours
            entry["usd"] += hours * PRICES[{**self.nodes, **self.gone_nodes}[pod.node]]
            entry["pods"] += 1
            # What is open goes on while the program is asked, and the window moves on.
            entry["slack"] += 1 if pod.completed else SCRAPE + 1 if pod.removed else 3 * SCRAPE
            entry["slack"] += 3 * SCRAPE if pod.scheduled < self.start + 3 * SCRAPE else 0
        return owners

    def series(self):
        """Metric, labels, value, and from when until when it is told."""
        for pod in self.pods:
            until = pod.removed or self.now
            base = {"namespace": pod.ns, "pod": pod.name, "uid": pod.uid}
            kind, name = pod.owner or self.random.choice([("", ""), ("<none>", "<none>")])
            yield "kube_pod_owner", {**base, "owner_kind": kind, "owner_name": name,
                                     "owner_is_controller": "true" if pod.owner else ""}, 1, pod.created, until
            for node, begin, end in ("", pod.created, pod.scheduled), (pod.node, pod.scheduled, until):
                yield "kube_pod_info", {**base, "node": node}, 1, begin, end
                ask = {**base, "node": node, "resource": written(pod.resource), "unit": "integer"}
                yield "kube_pod_container_resource_requests", {**ask, "container": "main"}, pod.units, begin, end
                yield ("kube_pod_container_resource_requests",
                       {**ask, "container": "main", "resource": "cpu", "unit": "core"}, 4, begin, end)
                if pod.init_units:
                    yield ("kube_pod_init_container_resource_requests", {**ask, "container": "load"}, pod.init_units,
                           begin, end)
            yield "kube_pod_status_scheduled_time", base, pod.scheduled, pod.scheduled, until
            if pod.completed:
                yield "kube_pod_completion_time", base, pod.completed, pod.completed, until
        yield from self.owner_series()
        yield from self.node_series()
        yield "kube_namespace_created", {"namespace": "ml"}, 1, self.start - DAY, self.now
        for number in range(5):  # others, without GPUs
            base = {"namespace": "web", "pod": f"web-{number}", "uid": f"web-{number}"}
            yield "kube_pod_info", {**base, "node": "cpu-0"}, 1, self.start, self.now
            yield "kube_pod_status_scheduled_time", base, self.start, self.start, self.now

    def owner_series(self):
        spans = {}
        for pod in self.pods:
            if pod.owner and pod.owner[0] in ("Job", "ReplicaSet"):
                key = (pod.ns, pod.owner, pod.top)
                begin, end = spans.get(key, (pod.created, 0))
                spans[key] = min(begin, pod.created), max(end, pod.removed or self.now)
        for (ns, (kind, name), top), (begin, end) in spans.items():
            has_above = top != (kind, name)
            labels = {"namespace": ns, "job_name" if kind == "Job" else "replicaset": name,
                      "owner_kind": top[0] if has_above else "<none>", "owner_name": top[1] if has_above else "<none>",
                      "owner_is_controller": "true" if has_above else "<none>"}
            yield "kube_job_owner" if kind == "Job" else "kube_replicaset_owner", labels, 1, begin, end

    def node_series(self):
        for nodes, until in (self.nodes, self.now), (self.gone_nodes, self.now - 60):
            for node, instance_type in nodes.items():
                yield "kube_node_labels", {
                    "node": node, "label_node_kubernetes_io_instance_type": instance_type,
                    "label_topology_kubernetes_io_region": "us-east-1", "label_karpenter_sh_capacity_type": "on-demand",
                    "label_nvidia_com_gpu_product": "NVIDIA-A10G" if until < self.now else "NVIDIA-H100-80GB-HBM3",
                }, 1, self.start - DAY, until
                yield "kube_node_info", {"node": node, "provider_id": "aws:///us-east-1a/i-0"}, 1, self.start - DAY, until
                yield "kube_node_status_capacity", {"node": node, "resource": "nvidia_com_gpu", "unit": "integer"}, \
                    8 if nodes is self.nodes else 1, self.start - DAY, until

    def objects(self):
        """Nodes and pods that the API server lists."""
        nodes = [{"metadata": {"name": node, "creationTimestamp": stamp(self.start - DAY), "labels": {
                      "node.kubernetes.io/instance-type": instance_type, "topology.kubernetes.io/region": "us-east-1",
                      "karpenter.sh/capacity-type": "on-demand", "nvidia.com/gpu.product": "NVIDIA-H100-80GB-HBM3",
                      "nvidia.com/gpu.count": "8"}},
                  "spec": {"providerID": "aws:///us-east-1a/i-0"},
                  "status": {"capacity": {"nvidia.com/gpu": "8", "cpu": "192", "memory": "2000Gi", "pods": "110"},
                             "allocatable": {"nvidia.com/gpu": "8", "cpu": "192", "memory": "2000Gi", "pods": "110"},
                             "conditions": [{"type": "Ready", "status": "True"}]}}
                 for node, instance_type in self.nodes.items()]
        listed = [pod for pod in self.pods if not pod.removed]
        return {"nodes": nodes, "pods": [self.pod_object(pod) for pod in listed],
                "jobs": self.owner_objects(listed, "Job"), "replicasets": self.owner_objects(listed, "ReplicaSet")}

    def owner_objects(self, listed, kind):
        objects = {}
        for pod in listed:
            if pod.owner and pod.owner[0] == kind:
                all_of_it = [each for each in self.pods if (each.ns, each.owner) == (pod.ns, pod.owner)]
                done = sum(bool(each.completed or each.removed) for each in all_of_it)
                above = [{"apiVersion": {"JobSet": "jobset.x-k8s.io/v1alpha2"}.get(pod.top[0], "apps/v1"),
                          "kind": pod.top[0], "name": pod.top[1], "uid": "of-" + pod.top[1], "controller": True}]
                begin = stamp(min(each.created for each in all_of_it))
                objects[pod.ns, pod.owner[1]] = {
                    "metadata": {"namespace": pod.ns, "name": pod.owner[1], "uid": "of-" + pod.owner[1],
                                 "creationTimestamp": begin,
                                 "ownerReferences": above if pod.top != pod.owner else []},
                    "spec": {"parallelism": len(all_of_it), "template": {"spec": self.pod_object(pod)["spec"]}},
                    "status": {"startTime": begin, "active": len(all_of_it) - done, "succeeded": done}}
        return list(objects.values())

    @staticmethod
    def pod_object(pod):
        def container(name, units):
            amounts = {pod.resource: str(units)}
            return {"name": name, "resources": {"requests": amounts, "limits": amounts}}
        status = {"phase": "Succeeded" if pod.completed else "Running", "conditions": [
            {"type": "PodScheduled", "status": "True", "lastTransitionTime": stamp(pod.scheduled)}]}
        state = {"terminated": {"exitCode": 0, "startedAt": stamp(pod.scheduled), "finishedAt": stamp(pod.completed)}} \
            if pod.completed else {"running": {"startedAt": stamp(pod.scheduled)}}
        status["containerStatuses"] = [{"name": "main", "restartCount": 0, "ready": True, "state": state}]
        spec = {"nodeName": pod.node, "containers": [container("main", pod.units)]}
        if pod.init_units:
            spec["initContainers"] = [container("load", pod.init_units)]
        owners = [{"apiVersion": {"Job": "batch/v1", "ReplicaSet": "apps/v1"}.get(pod.owner[0], "kubeflow.org/v1"),
                   "kind": pod.owner[0], "name": pod.owner[1], "uid": "of-" + pod.owner[1], "controller": True}] \
            if pod.owner else []
        return {"metadata": {"namespace": pod.ns, "name": pod.name, "uid": pod.uid, "ownerReferences": owners,
                             "creationTimestamp": stamp(pod.created)}, "spec": spec, "status": status}


def stamp(seconds):
    import datetime
    return datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
