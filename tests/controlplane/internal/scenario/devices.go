package scenario

import (
	"context"
	"fmt"
	"maps"
	"slices"

	core "k8s.io/api/core/v1"
	resource "k8s.io/api/resource/v1"
	quantity "k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

// DeviceClass is a resource.k8s.io DeviceClass.
type DeviceClass struct {
	Name string `json:"name"`
	// Selector is a CEL expression.
	Selector         string `json:"selector,omitempty"`
	ExtendedResource string `json:"extendedResource,omitempty"`
}

// Slice is a ResourceSlice of one node's pool. One with counters holds no devices: those stand in
// another slice of the same pool.
type Slice struct {
	Name string `json:"name"`
	Node string `json:"node"`
	// Driver is gpu.nvidia.com, Pool the node's name, Generation and Slices 1 unless said otherwise.
	Driver     string               `json:"driver,omitempty"`
	Pool       string               `json:"pool,omitempty"`
	Generation int64                `json:"generation,omitempty"`
	Slices     int64                `json:"slices,omitempty"`
	Counters   map[string]Resources `json:"counters,omitempty"`
	Devices    []Device             `json:"devices,omitempty"`
}

// Device is one device, or Count devices alike, named NAME-0 and so on; "#" in attributes and counter
// sets becomes the number.
type Device struct {
	Name       string            `json:"name"`
	Count      int               `json:"count,omitempty"`
	Attributes map[string]string `json:"attributes,omitempty"`
	Capacity   Resources         `json:"capacity,omitempty"`
	// Consumes is by counter set.
	Consumes map[string]Resources `json:"consumes,omitempty"`
	Taints   []string             `json:"taints,omitempty"`
	// Default is what a claim takes of a device that several may have, if it does not say; such a
	// device is what it makes of this one.
	Default Resources `json:"default,omitempty"`
}

// Claim is a ResourceClaim with one request, or with Template a ResourceClaimTemplate.
type Claim struct {
	Name      string `json:"name"`
	Namespace string `json:"namespace,omitempty"`
	Template  bool   `json:"template,omitempty"`
	Class     string `json:"class"`
	Count     int64  `json:"count,omitempty"`
	All       bool   `json:"all,omitempty"`
	Admin     bool   `json:"admin,omitempty"`
	Selector  string `json:"selector,omitempty"`
	// Capacity is asked of a device that several may have.
	Capacity Resources `json:"capacity,omitempty"`
}

func (s *Scenario) createDevices(ctx context.Context, client kubernetes.Interface) error {
	api := client.ResourceV1()
	for _, entry := range s.DeviceClasses {
		class := &resource.DeviceClass{ObjectMeta: v1.ObjectMeta{Name: entry.Name}}
		class.Spec.Selectors = selectors(entry.Selector)
		if entry.ExtendedResource != "" {
			class.Spec.ExtendedResourceName = &entry.ExtendedResource
		}
		if _, err := api.DeviceClasses().Create(ctx, class, v1.CreateOptions{}); err != nil {
			return fmt.Errorf("device class %s: %w", entry.Name, err)
		}
	}
	for _, entry := range s.ResourceSlices {
		slice, err := sliceObject(entry)
		if err == nil {
			_, err = api.ResourceSlices().Create(ctx, slice, v1.CreateOptions{})
		}
		if err != nil {
			return fmt.Errorf("resource slice %s: %w", entry.Name, err)
		}
	}
	for _, entry := range s.ResourceClaims {
		if err := createClaim(ctx, client, entry); err != nil {
			return fmt.Errorf("resource claim %s: %w", entry.Name, err)
		}
	}
	return nil
}

func createClaim(ctx context.Context, client kubernetes.Interface, entry Claim) error {
	spec, err := claimSpec(entry)
	if err != nil {
		return err
	}
	namespace := orDefault(entry.Namespace)
	meta := v1.ObjectMeta{Name: entry.Name, Namespace: namespace}
	if entry.Admin {
		if err := AllowAdminAccess(ctx, client, namespace); err != nil {
			return err
		}
	}
	if entry.Template {
		template := &resource.ResourceClaimTemplate{ObjectMeta: meta, Spec: resource.ResourceClaimTemplateSpec{Spec: spec}}
		_, err = client.ResourceV1().ResourceClaimTemplates(namespace).Create(ctx, template, v1.CreateOptions{})
		return err
	}
	claim := &resource.ResourceClaim{ObjectMeta: meta, Spec: spec}
	_, err = client.ResourceV1().ResourceClaims(namespace).Create(ctx, claim, v1.CreateOptions{})
	return err
}

// AllowAdminAccess lets claims of the namespace look at devices without taking them.
func AllowAdminAccess(ctx context.Context, client kubernetes.Interface, namespace string) error {
	patch := []byte(`{"metadata":{"labels":{"resource.kubernetes.io/admin-access":"true"}}}`)
	_, err := client.CoreV1().Namespaces().Patch(ctx, namespace, "application/merge-patch+json", patch, v1.PatchOptions{})
	return err
}

func claimSpec(entry Claim) (resource.ResourceClaimSpec, error) {
	request := &resource.ExactDeviceRequest{DeviceClassName: entry.Class, Selectors: selectors(entry.Selector),
		AllocationMode: resource.DeviceAllocationModeExactCount, Count: max(1, entry.Count)}
	if entry.All {
		request.AllocationMode, request.Count = resource.DeviceAllocationModeAll, 0
	}
	if entry.Admin {
		request.AdminAccess = &entry.Admin
	}
	if len(entry.Capacity) > 0 {
		amounts, err := qualified(entry.Capacity)
		if err != nil {
			return resource.ResourceClaimSpec{}, err
		}
		request.Capacity = &resource.CapacityRequirements{Requests: amounts}
	}
	return resource.ResourceClaimSpec{Devices: resource.DeviceClaim{
		Requests: []resource.DeviceRequest{{Name: "gpu", Exactly: request}}}}, nil
}

func selectors(expression string) []resource.DeviceSelector {
	if expression == "" {
		return nil
	}
	return []resource.DeviceSelector{{CEL: &resource.CELDeviceSelector{Expression: expression}}}
}

func sliceObject(entry Slice) (*resource.ResourceSlice, error) {
	driver, pool := entry.Driver, entry.Pool
	if driver == "" {
		driver = "gpu.nvidia.com"
	}
	if pool == "" {
		pool = entry.Node
	}
	slice := &resource.ResourceSlice{ObjectMeta: v1.ObjectMeta{Name: entry.Name}, Spec: resource.ResourceSliceSpec{
		Driver: driver, NodeName: &entry.Node, Pool: resource.ResourcePool{Name: pool,
			Generation: max(1, entry.Generation), ResourceSliceCount: max(1, entry.Slices)}}}
	for _, set := range slices.Sorted(maps.Keys(entry.Counters)) {
		counters, err := counterList(entry.Counters[set])
		if err != nil {
			return nil, err
		}
		slice.Spec.SharedCounters = append(slice.Spec.SharedCounters, resource.CounterSet{Name: set, Counters: counters})
	}
	for _, device := range entry.Devices {
		made, err := deviceObjects(device)
		if err != nil {
			return nil, fmt.Errorf("device %s: %w", device.Name, err)
		}
		slice.Spec.Devices = append(slice.Spec.Devices, made...)
	}
	return slice, nil
}

func counterList(amounts Resources) (map[string]resource.Counter, error) {
	counters := map[string]resource.Counter{}
	for name, text := range amounts {
		amount, err := quantity.ParseQuantity(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %q: %w", name, text, err)
		}
		counters[string(name)] = resource.Counter{Value: amount}
	}
	return counters, nil
}

func qualified(amounts Resources) (map[resource.QualifiedName]quantity.Quantity, error) {
	list := map[resource.QualifiedName]quantity.Quantity{}
	for name, text := range amounts {
		amount, err := quantity.ParseQuantity(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %q: %w", name, text, err)
		}
		list[resource.QualifiedName(name)] = amount
	}
	return list, nil
}

// asksForDevices tells whether the pod is one of the scenario's that have claims.
func (s *Scenario) asksForDevices(pod *core.Pod) bool {
	for _, entry := range s.Pods {
		if len(entry.Claims)+len(entry.Templates) > 0 && orDefault(entry.Namespace) == pod.Namespace &&
			slices.Contains(names(entry.Name, entry.Count), pod.Name) {
			return true
		}
	}
	return false
}

// addClaims lets the pod's first container use all that the pod claims.
func addClaims(spec *core.PodSpec, entry Pod) error {
	for i, name := range slices.Concat(entry.Claims, entry.Templates) {
		claim := core.PodResourceClaim{Name: fmt.Sprintf("claim%d", i+1)}
		if i < len(entry.Claims) {
			claim.ResourceClaimName = &name
		} else {
			claim.ResourceClaimTemplateName = &name
		}
		spec.ResourceClaims = append(spec.ResourceClaims, claim)
		resources := &spec.Containers[0].Resources
		resources.Claims = append(resources.Claims, core.ResourceClaim{Name: claim.Name})
	}
	if len(spec.ResourceClaims) > 0 && entry.Node != "" {
		return fmt.Errorf("claims and a node: who names its node is not given devices")
	}
	return nil
}
