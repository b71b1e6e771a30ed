// Package judge says what `kubectl-gpu top` must answer, computed a second way: from lists read by
// client-go, with the pod arithmetic of k8s.io/component-helpers that kube-scheduler itself uses.
package judge

import (
	"strconv"
	"strings"

	core "k8s.io/api/core/v1"
	resourcehelper "k8s.io/component-helpers/resource"
)

// Row is one resource of one node.
type Row struct {
	// Source is "dra" for devices of ResourceSlices, else empty.
	Source      string
	Capacity    int64
	Allocatable int64
	Allocated   int64
	Free        int64
	// Unavailable is nil where nobody can know: a GPU node that no label counts and that no device
	// plugin has registered.
	Unavailable *int64
}

// Key names a row.
type Key struct{ Node, Resource string }

// Rows is what top must answer of nodes and pods alone. Pods are all pods of the cluster.
func Rows(nodes []core.Node, pods []core.Pod) map[Key]Row {
	return (&World{Nodes: nodes, Pods: pods}).rows()
}

func (w *World) rows() map[Key]Row {
	held, slots, pods := map[string]core.ResourceList{}, map[string]int64{}, map[string][]*core.Pod{}
	for i := range w.Pods {
		pod := &w.Pods[i]
		if pod.Spec.NodeName == "" || finished(pod) {
			continue
		}
		slots[pod.Spec.NodeName]++
		add(held, pod.Spec.NodeName, Requests(pod))
		pods[pod.Spec.NodeName] = append(pods[pod.Spec.NodeName], pod)
	}
	rows, closed, published := map[Key]Row{}, map[string]bool{}, w.publishedFor()
	for i := range w.Nodes {
		node := &w.Nodes[i]
		closed[node.Name] = closedNode(node, slots[node.Name])
		for resource, row := range nodeRows(node, held[node.Name], closed[node.Name], published[node.Name]) {
			rows[Key{node.Name, resource}] = withCards(row, resource, node, pods[node.Name])
		}
	}
	w.addDevices(rows, closed)
	return rows
}

// Requests is what a pod takes from its node, with the options that kube-scheduler 1.36 has by
// default (pkg/scheduler/framework/types.go, CalculateResource), less the extended resources that a
// DRA driver provides: for those the scheduler has made a claim.
func Requests(pod *core.Pod) core.ResourceList {
	if status := pod.Status.ExtendedResourceClaimStatus; status != nil {
		pod = pod.DeepCopy()
		for _, mapping := range status.RequestMappings {
			for _, list := range [][]core.Container{pod.Spec.Containers, pod.Spec.InitContainers} {
				for i := range list {
					if list[i].Name == mapping.ContainerName {
						delete(list[i].Resources.Requests, core.ResourceName(mapping.ResourceName))
						delete(list[i].Resources.Limits, core.ResourceName(mapping.ResourceName))
					}
				}
			}
		}
	}
	return resourcehelper.PodRequests(pod, resourcehelper.PodResourcesOptions{
		UseStatusResources: true,
		InPlacePodLevelResourcesVerticalScalingEnabled: true,
	})
}

func add(sums map[string]core.ResourceList, node string, requests core.ResourceList) {
	if sums[node] == nil {
		sums[node] = core.ResourceList{}
	}
	for name, quantity := range requests {
		sum := sums[node][name]
		sum.Add(quantity)
		sums[node][name] = sum
	}
}

