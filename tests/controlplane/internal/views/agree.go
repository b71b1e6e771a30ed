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
		if node.FreeCards != nil && (*node.FreeCards < 0 || node.Cards != nil && *node.FreeCards > *node.Cards) {
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
type modelKey struct {
	model, vendor, unit, strategy, replicas string
	secondView                              bool
}

func replicas(sharing Sharing) string {
	if sharing.Replicas == nil {
		return "null"
	}
	return fmt.Sprint(*sharing.Replicas)
}

// modelSum is what the rows of nodes say of a model; sums of known numbers, and whether all were known.
type modelSum struct {
	nodes                                                 map[string]bool
	cards, freeCards, total, allocated, free, unavailable amount
}

type amount struct {
	sum     int64
	unknown bool
}

func (a *amount) add(value *int64) {
	if value == nil {
		a.unknown = true
	} else {
		a.sum += *value
	}
}

// is tells whether the answer is the sum, or null where not all was known.
func (a amount) is(value *int64) bool {
	if a.unknown || value == nil {
		return a.unknown == (value == nil)
	}
	return a.sum == *value
}

// modelSums adds up the rows of nodes.
func (v *Views) modelSums() map[modelKey]*modelSum {
	sums := map[modelKey]*modelSum{}
	for _, node := range v.Nodes.Items {
		key := modelKey{text(node.Model), node.Vendor, node.Unit, node.Sharing.Strategy, replicas(node.Sharing), node.SecondView}
		if sums[key] == nil {
			sums[key] = &modelSum{nodes: map[string]bool{}}
		}
		sum := sums[key]
		sum.nodes[node.Name] = true
		sum.cards.add(node.Cards)
		sum.freeCards.add(node.FreeCards)
		sum.allocated.add(node.Allocated)
		sum.free.add(node.Free)
		sum.unavailable.add(node.Unavailable)
		sum.total.add(totalOf(node))
	}
	return sums
}

func totalOf(node Node) *int64 {
	if node.Allocated == nil || node.Free == nil || node.Unavailable == nil {
		return nil
	}
	total := *node.Allocated + *node.Free + *node.Unavailable
	return &total
}

func (v *Views) modelsAddUp() []string {
	want := v.modelSums()
	var all []string
	for _, model := range v.Models.Items {
		key := modelKey{text(model.Model), model.Vendor, model.Unit, model.Sharing.Strategy, replicas(model.Sharing), model.SecondView}
		sum := want[key]
		delete(want, key)
		if sum == nil || int64(len(sum.nodes)) != model.Nodes || !sum.cards.is(model.Cards) || !sum.freeCards.is(model.FreeCards) || !sum.total.is(model.Total) ||
			!sum.allocated.is(model.Allocated) || !sum.free.is(model.Free) || !sum.unavailable.is(model.Unavailable) {
			all = append(all, fmt.Sprintf("top models: %s, top nodes says %+v", encoded(model), sum))
		}
	}
	for key := range want {
		all = append(all, fmt.Sprintf("top models: %+v is missing", key))
	}
	return all
}

func (v *Views) devicesAddUp() []string {
	have, want := sums{}, sums{}
	var all []string
	for _, device := range v.GPUs.Items {
		have.add(row{device.Node, device.Source, device.Resource, text(device.Model)}, device.State, device.Units)
		shared := device.Unit == "share" || device.Unit == "mig-share" || device.Unit == "gib"
		if (device.UUID != nil || device.Device != nil) && device.Units != 1 && !shared {
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
