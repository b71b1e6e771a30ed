package views

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"kubectl-gpu/tests/controlplane/internal/judge"
)

// Against are the sentences on what the judge sees otherwise; none, if all is well.
func (v *Views) Against(world *judge.World) []string {
	return slices.Concat(v.RowsAgainst(world.Rows()), v.podsAgainst(world), v.namespacesAgainst(world))
}

// RowsAgainst compares the rows of nodes, models put together.
func (v *Views) RowsAgainst(want map[judge.Key]judge.Row) []string {
	have := map[judge.Key]judge.Row{}
	var all []string
	for _, node := range v.Nodes.Items {
		key := judge.Key{Node: node.Name, Resource: node.Resource}
		sum, exists := have[key]
		sum.Capacity += node.Capacity
		sum.Allocatable += node.Allocatable
		sum.Allocated += number(node.Allocated)
		sum.Free += number(node.Free)
		if node.Unavailable != nil {
			rest := number(sum.Unavailable) + *node.Unavailable
			sum.Unavailable = &rest
		} else if exists {
			sum.Unavailable = nil
		}
		if node.Source == "dra" {
			sum.Source = node.Source
		}
		have[key] = sum
	}
	for _, key := range sorted(want) {
		mine, exists := have[key]
		if !exists {
			all = append(all, fmt.Sprintf("top nodes: %+v is missing; the judge says %s", key, encoded(want[key])))
		} else if encoded(mine) != encoded(want[key]) {
			all = append(all, fmt.Sprintf("top nodes: %+v: %s, the judge says %s", key, encoded(mine), encoded(want[key])))
		}
	}
	for _, key := range sorted(have) {
		if _, exists := want[key]; !exists {
			all = append(all, fmt.Sprintf("top nodes: %+v shall not be there: %s", key, encoded(have[key])))
		}
	}
	return all
}

func sorted(rows map[judge.Key]judge.Row) []judge.Key {
	return slices.SortedFunc(maps.Keys(rows), func(a, b judge.Key) int {
		return cmp.Or(cmp.Compare(a.Node, b.Node), cmp.Compare(a.Resource, b.Resource))
	})
}

func (v *Views) podsAgainst(world *judge.World) []string {
	have, want := map[judge.Holding]int{}, map[judge.Holding]int{}
	// The judge knows no models: what a pod has of several stands together.
	units := map[judge.Holding]int64{}
	for _, pod := range v.Pods.Items {
		if pod.Node == nil {
			continue // it waits
		}
		units[judge.Holding{Namespace: pod.Namespace, Pod: text(pod.Name), Claim: text(pod.Claim),
			Key: judge.Key{Node: *pod.Node, Resource: pod.Resource}, SharedBy: pod.SharedBy}] += number(pod.GPUs)
	}
	for holding, count := range units {
		holding.Units = count
		have[holding]++
	}
	for _, holding := range world.Holdings() {
		want[holding]++
	}
	var all []string
	for holding, times := range want {
		if have[holding] != times {
			all = append(all, fmt.Sprintf("top pods: %+v stands %d times, the judge says %d", holding, have[holding], times))
		}
	}
	for holding := range have {
		if want[holding] == 0 {
			all = append(all, fmt.Sprintf("top pods: %+v: the judge knows nothing of it", holding))
		}
	}
	slices.Sort(all)
	return all
}

// namespacesAgainst: units by namespace and resource, a claim counted where it lives.
func (v *Views) namespacesAgainst(world *judge.World) []string {
	type key struct{ namespace, resource string }
	have, want := map[key]int64{}, map[key]int64{}
	for _, each := range v.Namespaces.Items {
		have[key{each.Namespace, each.Resource}] += number(each.GPUs)
	}
	counted := map[judge.Holding]bool{}
	for _, holding := range world.Holdings() {
		once := holding
		once.Pod = ""
		if holding.Claim != "" && counted[once] {
			continue
		}
		counted[once] = true
		want[key{holding.Namespace, holding.Key.Resource}] += holding.Units
	}
	var all []string
	for each := range want {
		if have[each] != want[each] {
			all = append(all, fmt.Sprintf("top namespaces: %+v: %d, the judge says %d", each, have[each], want[each]))
		}
	}
	for each := range have {
		if _, exists := want[each]; !exists {
			all = append(all, fmt.Sprintf("top namespaces: %+v: the judge knows nothing of it", each))
		}
	}
	slices.Sort(all)
	return all
}
