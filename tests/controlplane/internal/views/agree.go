package views

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
)

// row names a row of `top nodes` in the other views.
type row struct{ node, source, resource, model string }

// sums are what the rows of one view say of a row of another, for a word such as "allocated".
type sums map[row]map[string]int64

func (s sums) add(key row, word string, amount int64) {
	if s[key] == nil {
		s[key] = map[string]int64{}
	}
	s[key][word] += amount
}

func text(value *string) string {
	if value == nil {
		return ""
	}
	return *value
}

func number(value *int64) int64 {
	if value == nil {
		return 0
	}
	return *value
}

// Disagreements are the sentences on what does not add up; none, if all is well.
func (v *Views) Disagreements() []string {
	return slices.Concat(v.rowsAddUp(), v.podsAddUp(), v.namespacesAddUp(), v.modelsAddUp(), v.devicesAddUp(), v.totalsAgree())
}

func differ(what string, have, want sums) []string {
	var all []string
	for key := range maps.Keys(want) {
		for word, amount := range want[key] {
			if have[key][word] != amount {
				all = append(all, fmt.Sprintf("%s: %+v: %s %d, top nodes says %d", what, key, word, have[key][word], amount))
			}
		}
	}
	for key, words := range have {
		for word, amount := range words {
			if _, known := want[key][word]; !known && amount != 0 {
				all = append(all, fmt.Sprintf("%s: %+v: %s %d, of which top nodes knows nothing", what, key, word, amount))
			}
		}
	}
	slices.Sort(all)
	return all
}

// rowsAddUp: capacity, or what labels promise, is held, free or unavailable.
func (v *Views) rowsAddUp() []string {
	var all []string
	for _, node := range v.Nodes.Items {
		if node.Allocated == nil || node.Free == nil || node.Unavailable == nil {
			continue
		}
		if sum := *node.Allocated + *node.Free + *node.Unavailable; sum < max(node.Capacity, node.Allocatable) || *node.Unavailable < 0 || *node.Free < 0 {
			all = append(all, fmt.Sprintf("top nodes: %s", encoded(node)))
		}
		if node.FreeCards != nil && (node.Cards == nil || *node.FreeCards > *node.Cards || *node.FreeCards < 0) {
			all = append(all, fmt.Sprintf("top nodes: free cards of more cards: %s", encoded(node)))
		}
	}
	return all
}

// held tells the allocated ones by row.
func (v *Views) held(key func(Node) row) sums {
	want := sums{}
	for _, node := range v.Nodes.Items {
		if number(node.Allocated) > 0 {
			want.add(key(node), "allocated", *node.Allocated)
		}
	}
	return want
}

func (v *Views) podsAddUp() []string {
	have := sums{}
	for _, pod := range v.countedOnce() {
		have.add(row{text(pod.Node), pod.Source, pod.Resource, text(pod.Model)}, "allocated", number(pod.GPUs))
	}
	return differ("top pods", have, v.held(func(n Node) row { return row{n.Name, n.Source, n.Resource, text(n.Model)} }))
}

// countedOnce are the rows of `top pods` that hold something, each claim once for a node's row.
func (v *Views) countedOnce() []Pod {
	type share struct {
		namespace, claim string
		row              row
	}
	seen := map[share]bool{}
	var kept []Pod
	for _, pod := range v.Pods.Items {
		if pod.Node == nil {
			continue // it waits
		}
		if pod.Claim != nil {
			key := share{pod.Namespace, *pod.Claim, row{*pod.Node, pod.Source, pod.Resource, text(pod.Model)}}
			if seen[key] {
				continue
			}
			seen[key] = true
		}
		kept = append(kept, pod)
	}
	return kept
}

