package doctor

import (
	"fmt"
	"strings"
)

// policyKind defines ClusterPolicies as far as we read them.
const policyKind = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: clusterpolicies.nvidia.com}
spec:
  group: nvidia.com
  scope: Cluster
  names: {kind: ClusterPolicy, listKind: ClusterPolicyList, plural: clusterpolicies, singular: clusterpolicy}
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}}
    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
`

// node is a node with 8 H100 as NVIDIA's operator leaves it. Each of changes is a line `labels KEY: VALUE`,
// `drop KEY`, `capacity KEY: VALUE`, `allocatable KEY: VALUE`, `taint ...`, `spec KEY: VALUE`, `info KEY: VALUE`,
// `condition Ready=False`.
func node(name string, changes ...string) string {
	labels := map[string]string{
		"nvidia.com/gpu.present": `"true"`, "nvidia.com/gpu.product": "NVIDIA-H100-80GB-HBM3", "nvidia.com/gpu.count": `"8"`,
		"nvidia.com/gpu.memory": `"81559"`, "nvidia.com/gpu.replicas": `"1"`, "nvidia.com/gpu.sharing-strategy": "none",
		"nvidia.com/cuda.driver-version.full": "570.86.15", "nvidia.com/cuda.driver-version.major": `"570"`,
		"nvidia.com/cuda.runtime-version.major": `"12"`, "nvidia.com/mig.capable": `"true"`,
		"feature.node.kubernetes.io/pci-10de.present": `"true"`, "kubernetes.io/os": "linux", "kubernetes.io/hostname": name,
	}
	amounts := map[string]map[string]string{"capacity": {"nvidia.com/gpu": `"8"`}, "allocatable": {"nvidia.com/gpu": `"8"`}}
	for _, list := range amounts {
		list["cpu"], list["memory"], list["pods"] = `"64"`, "512Gi", `"110"`
	}
	var taints, spec, annotations, conditions string
	info := "kubeletVersion: v1.36.1"
	for _, change := range changes {
		verb, rest, _ := strings.Cut(change, " ")
		key, value, _ := strings.Cut(rest, ": ")
		switch verb {
		case "labels":
			labels[key] = value
		case "drop":
			delete(labels, rest)
			delete(amounts["capacity"], rest)
			delete(amounts["allocatable"], rest)
		case "capacity", "allocatable":
			amounts[verb][key] = value
		case "taint":
			taints += "\n  - " + rest
		case "spec":
			spec += "\n  " + rest
		case "info":
			info = rest
		case "condition":
			condition, status, _ := strings.Cut(rest, "=")
			annotations = `, annotations: {kubectl-gpu.test/unmanaged: ""}`
			conditions = fmt.Sprintf("\n  conditions: [{type: %s, status: %q, reason: Test, message: test, lastTransitionTime: 2026-01-01T00:00:00Z}]", condition, status)
		default:
			panic("no such change: " + change)
		}
	}
	if taints != "" {
		spec += "\n  taints:" + taints
	}
	if spec == "" {
		spec = " {}"
	}
	return fmt.Sprintf("---\napiVersion: v1\nkind: Node\nmetadata: {name: %s, labels: {%s}%s}\nspec:%s\nstatus:\n  capacity: {%s}\n  allocatable: {%s}\n  nodeInfo: {%s, architecture: amd64, operatingSystem: linux, bootID: \"\", containerRuntimeVersion: \"\", kernelVersion: \"\", kubeProxyVersion: \"\", machineID: \"\", osImage: \"\", systemUUID: \"\"}%s\n",
		name, inline(labels), annotations, spec, inline(amounts["capacity"]), inline(amounts["allocatable"]), info, conditions)
}

func inline(pairs map[string]string) string {
	parts := make([]string, 0, len(pairs))
	for key, value := range pairs {
		parts = append(parts, key+": "+value)
	}
	return strings.Join(parts, ", ")
}

// daemon is a DaemonSet of the GPU stack; behaviour is what KWOK's stages do with its pods. Each of changes is
// `select KEY: VALUE`, `tolerate {...}`, `behaviour crash`, `mount CONFIGMAP`.
func daemon(name, image string, changes ...string) string {
	selector, tolerations, annotations, volumes := "kubernetes.io/os: linux", "", "", ""
	for _, change := range changes {
		verb, rest, _ := strings.Cut(change, " ")
		switch verb {
		case "select":
			selector += ", " + rest
		case "tolerate":
			tolerations += "\n      - " + rest
		case "behaviour":
			annotations = fmt.Sprintf(", annotations: {kubectl-gpu.test/behaviour: %s}", rest)
		case "mount":
			volumes = fmt.Sprintf("\n      volumes: [{name: config, configMap: {name: %s}}]", rest)
		default:
			panic("no such change: " + change)
		}
	}
	if tolerations == "" {
		tolerations = "\n      - {key: nvidia.com/gpu, operator: Exists, effect: NoSchedule}"
	}
	return fmt.Sprintf(`---
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: %[1]s, namespace: gpu-operator}
spec:
  selector: {matchLabels: {app: %[1]s}}
  template:
    metadata: {labels: {app: %[1]s}%[2]s}
    spec:
      nodeSelector: {%[3]s}
      tolerations:%[4]s
      containers: [{name: main, image: "%[5]s"}]%[6]s
