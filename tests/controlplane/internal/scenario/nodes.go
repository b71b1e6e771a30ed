package scenario

import (
	"fmt"
	"maps"
	"strings"

	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/apis/meta/v1"
)

// nodeObjects makes the API objects of one entry.
func nodeObjects(entry Node) ([]*core.Node, error) {
	var nodes []*core.Node
	for _, name := range names(entry.Name, entry.Count) {
		node, err := nodeObject(entry, name)
		if err != nil {
			return nil, fmt.Errorf("node %s: %w", name, err)
		}
		nodes = append(nodes, node)
	}
	return nodes, nil
}

func nodeObject(entry Node, name string) (*core.Node, error) {
	capacity := core.ResourceList{
		core.ResourceCPU:              resource.MustParse("64"),
		core.ResourceMemory:           resource.MustParse("512Gi"),
		core.ResourceEphemeralStorage: resource.MustParse("500Gi"),
		core.ResourcePods:             resource.MustParse("110"),
	}
	if err := entry.Capacity.addTo(capacity); err != nil {
		return nil, err
	}
	allocatable := capacity.DeepCopy()
	if err := entry.Allocatable.addTo(allocatable); err != nil {
		return nil, err
	}
	labels := map[string]string{core.LabelHostname: name, core.LabelArchStable: "amd64", core.LabelOSStable: "linux"}
	maps.Copy(labels, entry.Labels)
	node := &core.Node{
		ObjectMeta: v1.ObjectMeta{Name: name, Labels: labels, Annotations: maps.Clone(entry.Annotations)},
		Spec:       core.NodeSpec{Unschedulable: entry.Unschedulable},
		Status: core.NodeStatus{Capacity: capacity, Allocatable: allocatable,
			NodeInfo: core.NodeSystemInfo{KubeletVersion: "v1.36.1", OperatingSystem: "linux", Architecture: "amd64"}},
	}
	for _, text := range entry.Taints {
		taint, err := parseTaint(text)
		if err != nil {
			return nil, err
		}
		node.Spec.Taints = append(node.Spec.Taints, taint)
	}
	if entry.Ready != "" {
		if node.Annotations == nil {
			node.Annotations = map[string]string{}
		}
		node.Annotations[unmanagedAnnotation] = ""
		return node, addConditions(node, append([]string{"Ready=" + entry.Ready}, entry.Conditions...))
	}
	if len(entry.Conditions) > 0 {
		return nil, fmt.Errorf("conditions without ready: KWOK would write over them")
	}
	return node, nil
}

func addConditions(node *core.Node, conditions []string) error {
	for _, text := range conditions {
		kind, status, found := strings.Cut(text, "=")
		if !found || (status != "True" && status != "False" && status != "Unknown") {
			return fmt.Errorf("condition %q: not TYPE=True|False|Unknown", text)
		}
		now := v1.Now()
		node.Status.Conditions = append(node.Status.Conditions, core.NodeCondition{
			Type: core.NodeConditionType(kind), Status: core.ConditionStatus(status), Reason: "Scenario",
			LastHeartbeatTime: now, LastTransitionTime: now})
	}
	return nil
}

// addTo sets every quantity in list; "none" removes the resource.
func (r Resources) addTo(list core.ResourceList) error {
	for name, text := range r {
		if text == "none" {
			delete(list, name)
			continue
		}
		quantity, err := resource.ParseQuantity(text)
		if err != nil {
			return fmt.Errorf("%s: %q: %w", name, text, err)
		}
		list[name] = quantity
	}
	return nil
}

// list is nil if nothing is asked for, so that objects look as people write them.
func (r Resources) list() (core.ResourceList, error) {
	if len(r) == 0 {
		return nil, nil
	}
	list := core.ResourceList{}
	return list, r.addTo(list)
}

// parseTaint reads KEY[=VALUE]:EFFECT, as `kubectl taint` does.
func parseTaint(text string) (core.Taint, error) {
	rest, effect, found := strings.Cut(text, ":")
	key, value, _ := strings.Cut(rest, "=")
	taint := core.Taint{Key: key, Value: value, Effect: core.TaintEffect(effect)}
	switch taint.Effect {
	case core.TaintEffectNoSchedule, core.TaintEffectPreferNoSchedule, core.TaintEffectNoExecute:
	default:
		found = false
	}
	if !found || key == "" {
		return taint, fmt.Errorf("taint %q: not KEY[=VALUE]:NoSchedule|PreferNoSchedule|NoExecute", text)
	}
	return taint, nil
}

// names is NAME, or NAME-1 to NAME-COUNT.
func names(name string, count int) []string {
	if count == 0 {
		return []string{name}
	}
	var all []string
	for i := range count {
		all = append(all, fmt.Sprintf("%s-%d", name, i+1))
	}
	return all
}
