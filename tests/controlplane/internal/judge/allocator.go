package judge

import (
	"context"
	"fmt"

	core "k8s.io/api/core/v1"
	resource "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/dynamic-resource-allocation/cel"
	"k8s.io/dynamic-resource-allocation/structured"
)

// features are those that kube-scheduler 1.36 has by default.
var features = structured.Features{AdminAccess: true, ConsumableCapacity: true, DeviceBindingAndStatus: true,
	DeviceTaints: true, PartitionableDevices: true, PrioritizedList: true}

var compiled = cel.NewCache(100, cel.Features{EnableConsumableCapacity: true})

// Allocator hands out devices with kube-scheduler's own code, one claim after the other as it does.
type Allocator struct {
	slices  []*resource.ResourceSlice
	classes classes
	state   structured.AllocatedState
}

// NewAllocator knows what the claims hold already.
func NewAllocator(slices []resource.ResourceSlice, deviceClasses []resource.DeviceClass, claims []resource.ResourceClaim) *Allocator {
	made := &Allocator{classes: classes{}, state: structured.AllocatedState{
		AllocatedDevices: sets.New[structured.DeviceID](), AllocatedSharedDeviceIDs: sets.New[structured.SharedDeviceID](),
		AggregatedCapacity: structured.NewConsumedCapacityCollection()}}
	for i := range slices {
		made.slices = append(made.slices, &slices[i])
	}
	for i := range deviceClasses {
		made.classes[deviceClasses[i].Name] = &deviceClasses[i]
	}
	for i := range claims {
		if claims[i].Status.Allocation != nil {
			made.hold(claims[i].Status.Allocation)
		}
	}
	return made
}

// Allocate gives devices of the node to the claim and remembers it; nil if there are not enough.
func (a *Allocator) Allocate(ctx context.Context, node *core.Node, claim *resource.ResourceClaim) (*resource.AllocationResult, error) {
	allocator, err := structured.NewAllocator(ctx, features, a.state, a.classes, a.slices, compiled)
	if err != nil {
		return nil, err
	}
	results, err := allocator.Allocate(ctx, node, []*resource.ResourceClaim{claim})
	if err != nil || len(results) == 0 {
		return nil, err
	}
	a.hold(&results[0])
	return &results[0], nil
}

func (a *Allocator) hold(allocation *resource.AllocationResult) {
	for _, result := range allocation.Devices.Results {
		id := structured.MakeDeviceID(result.Driver, result.Pool, result.Device)
		switch {
		case takesNothing(result):
		case result.ShareID == nil:
			a.state.AllocatedDevices.Insert(id)
		default:
			a.state.AllocatedSharedDeviceIDs.Insert(structured.MakeSharedDeviceID(id, result.ShareID))
			a.state.AggregatedCapacity.Insert(structured.NewDeviceConsumedCapacity(id, result.ConsumedCapacity))
		}
	}
}

func takesNothing(result resource.DeviceRequestAllocationResult) bool {
	return result.AdminAccess != nil && *result.AdminAccess
}

// classes by name.
type classes map[string]*resource.DeviceClass

func (c classes) List() ([]*resource.DeviceClass, error) {
	var all []*resource.DeviceClass
	for _, class := range c {
		all = append(all, class)
	}
	return all, nil
}

func (c classes) Get(name string) (*resource.DeviceClass, error) {
	if class, exists := c[name]; exists {
		return class, nil
	}
	return nil, fmt.Errorf("device class %s does not exist", name)
}