func (v *Views) namespacesAddUp() []string {
	have, want, everywhere := sums{}, sums{}, sums{}
	pods := map[row]map[string]bool{}
	for _, each := range v.Namespaces.Items {
		key := row{each.Namespace, each.Source, each.Resource, text(each.Model)}
		have.add(key, "gpus", number(each.GPUs))
		have.add(key, "pods", each.Pods)
		everywhere.add(row{"", each.Source, each.Resource, text(each.Model)}, "allocated", number(each.GPUs))
	}
	for _, pod := range v.countedOnce() {
		want.add(row{pod.Namespace, pod.Source, pod.Resource, text(pod.Model)}, "gpus", number(pod.GPUs))
	}
	for _, pod := range v.Pods.Items {
		if pod.Node == nil || pod.Name == nil {
			continue
		}
		key := row{pod.Namespace, pod.Source, pod.Resource, text(pod.Model)}
		if pods[key] == nil {
			pods[key] = map[string]bool{}
		}
		pods[key][*pod.Name] = true
	}
	for key, names := range pods {
		want.add(key, "pods", int64(len(names)))
	}
	return slices.Concat(differ("top namespaces (against pods)", have, want),
		differ("top namespaces", everywhere, v.held(func(n Node) row { return row{"", n.Source, n.Resource, text(n.Model)} })))
}

// modelKey is what `top models` adds up over.
type modelKey struct{ model, unit, strategy, replicas string }

func keyOf(model *string, unit string, sharing Sharing) modelKey {
	replicas := "null"
	if sharing.Replicas != nil {
		replicas = fmt.Sprint(*sharing.Replicas)
	}
	return modelKey{text(model), unit, sharing.Strategy, replicas}
}

func (v *Views) modelsAddUp() []string {
	want, nodes := map[modelKey]*Model{}, map[modelKey]map[string]bool{}
	for _, node := range v.Nodes.Items {
		key := keyOf(node.Model, node.Unit, node.Sharing)
		if want[key] == nil {
			want[key] = &Model{Allocated: new(int64), Free: new(int64)}
			nodes[key] = map[string]bool{}
		}
		*want[key].Allocated += number(node.Allocated)
		*want[key].Free += number(node.Free)
		nodes[key][node.Name] = true
	}
	var all []string
	for _, model := range v.Models.Items {
		key := keyOf(model.Model, model.Unit, model.Sharing)
		sum := want[key]
		if sum == nil || number(model.Allocated) != *sum.Allocated || number(model.Free) != *sum.Free || model.Nodes != int64(len(nodes[key])) {
			all = append(all, fmt.Sprintf("top models: %s, top nodes says %s on %d nodes", encoded(model), encoded(sum), len(nodes[key])))
		}
		delete(want, key)
	}
	for key := range want {
		all = append(all, fmt.Sprintf("top models: %+v is missing, or stands once only", key))
	}
	return all
}

func (v *Views) devicesAddUp() []string {
	have, want := sums{}, sums{}
	var all []string
	for _, device := range v.GPUs.Items {
		have.add(row{device.Node, device.Source, device.Resource, text(device.Model)}, device.State, device.Units)
		if (device.UUID != nil || device.Device != nil) && device.Units != 1 {
			all = append(all, fmt.Sprintf("top gpus: one device stands for several: %s", encoded(device)))
		}
	}
	for _, node := range v.Nodes.Items {
		key := row{node.Name, node.Source, node.Resource, text(node.Model)}
		for word, amount := range map[string]*int64{"held": node.Allocated, "free": node.Free, "unavailable": node.Unavailable} {
			want.add(key, word, number(amount))
		}
	}
	return append(all, differ("top gpus", have, want)...)
}

func (v *Views) totalsAgree() []string {
	var all []string
	for name, summary := range map[string]Summary{"pods": v.Pods.Summary, "namespaces": v.Namespaces.Summary,
		"models": v.Models.Summary, "gpus": v.GPUs.Summary} {
		if !reflect.DeepEqual(summary, v.Nodes.Summary) {
			all = append(all, fmt.Sprintf("summary of top %s: %s, of top nodes: %s", name, encoded(summary), encoded(v.Nodes.Summary)))
		}
	}
	slices.Sort(all)
	return all
}

func encoded(value any) string {
	made, err := json.Marshal(value)
	if err != nil {
		return err.Error()
	}
	return string(made)
}
