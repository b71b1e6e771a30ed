package judge

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"

	core "k8s.io/api/core/v1"
	resource "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1"
)

// gpuDrivers are DRA drivers whose devices are accelerators.
var gpuDrivers = []string{"gpu.nvidia.com", "gpu.amd.com", "gpu.intel.com", "gaudi.intel.com", "tpu.google.com", "neuron.aws.com"}

// deviceAt says where a device is, what it is, and what is held of it.
type deviceAt struct {
	key    Key
	driver string
	device *resource.Device
	// units is 1, or how many claims of the default size fit into a device that several can have.
	units, held int64
	// broken devices are tainted, or their pool is not complete: the scheduler gives them to nobody.
	broken bool
	// cut devices are parts that a card is cut into when they are asked for.
	cut bool
	// consumed is what claims take of a device that several can have.
	consumed map[resource.QualifiedName]int64
}

// deviceKey is how claims name a device.
type deviceKey struct{ driver, pool, device string }

// DeviceResource is the resource under which top shows a device: its driver, for a MIG slice or
// another part of a card with the profile.
func DeviceResource(driver string, device *resource.Device) string {
	profile := attribute(device, "profile")
	switch {
	case profile != "" && driver == "gpu.nvidia.com":
		return driver + "/mig-" + profile
	case profile != "":
		return driver + "/" + profile
	}
	return driver
}

// attribute is a device's string attribute in the driver's own domain, or nothing.
func attribute(device *resource.Device, name string) string {
	if value := device.Attributes[resource.QualifiedName(name)].StringValue; value != nil {
		return *value
	}
	return ""
}

// newest are the slices of the highest generation of each pool.
func newest(all []resource.ResourceSlice) []*resource.ResourceSlice {
	type pool struct{ driver, name string }
	highest := map[pool]int64{}
	for i := range all {
		id := pool{all[i].Spec.Driver, all[i].Spec.Pool.Name}
		highest[id] = max(highest[id], all[i].Spec.Pool.Generation)
	}
	var kept []*resource.ResourceSlice
	for i := range all {
		if spec := &all[i].Spec; spec.Pool.Generation == highest[pool{spec.Driver, spec.Pool.Name}] {
			kept = append(kept, &all[i])
		}
	}
	return kept
}

// devices are all that drivers of accelerators publish for single nodes, with what claims hold.
func (w *World) devices() map[deviceKey]*deviceAt {
	found := map[deviceKey]*deviceAt{}
	for _, slice := range newest(w.Slices) {
		if !slices.Contains(gpuDrivers, slice.Spec.Driver) {
			continue
		}
		for i := range slice.Spec.Devices {
			device := &slice.Spec.Devices[i]
			node := slice.Spec.NodeName
			if node == nil {
				node = device.NodeName
			}
			if node != nil {
				found[deviceKey{slice.Spec.Driver, slice.Spec.Pool.Name, device.Name}] = &deviceAt{driver: slice.Spec.Driver,
					key: Key{*node, DeviceResource(slice.Spec.Driver, device)}, device: device, units: sharesLeft(device, nil),
					broken:   broken(device) || !complete(w.Slices, slice),
					cut:      len(device.ConsumesCounters) > 0 && attribute(device, "profile") != "",
					consumed: map[resource.QualifiedName]int64{}}
			}
		}
	}
	for _, claim := range w.Claims {
		for _, result := range results(claim) {
			if at := found[deviceKey{result.Driver, result.Pool, result.Device}]; at != nil {
				for name, amount := range result.ConsumedCapacity {
					at.consumed[name] += amount.Value()
				}
				at.held = at.units - sharesLeft(at.device, at.consumed)
			}
		}
	}
	return found
}

func broken(device *resource.Device) bool {
	return slices.ContainsFunc(device.Taints, func(taint resource.DeviceTaint) bool {
		return taint.Effect == resource.DeviceTaintEffectNoSchedule || taint.Effect == resource.DeviceTaintEffectNoExecute
	})
}

// complete tells whether all slices of the pool are there.
func complete(all []resource.ResourceSlice, one *resource.ResourceSlice) bool {
	count := int64(0)
	for i := range all {
		if spec := &all[i].Spec; spec.Driver == one.Spec.Driver && spec.Pool == one.Spec.Pool {
			count++
		}
	}
	return count == one.Spec.Pool.ResourceSliceCount
}

// publishedFor tells of which nodes a DRA driver publishes NVIDIA's cards.
func (w *World) publishedFor() map[string]bool {
	nodes := map[string]bool{}
	for _, at := range w.devices() {
		nodes[at.key.Node] = nodes[at.key.Node] || at.driver == "gpu.nvidia.com"
	}
	return nodes
}

// results are the devices that a claim holds, without those that it only looks at.
func results(claim resource.ResourceClaim) []resource.DeviceRequestAllocationResult {
	if claim.Status.Allocation == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(claim.Status.Allocation.Devices.Results), takesNothing)
}

