package doctor

// fault is something wrong with a GPU stack, and what has to be said of it.
type fault struct {
	name    string
	objects string
	check   string   // that has to find it
	state   string   // FAIL or warn
	says    []string // all in one of its messages
	also    []string // other checks that may say something of it, too
	metrics string   // --metrics; empty: none
}

// other is a part of a second stack beside the healthy one, which only nodes with the label select.
const only = "select kubectl-gpu.test/only: \"true\""

func broken(name string, changes ...string) string {
	return node(name, append([]string{"labels kubectl-gpu.test/only: \"true\""}, changes...)...)
}

// operatorCrashes is NVIDIA's own pod, which runs on a node without GPUs.
const operatorCrashes = `---
apiVersion: v1
kind: Node
metadata: {name: cpu-only, labels: {kubernetes.io/hostname: cpu-only}}
spec: {}
status: {capacity: {cpu: "8", memory: 32Gi, pods: "110"}, allocatable: {cpu: "8", memory: 32Gi, pods: "110"}, nodeInfo: {kubeletVersion: v1.36.1, architecture: amd64, operatingSystem: linux, bootID: "", containerRuntimeVersion: "", kernelVersion: "", kubeProxyVersion: "", machineID: "", osImage: "", systemUUID: ""}}
---
apiVersion: v1
kind: Pod
metadata: {name: gpu-operator-7d9, namespace: gpu-operator, labels: {app: gpu-operator}, annotations: {kubectl-gpu.test/behaviour: hang}}
spec:
  nodeName: cpu-only
  tolerations: [{operator: Exists}]
  containers: [{name: gpu-operator, image: "nvcr.io/nvidia/gpu-operator:v25.10.0"}]
status:
  phase: Running
  conditions: [{type: Ready, status: "False", reason: ContainersNotReady, lastTransitionTime: 2026-01-01T00:00:00Z}]
  containerStatuses: [{name: gpu-operator, image: x, imageID: "", ready: false, started: false, restartCount: 12, state: {waiting: {reason: CrashLoopBackOff, message: back-off}}}]
`

func profile(text string) string {
	return "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: plugin-config, namespace: gpu-operator}\ndata:\n  any: |\n" + text +
		daemon("nvidia-device-plugin-shared", "nvcr.io/nvidia/k8s-device-plugin:v0.18.0", "select no/node: \"true\"", "mount plugin-config")
}

func quota(key string) string {
	return "---\napiVersion: v1\nkind: ResourceQuota\nmetadata: {name: gpus, namespace: team-a}\nspec: {hard: {" + key + ": \"4\"}}\n"
}

func policy(spec, status string) string {
	return "---\napiVersion: nvidia.com/v1\nkind: ClusterPolicy\nmetadata: {name: cluster-policy}\nspec: {" + spec + "}\nstatus: {" + status + "}\n"
}

const class = "---\napiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {name: gpu.nvidia.com}\nspec: {selectors: [{cel: {expression: \"device.driver == 'gpu.nvidia.com'\"}}]}\n"

func slice(node string) string {
	return "---\napiVersion: resource.k8s.io/v1\nkind: ResourceSlice\nmetadata: {name: slice-" + node + "}\nspec: {driver: gpu.nvidia.com, nodeName: " + node +
		", pool: {name: " + node + ", generation: 1, resourceSliceCount: 1}, devices: [{name: gpu-0, attributes: {type: {string: gpu}, uuid: {string: GPU-1}}, capacity: {memory: {value: 80Gi}}}]}\n"
}

// sandboxEvent is what a kubelet says of a RuntimeClass whose handler containerd does not know.
const sandboxEvent = "---\napiVersion: v1\nkind: Event\nmetadata: {name: train.1, namespace: team-a}\ninvolvedObject: {apiVersion: v1, kind: Pod, namespace: team-a, name: train}\n" +
	"type: Warning\nreason: FailedCreatePodSandBox\nfirstTimestamp: 2026-01-01T00:00:00Z\nlastTimestamp: 2026-01-01T00:00:00Z\nsource: {component: kubelet, host: bad}\n" +
	"message: 'Failed to create pod sandbox: rpc error: code = Unknown desc = failed to get sandbox runtime: no runtime for \"nvidia\" is configured'\n"

const without = "drop nvidia.com/gpu"

