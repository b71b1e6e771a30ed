package judge

import (
	"context"
	"slices"
	"strings"

	core "k8s.io/api/core/v1"
	resource "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

// World is all of a cluster that its inventory is made of.
type World struct {
	Nodes   []core.Node
	Pods    []core.Pod
	Slices  []resource.ResourceSlice
	Claims  []resource.ResourceClaim
	Classes []resource.DeviceClass
}

// Read lists everything.
func Read(ctx context.Context, api kubernetes.Interface) (*World, error) {
	nodes, err := api.CoreV1().Nodes().List(ctx, v1.ListOptions{})
	if err != nil {
		return nil, err
	}
	pods, err := api.CoreV1().Pods("").List(ctx, v1.ListOptions{})
	if err != nil {
		return nil, err
	}
	published, err := api.ResourceV1().ResourceSlices().List(ctx, v1.ListOptions{})
	if err != nil {
		return nil, err
	}
	claims, err := api.ResourceV1().ResourceClaims("").List(ctx, v1.ListOptions{})
	if err != nil {
		return nil, err
	}
	kinds, err := api.ResourceV1().DeviceClasses().List(ctx, v1.ListOptions{})
	if err != nil {
		return nil, err
	}
	return &World{nodes.Items, pods.Items, published.Items, claims.Items, kinds.Items}, nil
}

// Rows is what `top nodes` must answer.
func (w *World) Rows() map[Key]Row {
	return w.rows()
}

// Holding is what one pod, or one claim that no pod uses, has of one row.
type Holding struct {
	Namespace, Pod string
	// Claim is empty for what the pod itself requests.
	Claim string
	Key   Key
	Units int64
	// SharedBy is the number of pods that use the claim together.
	SharedBy int64
}

// Holdings are all of them. A claim that pods share stands once for each.
func (w *World) Holdings() []Holding {
	var all []Holding
	known := map[string]bool{}
	for i := range w.Nodes {
		known[w.Nodes[i].Name] = true
	}
	for i := range w.Pods {
		pod := &w.Pods[i]
		if !known[pod.Spec.NodeName] || finished(pod) {
			continue
		}
		for name, amount := range Requests(pod) {
			if units := amount.Value(); IsDevice(string(name)) && units > 0 {
				all = append(all, Holding{Namespace: pod.Namespace, Pod: pod.Name, Key: Key{pod.Spec.NodeName, string(name)},
					Units: units, SharedBy: 1})
			}
		}
	}
	found := w.devices()
	for _, claim := range w.Claims {
		all = append(all, claimHoldings(claim, found)...)
	}
	return all
}

func claimHoldings(claim resource.ResourceClaim, found map[deviceKey]*deviceAt) []Holding {
	units := map[Key]int64{}
	for _, result := range results(claim) {
		if at := found[deviceKey{result.Driver, result.Pool, result.Device}]; at != nil {
			units[at.key] += unitsOf(at.device, result)
		}
	}
	users := slices.DeleteFunc(slices.Clone(claim.Status.ReservedFor), func(user resource.ResourceClaimConsumerReference) bool {
		return user.Resource != "pods"
	})
	var all []Holding
	for key, count := range units {
		holding := Holding{Namespace: claim.Namespace, Claim: claim.Name, Key: key, Units: count, SharedBy: int64(len(users))}
		for _, user := range users {
			holding.Pod = user.Name
			all = append(all, holding)
		}
		if len(users) == 0 {
			all = append(all, holding)
		}
	}
	return all
}

// unitsOf is how many units of the device's row a result holds.
func unitsOf(device *resource.Device, result resource.DeviceRequestAllocationResult) int64 {
	whole := sharesLeft(device, nil)
	consumed := map[resource.QualifiedName]int64{}
	for name, amount := range result.ConsumedCapacity {
		consumed[name] = amount.Value()
	}
	return whole - sharesLeft(device, consumed)
}

func finished(pod *core.Pod) bool {
	return pod.Status.Phase == core.PodSucceeded || pod.Status.Phase == core.PodFailed
}

// splitResource takes a DRA row's resource apart: the driver, and the profile of parts of cards.
func splitResource(name string) (driver, profile string) {
	driver, profile, _ = strings.Cut(name, "/")
	return driver, strings.TrimPrefix(profile, "mig-")
}