func nodeRows(node *core.Node, held core.ResourceList, closed, published bool) map[string]Row {
	rows, isReplaced := map[string]Row{}, false
	for _, list := range []core.ResourceList{node.Status.Capacity, node.Status.Allocatable, held} {
		for name := range list {
			if !IsDevice(string(name)) {
				continue
			}
			row := resourceRow(amount(node.Status.Capacity, name), amount(node.Status.Allocatable, name), amount(held, name), closed)
			// What a kubelet keeps of a plugin that is gone is no pool.
			if row.Capacity == 0 && row.Allocatable == 0 && row.Allocated == 0 {
				continue
			}
			rows[string(name)] = row
			isReplaced = isReplaced || replacesCards(string(name)) && row.Capacity+row.Allocatable > 0
		}
	}
	// Nor are whole cards, which the kubelet still remembers, that were since cut into slices or go by
	// another name.
	if whole, exists := rows["nvidia.com/gpu"]; exists && isReplaced && whole.Allocatable == 0 && whole.Allocated == 0 {
		delete(rows, "nvidia.com/gpu")
	}
	if !registered(node) && !published {
		addLabelled(rows, node)
	}
	dropLingering(rows, node)
	if !published {
		addMissing(rows, node)
	}
	// What a plugin left behind on a node whose cards a DRA driver publishes is DRA's.
	if row := rows["nvidia.com/gpu"]; published && row.Allocatable == 0 && row.Allocated == 0 {
		delete(rows, "nvidia.com/gpu")
	}
	return rows
}

// registered tells whether any device plugin has told the kubelet of devices.
func registered(node *core.Node) bool {
	for _, list := range []core.ResourceList{node.Status.Capacity, node.Status.Allocatable} {
		for name, quantity := range list {
			if IsDevice(string(name)) && !quantity.IsZero() {
				return true
			}
		}
	}
	return false
}

// machines are instance types that generated nodes have, and their NVIDIA GPUs as the clouds' own
// pages list them.
var machines = map[string]int64{"p5.48xlarge": 8, "g2-standard-4": 1}

// dropLingering takes away slices of a layout that is gone: no label counts them any more, and other
// names have the node's cards.
func dropLingering(rows map[string]Row, node *core.Node) {
	others := false
	for name, row := range rows {
		others = others || strings.HasPrefix(name, "nvidia.com/") && row.Allocatable > 0
	}
	for name, row := range rows {
		_, isCounted := node.Labels[name+".count"]
		if !others || !strings.HasPrefix(name, "nvidia.com/mig-") || isCounted || labelled(node) != "nvidia.com/gpu" ||
			row.Capacity == 0 || row.Allocatable > 0 {
			continue
		}
		if row.Allocated == 0 {
			delete(rows, name)
			continue
		}
		row.Unavailable = new(int64) // there is what pods hold still
		rows[name] = row
	}
}

// addMissing counts as unavailable what labels promise and nothing advertises, where one name stands
// for all cards of the maker.
func addMissing(rows map[string]Row, node *core.Node) {
	count, resource := labelledCount(node), labelled(node)
	domain, _, _ := strings.Cut(resource, "/")
	for label := range node.Labels {
		if strings.HasPrefix(label, "nvidia.com/mig-") && strings.HasSuffix(label, ".count") {
			return
		}
	}
	var names []string
	for name := range rows {
		if strings.HasPrefix(name, domain+"/") {
			names = append(names, name)
		}
	}
	isOfCards := len(names) == 1 && (names[0] == resource || names[0] == resource+".shared")
	if count == nil || !isOfCards || strings.Contains(node.Labels["nvidia.com/gpu.product"], "-MIG-") {
		return
	}
	row := rows[names[0]]
	// Ten shares are not made of cards with four each: how many cards there are is then not known.
	if replicas, err := strconv.ParseInt(node.Labels["nvidia.com/gpu.replicas"], 10, 64); err == nil && replicas > 1 && row.Capacity%replicas != 0 {
		return
	}
	if seen := max(row.Capacity, row.Allocatable, row.Allocated); row.Capacity > 0 && row.Unavailable != nil && *count > seen {
		more := *row.Unavailable + *count - seen
		row.Unavailable = &more
		rows[names[0]] = row
	}
}

// addLabelled counts what the labels promise of a node on which no plugin is registered. A pod may
// hold a part of it still, from the time before the resource went away.
func addLabelled(rows map[string]Row, node *core.Node) {
	resource := labelled(node)
	if resource == "" {
		return
	}
	row := rows[resource]
	row.Unavailable = labelledCount(node)
	if row.Unavailable != nil {
		rest := max(*row.Unavailable, row.Allocated) - row.Allocated
		row.Unavailable = &rest
	}
	rows[resource] = row
}