`, name, annotations, selector, tolerations, image, volumes)
}

// pod is a pod with one container. Each of changes is `gpus N`, `image X`, `node X`, `request KEY: VALUE`,
// `env KEY=VALUE`, `behaviour X`, `words X`, `claim X`.
func pod(name string, changes ...string) string {
	image, requests, spec, env := "registry.local/train:1", "", "", ""
	annotations := map[string]string{}
	for _, change := range changes {
		verb, rest, _ := strings.Cut(change, " ")
		switch verb {
		case "gpus":
			requests = fmt.Sprintf("nvidia.com/gpu: %q", rest)
		case "image":
			image = rest
		case "node":
			spec += "\n  nodeName: " + rest
		case "env":
			key, value, _ := strings.Cut(rest, "=")
			env = fmt.Sprintf(", env: [{name: %s, value: %q}]", key, value)
		case "behaviour":
			annotations["kubectl-gpu.test/behaviour"] = rest
		case "reason":
			annotations["kubectl-gpu.test/reason"] = rest
		case "words":
			annotations["kubectl-gpu.test/words"] = fmt.Sprintf("%q", rest)
		case "claim":
			spec += fmt.Sprintf("\n  resourceClaims: [{name: gpu, resourceClaimName: %s}]", rest)
		default:
			panic("no such change: " + change)
		}
	}
	return fmt.Sprintf(`---
apiVersion: v1
kind: Pod
metadata: {name: %s, namespace: team-a, annotations: {%s}}
spec:%s
  tolerations: [{operator: Exists}]
  containers: [{name: main, image: "%s", resources: {limits: {%s}}%s}]
`, name, inline(annotations), spec, image, requests, env)
}

// healthy is what every fault is added to: two nodes, and all parts of the operator.
var healthy = `---
apiVersion: v1
kind: Namespace
metadata: {name: gpu-operator}
` + node("gpu-ok-1") + node("gpu-ok-2", "taint {key: nvidia.com/gpu, value: present, effect: NoSchedule}") +
	daemon("nvidia-device-plugin-daemonset", "nvcr.io/nvidia/k8s-device-plugin:v0.18.0", "select nvidia.com/gpu.present: \"true\"") +
	daemon("nvidia-driver-daemonset", "nvcr.io/nvidia/driver:570.86.15-ubuntu22.04", "select nvidia.com/gpu.present: \"true\"") +
	daemon("gpu-operator-node-feature-discovery-worker", "registry.k8s.io/nfd/node-feature-discovery:v0.18.0") +
	daemon("gpu-feature-discovery", "nvcr.io/nvidia/gpu-feature-discovery:v0.18.0", "select nvidia.com/gpu.present: \"true\"") +
	daemon("nvidia-container-toolkit-daemonset", "nvcr.io/nvidia/k8s/container-toolkit:v1.18.0", "select nvidia.com/gpu.present: \"true\"") +
	daemon("nvidia-operator-validator", "nvcr.io/nvidia/gpu-operator:v25.10.0", "select nvidia.com/gpu.present: \"true\"")