var faults = []fault{
	// Drivers.
	{name: "driver crashes", objects: broken("bad", without) + daemon("nvidia-driver-daemonset-b", "nvcr.io/nvidia/driver:580.1-ubuntu24.04", only, "behaviour crash"),
		check: "driver", state: "FAIL", says: []string{"bad", "nvidia-driver-daemonset-b", "is not ready"}, also: []string{"runtime", "device-plugin"}},
	{name: "driver that hangs with MIG", objects: node("bad", without, "capacity nvidia.com/mig-1g.10gb: \"56\"", "allocatable nvidia.com/mig-1g.10gb: \"56\"",
		"labels nvidia.com/mig.strategy: mixed", "labels nvidia.com/cuda.driver-version.full: 570.133.20"),
		check: "driver", state: "FAIL", says: []string{"bad has the driver 570.133.20"}},
	{name: "drivers of two majors", objects: node("bad", "labels nvidia.com/cuda.driver-version.full: 535.104.05"),
		check: "driver", state: "warn", says: []string{"535.104.05 on 1 node", "570.86.15 on 2 nodes"}},
	{name: "CUDA of two majors", objects: node("bad", "labels nvidia.com/cuda.runtime-version.major: \"13\"", "labels nvidia.com/cuda.runtime-version.minor: \"0\""),
		check: "driver", state: "warn", says: []string{"drivers know different major versions of CUDA", "13.0 on 1 node"}},
	{name: "driver upgrade failed", objects: node("bad", "labels nvidia.com/gpu-driver-upgrade-state: upgrade-failed"),
		check: "driver", state: "FAIL", says: []string{"bad", "a driver upgrade has failed"}},
	{name: "no driver on GKE", objects: `---
apiVersion: v1
kind: Node
metadata: {name: bad, labels: {cloud.google.com/gke-accelerator: nvidia-l4, cloud.google.com/gke-accelerator-count: "1", nvidia.com/gpu.deploy.driver: "false"}}
spec: {taints: [{key: nvidia.com/gpu, value: present, effect: NoSchedule}]}
status: {capacity: {cpu: "8", memory: 32Gi, pods: "110"}, allocatable: {cpu: "8", memory: 32Gi, pods: "110"}}
`, check: "device-plugin", state: "FAIL", says: []string{"bad"}, also: []string{"labels"}},
	// Device plugins.
	{name: "plugin crashes", objects: broken("bad", without, "labels nvidia.com/gpu.present: \"false\"") + daemon("nvidia-device-plugin-b", "nvcr.io/nvidia/k8s-device-plugin:v0.18.0", only, "behaviour crash"),
		check: "device-plugin", state: "FAIL", says: []string{"bad", "the device plugin's pod gpu-operator/nvidia-device-plugin-b"}},
	{name: "plugin is kept away by a taint", objects: node("bad", without, "taint {key: team, value: vision, effect: NoSchedule}"),
		check: "driver", state: "FAIL", says: []string{"bad", "does not tolerate team=vision:NoSchedule"}, also: []string{"discovery", "runtime", "device-plugin"}},
	{name: "discovery is kept away by a taint", objects: node("bad", without, "drop nvidia.com/gpu.present", "drop feature.node.kubernetes.io/pci-10de.present",
		"drop nvidia.com/gpu.product", "drop nvidia.com/gpu.count", "taint {key: nvidia.com/gpu, value: \"true\", effect: NoExecute}"),
		check: "device-plugin", state: "FAIL", says: []string{"bad"}, also: []string{"discovery", "labels"}},
	{name: "plugin does not select the node", objects: node("bad", without, "labels nvidia.com/gpu.present: \"false\""),
		check: "device-plugin", state: "FAIL", says: []string{"bad", "nvidia.com/gpu.present=true, which this one lacks"}},
	{name: "plugin runs and offers nothing", objects: node("bad", without),
		check: "device-plugin", state: "FAIL", says: []string{"bad", "runs, but the kubelet has no GPUs from it"}},
	{name: "instance type tells of GPUs", objects: node("bad", without, "drop nvidia.com/gpu.product", "drop nvidia.com/gpu.count", "drop nvidia.com/gpu.present",
		"drop feature.node.kubernetes.io/pci-10de.present", "labels node.kubernetes.io/instance-type: p5.48xlarge"),
		check: "device-plugin", state: "FAIL", says: []string{"bad"}, also: []string{"labels"}},
	{name: "PCI device and no resource", objects: node("bad", without, "drop nvidia.com/gpu.product", "drop nvidia.com/gpu.count", "drop nvidia.com/gpu.present"),
		check: "device-plugin", state: "FAIL", says: []string{"bad"}, also: []string{"labels"}},
	{name: "all GPUs withdrawn", objects: node("bad", "allocatable nvidia.com/gpu: \"0\""),
		check: "device-plugin", state: "FAIL", says: []string{"bad has 8, none allocatable"}},
	{name: "plugin of AMD crashes", objects: node("bad", without, "drop nvidia.com/gpu.product", "drop nvidia.com/gpu.count", "drop nvidia.com/gpu.present",
		"drop feature.node.kubernetes.io/pci-10de.present", "labels amd.com/gpu.product-name: AMD_Instinct_MI300X_OAM", "labels kubectl-gpu.test/only: \"true\"", "capacity amd.com/gpu: \"8\"", "allocatable amd.com/gpu: \"0\"") +
		daemon("amdgpu-device-plugin-daemonset", "docker.io/rocm/k8s-device-plugin:1.31.0", only, "behaviour crash"),
		check: "device-plugin", state: "FAIL", says: []string{"bad", "amdgpu-device-plugin-daemonset"}},
	{name: "two plugins on a node", objects: broken("bad") + daemon("nvdp-nvidia-device-plugin", "nvcr.io/nvidia/k8s-device-plugin:v0.18.0", only),
		check: "device-plugin", state: "FAIL", says: []string{"bad has 2 device plugins of one resource", "gpu-operator/nvdp-nvidia-device-plugin"}},
	{name: "plugin of Intel withdrew", objects: node("bad", without, "drop nvidia.com/gpu.product", "drop nvidia.com/gpu.count", "drop nvidia.com/gpu.present",
		"drop feature.node.kubernetes.io/pci-10de.present", "capacity gpu.intel.com/i915: \"2\"", "allocatable gpu.intel.com/i915: \"0\""),
		check: "device-plugin", state: "FAIL", says: []string{"bad has 2, none allocatable"}},
	// Cards.
	{name: "a card is withdrawn", objects: node("bad", "allocatable nvidia.com/gpu: \"7\""),
		check: "gpus", state: "FAIL", says: []string{"bad: 7 of 8 are healthy"}},
	{name: "a card is missing", objects: node("bad", "capacity nvidia.com/gpu: \"7\"", "allocatable nvidia.com/gpu: \"7\""),
		check: "gpus", state: "FAIL", says: []string{"bad", "7 of 8 are advertised"}},
	// MIG.
	{name: "MIG layout failed", objects: node("bad", "labels nvidia.com/mig.config: all-1g.10gb", "labels nvidia.com/mig.config.state: failed"),
		check: "mig", state: "FAIL", says: []string{"bad", "its MIG layout all-1g.10gb could not be made"}},
	{name: "MIG layout pending", objects: node("bad", "labels nvidia.com/mig.config: all-1g.10gb", "labels nvidia.com/mig.config.state: pending"),
		check: "mig", state: "warn", says: []string{"bad", "its MIG layout is being changed (pending)"}},
	{name: "invalid slices", objects: node("bad", without, "labels nvidia.com/gpu.product: NVIDIA-H100-80GB-HBM3-MIG-INVALID", "labels nvidia.com/gpu.count: \"0\"", "labels nvidia.com/mig.strategy: single"),
		check: "mig", state: "FAIL", says: []string{"bad", "the MIG strategy `single` does not allow"}, also: []string{"device-plugin"}},
	// Sharing.
	{name: "profile is no YAML", objects: profile("    version: v1\n    sharing:\n      timeSlicing: {\n"),
		check: "sharing", state: "FAIL", says: []string{"gpu-operator/plugin-config", "cannot be read"}},
	{name: "one replica", objects: profile("    version: v1\n    sharing:\n      timeSlicing:\n        resources: [{name: nvidia.com/gpu, replicas: 1}]\n"),
		check: "sharing", state: "FAIL", says: []string{"gives nvidia.com/gpu 1 replicas"}},
	{name: "misspelt key", objects: profile("    version: v1\n    sharing:\n      timeslicing:\n        resources: [{name: nvidia.com/gpu, replicas: 4}]\n"),
		check: "sharing", state: "FAIL", says: []string{"sharing.timeslicing"}},
	{name: "no version", objects: profile("    # version: is missing\n    sharing:\n      timeSlicing:\n        resources: [{name: nvidia.com/gpu, replicas: 4}]\n"),
		check: "sharing", state: "FAIL", says: []string{"has no `version: v1`"}},
	{name: "both ways of sharing", objects: profile("    version: v1\n    sharing:\n      timeSlicing:\n        resources: [{name: nvidia.com/gpu, replicas: 4}]\n      mps:\n        resources: [{name: nvidia.com/gpu, replicas: 4}]\n"),
		check: "sharing", state: "FAIL", says: []string{"sets both timeSlicing and mps"}},
	{name: "no resource of GPUs", objects: profile("    version: v1\n    sharing:\n      timeSlicing:\n        resources: [{name: gpu, replicas: 4}]\n"),
		check: "sharing", state: "FAIL", says: []string{"shares `gpu`"}},
	{name: "profile that does not exist", objects: node("bad", "labels nvidia.com/device-plugin.config: eny") + profile("    version: v1\n    sharing:\n      timeSlicing:\n        resources: [{name: nvidia.com/gpu, replicas: 4}]\n"),
		check: "sharing", state: "FAIL", says: []string{"bad chooses the device plugin's profile `eny`"}},
	// NVIDIA's operator.
	{name: "policy is not ready", objects: policy("", "state: notReady, namespace: gpu-operator, conditions: [{type: Error, status: \"True\", reason: OperandNotReady, message: driver pods fail, lastTransitionTime: 2026-01-01T00:00:00Z}]"),
		check: "operator", state: "FAIL", says: []string{"cluster-policy is notReady: driver pods fail"}},
	{name: "policy is ignored", objects: policy("", "state: ignored, namespace: gpu-operator"), check: "operator", state: "warn", says: []string{"ignores the ClusterPolicy cluster-policy"}},
	{name: "the plugin's ConfigMap is missing", objects: policy("devicePlugin: {config: {name: absent, default: any}}", "state: ready, namespace: gpu-operator"),
		check: "sharing", state: "FAIL", says: []string{"gpu-operator/absent"}},
	{name: "the operator itself crashes", objects: operatorCrashes,
		check: "operator", state: "FAIL", says: []string{"gpu-operator/gpu-operator-7d9 is not ready (CrashLoopBackOff, 12 restarts)", "nothing installs or repairs the GPU stack"}},
	{name: "toolkit crashes", objects: broken("bad") + daemon("nvidia-container-toolkit-b", "nvcr.io/nvidia/k8s/container-toolkit:v1.18.0", only, "behaviour crash"),
		check: "runtime", state: "FAIL", says: []string{"bad", "nvidia-container-toolkit-b"}},
	{name: "validator crashes", objects: broken("bad") + daemon("nvidia-operator-validator-b", "nvcr.io/nvidia/gpu-operator:v25.10.0", only, "behaviour crash"),
		check: "runtime", state: "warn", says: []string{"bad", "nvidia-operator-validator-b"}},
	{name: "exporter crashes", objects: broken("bad") + daemon("nvidia-dcgm-exporter-b", "nvcr.io/nvidia/k8s/dcgm-exporter:4.5.3-4.8.2-distroless", only, "behaviour crash"),
		metrics: "exporter", check: "metrics", state: "FAIL", says: []string{"bad", "nvidia-dcgm-exporter-b"}},
	{name: "GPU feature discovery crashes", objects: broken("bad") + daemon("gpu-feature-discovery-b", "nvcr.io/nvidia/gpu-feature-discovery:v0.18.0", only, "behaviour crash"),
		check: "discovery", state: "warn", says: []string{"bad", "gpu-feature-discovery-b"}},
	{name: "MIG manager crashes", objects: broken("bad") + daemon("nvidia-mig-manager", "nvcr.io/nvidia/cloud-native/k8s-mig-manager:v0.12.0", only, "behaviour crash"),
		check: "mig", state: "warn", says: []string{"bad", "nvidia-mig-manager"}},
	{name: "no handler of the runtime", objects: node("bad") + pod("train", "gpus 1", "node bad", "behaviour hang") + sandboxEvent,
		check: "runtime", state: "FAIL", says: []string{"bad", "team-a/train", "no runtime for"}},
	{name: "driver upgrade under way", objects: node("bad", "labels nvidia.com/gpu-driver-upgrade-state: drain-required"),
		check: "driver", state: "warn", says: []string{"bad", "a driver upgrade is under way"}},
	{name: "the runtime cannot give GPUs", objects: pod("train", "gpus 1", "node gpu-ok-1", "behaviour create-error", "reason CreateContainerError", "words failed to inject CDI devices: unresolvable CDI devices nvidia.com/gpu=0"),
		check: "runtime", state: "FAIL", says: []string{"gpu-ok-1", "team-a/train"}},
	// Labels and images.
	{name: "no product label", objects: node("bad", "drop nvidia.com/gpu.product"), check: "labels", state: "warn", says: []string{"bad has no label nvidia.com/gpu.product"}},
	{name: "labels of before", objects: node("bad", "labels nvidia.com/gpu.count: \"4\""), check: "labels", state: "warn", says: []string{"bad has 8 nvidia.com/gpu, and its labels show 4"}},
	{name: "slices without a strategy", objects: node("bad", without, "capacity nvidia.com/mig-1g.10gb: \"56\"", "allocatable nvidia.com/mig-1g.10gb: \"56\""),
		check: "labels", state: "warn", says: []string{"bad has no label nvidia.com/mig.strategy"}},
	{name: "image is newer than the driver", objects: pod("train", "gpus 1", "image docker.io/nvidia/cuda:13.0.1-base-ubuntu24.04", "node gpu-ok-1"),
		check: "images", state: "warn", says: []string{"team-a/train", "CUDA 13", "whose driver knows CUDA 12"}},
	{name: "monthly image is newer than the driver", objects: pod("train", "gpus 1", "image nvcr.io/nvidia/pytorch:25.09-py3", "node gpu-ok-1"),
		check: "images", state: "warn", says: []string{"team-a/train", "CUDA 13"}},
	// DRA.
	{name: "DRA driver publishes nothing", objects: class + broken("bad", without, "labels nvidia.com/gpu.present: \"false\"") + daemon("dra-driver-nvidia-gpu-kubelet-plugin", "registry.k8s.io/dra-driver-nvidia/dra-driver-nvidia-gpu:v0.5.0", only),
		check: "dra", state: "FAIL", says: []string{"bad", "has published no device"}, also: []string{"device-plugin"}},
	{name: "DRA driver crashes", objects: class + broken("bad", without, "labels nvidia.com/gpu.present: \"false\"") + daemon("dra-driver-nvidia-gpu-kubelet-plugin", "registry.k8s.io/dra-driver-nvidia/dra-driver-nvidia-gpu:v0.5.0", only, "behaviour crash"),
		check: "dra", state: "FAIL", says: []string{"bad", "dra-driver-nvidia-gpu-kubelet-plugin", "is not ready"}, also: []string{"device-plugin"}},
	{name: "kubelet loses DRA drivers", objects: class + broken("bad", without, "labels nvidia.com/gpu.present: \"false\"", "info kubeletVersion: v1.34.1") + daemon("dra-driver-nvidia-gpu-kubelet-plugin", "registry.k8s.io/dra-driver-nvidia/dra-driver-nvidia-gpu:v0.5.0", only),
		check: "dra", state: "FAIL", says: []string{"bad", "has published no device"}, also: []string{"device-plugin"}},
	{name: "plugin and DRA", objects: class + node("bad") + slice("bad"), check: "plugin-and-dra", state: "warn", says: []string{"bad hands out its GPUs by a device plugin and by DRA"}, also: []string{"dra"}},
	{name: "class is missing", objects: "---\napiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: gpu, namespace: team-a}\nspec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.absent.com}}]}}\n",
		check: "dra", state: "FAIL", says: []string{"gpu.absent.com, which does not exist"}},
	// What stands around.
	{name: "quota of limits", objects: quota("limits.nvidia.com/gpu"), check: "quota", state: "warn", says: []string{"nothing counts `limits.nvidia.com/gpu` in ResourceQuota team-a/gpus"}},
	{name: "quota of a misspelt resource", objects: quota("requests.nvidia.com/gpus"), check: "quota", state: "warn", says: []string{"nothing counts `requests.nvidia.com/gpus` in ResourceQuota team-a/gpus"}},
	{name: "quota of a wrong group", objects: quota("count/jobs.apps"), check: "quota", state: "warn", says: []string{"nothing counts `count/jobs.apps` in ResourceQuota team-a/gpus"}},
	{name: "cordoned while a pod waits", objects: node("bad", "spec unschedulable: true") + pod("big", "gpus 16"), check: "cordoned", state: "warn", says: []string{"bad is cordoned", "8 GPUs, while 1 pod waits for 16 GPUs"}},
	{name: "not ready while a pod waits", objects: node("bad", "condition Ready=False") + pod("big", "gpus 16"), check: "cordoned", state: "warn", says: []string{"bad is not ready", "8 GPUs, while 1 pod waits"}, also: []string{"device-plugin", "driver", "runtime", "discovery"}},
	{name: "all GPUs without a request", objects: pod("greedy", "node gpu-ok-1", "env NVIDIA_VISIBLE_DEVICES=all"), check: "unrequested", state: "warn", says: []string{"gpu-ok-1", "team-a/greedy", "NVIDIA_VISIBLE_DEVICES=all"}},
	{name: "old kubelet", objects: node("bad", "info kubeletVersion: v1.32.0"), check: "server", state: "warn", says: []string{"the kubelet of bad"}},
}