func resourceRow(capacity, allocatable, held int64, closed bool) Row {
	row := Row{Capacity: capacity, Allocatable: allocatable, Allocated: held}
	if !closed {
		row.Free = max(0, allocatable-held)
	}
	unavailable := max(capacity, held) - held - row.Free
	row.Unavailable = &unavailable
	return row
}

func amount(list core.ResourceList, name core.ResourceName) int64 {
	quantity := list[name]
	return quantity.Value()
}

// closedNode tells whether no further pod can start on the node, whatever it asks for and
// whatever taint of the node's purpose it tolerates.
func closedNode(node *core.Node, slots int64) bool {
	if node.Spec.Unschedulable || slots >= amount(node.Status.Allocatable, core.ResourcePods) {
		return true
	}
	for _, taint := range node.Spec.Taints {
		if taint.Effect != core.TaintEffectPreferNoSchedule && IsLifecycle(taint.Key) {
			return true
		}
	}
	for _, condition := range node.Status.Conditions {
		if condition.Type == core.NodeReady {
			return condition.Status != core.ConditionTrue
		}
	}
	return true
}

// IsLifecycle tells a taint that comes with a node's state from one that says what the node is for.
func IsLifecycle(key string) bool {
	return strings.HasPrefix(key, "node.kubernetes.io/") || key == "ToBeDeletedByClusterAutoscaler"
}

// labelled is the resource that a node's labels promise, or nothing.
func labelled(node *core.Node) string {
	for _, label := range []string{"nvidia.com/gpu.present", "nvidia.com/gpu.product",
		"cloud.google.com/gke-accelerator", "kubernetes.azure.com/accelerator"} {
		if node.Labels[label] != "" {
			return "nvidia.com/gpu"
		}
	}
	if node.Labels["amd.com/gpu.product-name"] != "" {
		return "amd.com/gpu"
	}
	if node.Labels["gpu.intel.com/device.count"] != "" {
		return "gpu.intel.com/i915"
	}
	if machines[node.Labels[core.LabelInstanceTypeStable]] > 0 {
		return "nvidia.com/gpu"
	}
	return ""
}

// labelledCount is the number of units that labels promise: cards or slices, times the shares of
// each. HAMi's shares, and those of a product named -SHARED without replicas, nobody counts.
func labelledCount(node *core.Node) *int64 {
	shares := int64(1)
	_, hami := node.Annotations["hami.io/node-nvidia-register"]
	_, memory := node.Status.Capacity["nvidia.com/gpumem"]
	_, cores := node.Status.Capacity["nvidia.com/gpucores"]
	if replicas, err := strconv.ParseInt(node.Labels["nvidia.com/gpu.replicas"], 10, 64); err == nil && replicas > 1 {
		shares = replicas
	} else if strings.HasSuffix(node.Labels["nvidia.com/gpu.product"], "-SHARED") {
		return nil
	}
	if hami || memory || cores {
		return nil
	}
	number := func(label string) int64 {
		count, err := strconv.ParseInt(node.Labels[label], 10, 64)
		if err != nil {
			return -1
		}
		return count
	}
	discovered, sold := number("nvidia.com/gpu.count"), number("cloud.google.com/gke-accelerator-count")
	if sold <= 0 {
		sold = max(number("gpu.intel.com/device.count"), 0)
	}
	if sold == 0 && labelled(node) == "nvidia.com/gpu" {
		sold = machines[node.Labels[core.LabelInstanceTypeStable]]
	}
	if sold == 0 {
		sold = -1
	}
	// A card that fell off the bus is not discovered, and was sold all the same. Of slices, nobody
	// sells a number.
	count := max(discovered, sold)
	if discovered >= 0 && strings.Contains(node.Labels["nvidia.com/gpu.product"], "-MIG-") {
		count = discovered
	}
	if count >= 0 {
		count *= shares
		return &count
	}
	return nil
}
