// Package pending lays clusters with one pod that waits into a real control plane with all its
// controllers, and carries out there what the program says would help.
package pending

import (
	"encoding/json"
	"maps"
	"slices"

	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kubectl-gpu/tests/controlplane/internal/oracle"
	"kubectl-gpu/tests/controlplane/internal/stored"
)

// Scene is a cluster and a pod that is to wait in it, made by an owner or by itself.
type Scene struct {
	Namespace string
	Name      string
	// OwnerKind is one of ownerPlurals; empty for a pod of its own.
	OwnerKind string
	// Replicas of the owner; 0 is 1.
	Replicas int64
	// OwnerSpec is more for the owner's spec.
	OwnerSpec map[string]any
	// Holders is how many pods owners in Others make, which all get nodes.
	Holders int
	// Others are all objects but the pod.
	Others []*unstructured.Unstructured
	Pod    *unstructured.Unstructured
}

// FromSeed is the scene of a generated scenario, without what controllers would not leave alone.
func FromSeed(seed uint64, ownerKind string) (*Scene, error) {
	made, err := oracle.Make(seed)
	if err != nil {
		return nil, err
	}
	made = made.Playable()
	scene := &Scene{Namespace: made.Waiting.Namespace, Name: made.Waiting.Name, OwnerKind: ownerKind}
	nodes := map[string]bool{}
	for _, manifest := range made.Manifests {
		object := &unstructured.Unstructured{}
		if err := json.Unmarshal(manifest, object); err != nil {
			return nil, err
		}
		switch object.GetKind() {
		case "Node":
			settleNode(object)
			nodes[object.GetName()] = true
		case "Pod":
			if object.GetNamespace() == scene.Namespace && object.GetName() == scene.Name {
				delete(object.Object, "status")
				scene.Pod = object
				continue
			}
			if !settlePod(object, nodes) {
				continue
			}
		}
		scene.Others = append(scene.Others, object)
	}
	return scene, nil
}

// HasNodes is whether there is any node.
func (s *Scene) HasNodes() bool {
	return slices.ContainsFunc(s.Others, func(object *unstructured.Unstructured) bool { return object.GetKind() == "Node" })
}

// conditionTaints are those that the controller manager keeps as the conditions say.
var conditionTaints = map[string]struct {
	condition string
	status    string
}{
	"node.kubernetes.io/not-ready":           {"Ready", "False"},
	"node.kubernetes.io/unreachable":         {"Ready", "Unknown"},
	"node.kubernetes.io/memory-pressure":     {"MemoryPressure", "True"},
	"node.kubernetes.io/disk-pressure":       {"DiskPressure", "True"},
	"node.kubernetes.io/network-unavailable": {"NetworkUnavailable", "True"},
}

// settleNode makes field, taints and conditions tell the same, as controllers would.
func settleNode(node *unstructured.Unstructured) {
	spec, _ := node.Object["spec"].(map[string]any)
	if spec == nil {
		spec = map[string]any{}
	}
	conditions := map[string]string{"Ready": "True"}
	var taints []any
	given, _ := spec["taints"].([]any)
	for _, each := range given {
		taint := each.(map[string]any)
		key, _ := taint["key"].(string)
		if key == core.TaintNodeUnschedulable {
			continue
		}
		if kept, is := conditionTaints[key]; is {
			conditions[kept.condition] = kept.status
			continue
		}
		taints = append(taints, taint)
	}
	for _, key := range slices.Sorted(maps.Keys(conditionTaints)) {
		kept := conditionTaints[key]
		if conditions[kept.condition] != kept.status {
			continue
		}
		taints = append(taints, map[string]any{"key": key, "effect": "NoSchedule"})
		if kept.condition == "Ready" {
			taints = append(taints, map[string]any{"key": key, "effect": "NoExecute"})
		}
	}
	if spec["unschedulable"] == true {
		taints = append(taints, map[string]any{"key": core.TaintNodeUnschedulable, "effect": "NoSchedule"})
	}
	spec["taints"] = taints
	node.Object["spec"] = spec
	var all []any
	for _, kind := range slices.Sorted(maps.Keys(conditions)) {
		all = append(all, map[string]any{"type": kind, "status": conditions[kind], "reason": "Test", "message": ""})
	}
	_ = unstructured.SetNestedSlice(node.Object, all, "status", "conditions")
	if conditions["Ready"] != "True" {
		annotations := map[string]string{"kubectl-gpu.test/unmanaged": "true"}
		maps.Copy(annotations, node.GetAnnotations())
		node.SetAnnotations(annotations)
	}
}

// settlePod leaves the running of the pod to KWOK; false for one that would not stay.
func settlePod(pod *unstructured.Unstructured, nodes map[string]bool) bool {
	at, _, _ := unstructured.NestedString(pod.Object, "spec", "nodeName")
	if pod.GetDeletionTimestamp() != nil || !nodes[at] {
		return false
	}
	phase, _, _ := unstructured.NestedString(pod.Object, "status", "phase")
	delete(pod.Object, "status")
	if behaviour := map[string]string{"Succeeded": "succeed", "Failed": "fail"}[phase]; behaviour != "" {
		pod.SetAnnotations(map[string]string{"kubectl-gpu.test/behaviour": behaviour})
		dropPorts(pod)
	}
	return true
}

// dropPorts takes the host ports away from a pod that will finish: kube-scheduler remembers no more
// of a port that two pods of a node had once one of them has gone.
func dropPorts(pod *unstructured.Unstructured) {
	spec := pod.Object["spec"].(map[string]any)
	for _, list := range []string{"containers", "initContainers"} {
		containers, _ := spec[list].([]any)
		for _, each := range containers {
			delete(each.(map[string]any), "ports")
		}
	}
}

// List is the scene as `kubectl get -o json` would show it, the pod by itself.
func (s *Scene) List() ([]byte, error) {
	items := []json.RawMessage{}
	for _, object := range append(slices.Clone(s.Others), s.Pod) {
		text, err := object.MarshalJSON()
		if err != nil {
			return nil, err
		}
		kept, err := stored.Object(text)
		if err != nil {
			return nil, err
		}
		if text, err = stored.JSON(kept); err != nil {
			return nil, err
		}
		items = append(items, text)
	}
	return json.Marshal(map[string]any{"apiVersion": "v1", "kind": "List", "items": items})
}