// sharesLeft is how many claims of the default size fit into what is left of a device: none into one
// that only one claim can have and that has one.
func sharesLeft(device *resource.Device, consumed map[resource.QualifiedName]int64) int64 {
	if device.AllowMultipleAllocations == nil || !*device.AllowMultipleAllocations {
		if consumed == nil {
			return 1
		}
		return 0
	}
	least := int64(-1)
	for name, capacity := range device.Capacity {
		part := capacity.Value.Value()
		if capacity.RequestPolicy != nil && capacity.RequestPolicy.Default != nil {
			part = capacity.RequestPolicy.Default.Value()
		}
		if count := (capacity.Value.Value() - consumed[name]) / max(1, part); least < 0 || count < least {
			least = count
		}
	}
	return least
}

// addDevices adds a row for each kind of DRA device of a node. Free are as many as kube-scheduler's
// allocator hands out one by one: whole cards first, then the parts that can be cut of the other
// cards, largest first. What is free is so at the same time; no card is free twice.
func (w *World) addDevices(rows map[Key]Row, closed map[string]bool) {
	cut := map[Key]bool{}
	for _, at := range w.devices() {
		row := rows[at.key]
		row.Source = "dra"
		row.Capacity += at.units
		row.Allocated += at.held
		row.Allocatable += at.units
		if at.broken {
			row.Allocatable -= at.units - at.held
		}
		rows[at.key] = row
		cut[at.key] = at.cut
	}
	allocator := NewAllocator(w.Slices, w.classes(), w.Claims)
	for _, key := range w.largestFirst() {
		row := rows[key]
		count := w.startable(allocator, key, row.Capacity)
		if !closed[key.Node] {
			row.Free = count
		}
		if cut[key] {
			row.Capacity = row.Allocated + count
			row.Allocatable = row.Capacity
		}
		// What could be cut and neither is nor can be is no row.
		if row.Capacity == 0 {
			delete(rows, key)
			continue
		}
		rest := row.Capacity - row.Allocated - row.Free
		row.Unavailable = &rest
		rows[key] = row
	}
}

// largestFirst are the kinds of DRA devices: whole cards, then parts by their memory.
func (w *World) largestFirst() []Key {
	sizes := map[Key]int64{}
	for _, at := range w.devices() {
		sizes[at.key] = math.MaxInt64
		if _, profile := splitResource(at.key.Resource); profile != "" {
			memory := at.device.Capacity["memory"]
			sizes[at.key] = memory.Value.Value()
		}
	}
	return slices.SortedFunc(maps.Keys(sizes), func(a, b Key) int {
		return cmp.Or(cmp.Compare(sizes[b], sizes[a]), cmp.Compare(a.Resource, b.Resource), cmp.Compare(a.Node, b.Node))
	})
}

// Order says which row of DRA devices is free beside which: one that comes before goes first. Rows of
// device plugins do not stand here, and none goes before them.
func (w *World) Order() map[Key]int {
	order := map[Key]int{}
	for i, key := range w.largestFirst() {
		order[key] = i + 1
	}
	return order
}

// AnyDevice is a device class without a condition, which the judge's claims name.
const AnyDevice = "any-device.judge"

// Classes are those of the world, and AnyDevice.
func (w *World) classes() []resource.DeviceClass {
	return append(slices.Clone(w.Classes), resource.DeviceClass{ObjectMeta: v1.ObjectMeta{Name: AnyDevice}})
}

// startable is how many claims for one device of the kind can be allocated on the node.
func (w *World) startable(allocator *Allocator, key Key, limit int64) int64 {
	var node *core.Node
	for i := range w.Nodes {
		if w.Nodes[i].Name == key.Node {
			node = &w.Nodes[i]
		}
	}
	claim := ClaimFor(key.Resource, AnyDevice)
	for count := int64(0); ; count++ {
		result, err := allocator.Allocate(context.Background(), node, claim)
		if err != nil {
			panic(fmt.Sprintf("%v: %v", key, err))
		}
		if result == nil || count == limit {
			return count
		}
	}
}

// ClaimFor asks for one device of those that top shows as resource.
func ClaimFor(name, class string) *resource.ResourceClaim {
	return &resource.ResourceClaim{ObjectMeta: v1.ObjectMeta{Name: "one", Namespace: "judge", UID: "one"},
		Spec: resource.ResourceClaimSpec{Devices: resource.DeviceClaim{Requests: []resource.DeviceRequest{{Name: "device",
			Exactly: &resource.ExactDeviceRequest{DeviceClassName: class, Count: 1,
				AllocationMode: resource.DeviceAllocationModeExactCount, Selectors: []resource.DeviceSelector{{
					CEL: &resource.CELDeviceSelector{Expression: Selector(name)}}}}}}}}}
}

// Selector is the CEL expression for the devices that top shows as resource.
func Selector(name string) string {
	driver, profile := splitResource(name)
	if profile == "" {
		return fmt.Sprintf("device.driver == %q && !('profile' in device.attributes[%q])", driver, driver)
	}
	return fmt.Sprintf("device.driver == %q && 'profile' in device.attributes[%q] && device.attributes[%q].profile == %q",
		driver, driver, driver, profile)
}
