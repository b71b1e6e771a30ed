// Package place puts generated clusters into a real control plane, many at once.
package place

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	core "k8s.io/api/core/v1"
	resource "k8s.io/api/resource/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"golang.org/x/sync/errgroup"

	"kubectl-gpu/tests/controlplane/internal/cluster"
	"kubectl-gpu/tests/controlplane/internal/generate"
	"kubectl-gpu/tests/controlplane/internal/judge"
	"kubectl-gpu/tests/controlplane/internal/scenario"
)

// Parallel is how many requests are on their way at once.
const Parallel = 24

// each runs work for every item.
func each[T any](ctx context.Context, items []T, work func(context.Context, *T) error) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(Parallel)
	for i := range items {
		group.Go(func() error { return work(ctx, &items[i]) })
	}
	return group.Wait()
}

// Create makes all objects of the clusters, which were allocated before, and returns when the
// controllers have seen them.
func Create(ctx context.Context, api kubernetes.Interface, clusters []*generate.Kinds) error {
	all := &judge.World{}
	for _, one := range clusters {
		world, err := judge.Decode(generate.List(one.Objects()...))
		if err != nil {
			return err
		}
		all.Nodes = append(all.Nodes, world.Nodes...)
		all.Pods = append(all.Pods, world.Pods[:len(one.Pods)]...) // without the list's own pod
		all.Slices = append(all.Slices, world.Slices...)
		all.Claims = append(all.Claims, world.Claims...)
		all.Classes = world.Classes
	}
	for _, step := range []func() error{
		func() error { return prepare(ctx, api, all.Classes) },
		func() error { return each(ctx, all.Nodes, maker{api}.node) },
		func() error { return each(ctx, all.Slices, maker{api}.slice) },
		func() error { return scenario.WaitForNodes(ctx, api) },
		func() error { return each(ctx, all.Claims, maker{api}.claim) },
		func() error { return each(ctx, all.Pods, maker{api}.pod) },
		func() error { return reserved(ctx, api, all.Claims) },
	} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// prepare makes the device class and the namespaces.
func prepare(ctx context.Context, api kubernetes.Interface, all []resource.DeviceClass) error {
	for i := range all {
		if _, err := api.ResourceV1().DeviceClasses().Create(ctx, &all[i], v1.CreateOptions{}); err != nil && !apierrors.IsAlreadyExists(err) {
			return err
		}
	}
	for _, name := range append([]string{TryNamespace}, generate.KindsNamespaces...) {
		if err := scenario.CreateNamespace(ctx, api, name); err != nil {
			return err
		}
		if err := scenario.AllowAdminAccess(ctx, api, name); err != nil {
			return err
		}
	}
	return nil
}

// maker creates single objects.
type maker struct{ api kubernetes.Interface }

func (m maker) node(ctx context.Context, node *core.Node) error {
	_, err := m.api.CoreV1().Nodes().Create(ctx, node, v1.CreateOptions{})
	return err
}

func (m maker) slice(ctx context.Context, slice *resource.ResourceSlice) error {
	slice.UID = ""
	_, err := m.api.ResourceV1().ResourceSlices().Create(ctx, slice, v1.CreateOptions{})
	return err
}

// claim writes what was allocated; who uses it, the controller finds out.
func (m maker) claim(ctx context.Context, claim *resource.ResourceClaim) error {
	status := claim.Status
	claim.UID = ""
	api := m.api.ResourceV1().ResourceClaims(claim.Namespace)
	made, err := api.Create(ctx, claim, v1.CreateOptions{})
	if err != nil || status.Allocation == nil {
		return err
	}
	made.Status.Allocation = status.Allocation
	_, err = api.UpdateStatus(ctx, made, v1.UpdateOptions{})
	return err
}

func (m maker) pod(ctx context.Context, pod *core.Pod) error {
	phase := pod.Status.Phase
	pod.UID = ""
	api := m.api.CoreV1().Pods(pod.Namespace)
	made, err := api.Create(ctx, pod, v1.CreateOptions{})
	if err != nil || (phase != core.PodSucceeded && phase != core.PodFailed) {
		return err
	}
	patch, err := json.Marshal(map[string]any{"status": map[string]any{"phase": phase}})
	if err != nil {
		return err
	}
	_, err = api.Patch(ctx, made.Name, "application/strategic-merge-patch+json", patch, v1.PatchOptions{}, "status")
	return err
}

// reserved waits until every allocated claim knows its users.
func reserved(ctx context.Context, api kubernetes.Interface, wanted []resource.ResourceClaim) error {
	users := map[string]int{}
	for _, claim := range wanted {
		if claim.Status.Allocation != nil {
			users[claim.Namespace+"/"+claim.Name] = len(claim.Status.ReservedFor)
		}
	}
	return cluster.Poll(ctx, time.Minute, "claims with their users", func(ctx context.Context) (bool, error) {
		list, err := api.ResourceV1().ResourceClaims("").List(ctx, v1.ListOptions{})
		if err != nil {
			return false, err
		}
		for _, claim := range list.Items {
			name := claim.Namespace + "/" + claim.Name
			if want, ours := users[name]; ours && len(claim.Status.ReservedFor) != want {
				return false, fmt.Errorf("claim %s has %d users, shall have %d", name, len(claim.Status.ReservedFor), want)
			}
		}
		return true, nil
	})
}

// Remove takes away all nodes, slices, pods and claims that Create and Try have made. It does not wait
// for finalizers.
func Remove(ctx context.Context, api kubernetes.Interface, clusters []*generate.Kinds) error {
	now := int64(0)
	options := v1.DeleteOptions{GracePeriodSeconds: &now}
	for _, namespace := range append([]string{TryNamespace}, generate.KindsNamespaces...) {
		if err := api.CoreV1().Pods(namespace).DeleteCollection(ctx, options, v1.ListOptions{}); err != nil {
			return err
		}
		if err := api.ResourceV1().ResourceClaims(namespace).DeleteCollection(ctx, options, v1.ListOptions{}); err != nil {
			return err
		}
	}
	var nodes, slices []string
	for _, one := range clusters {
		for _, node := range one.Nodes {
			nodes = append(nodes, node["metadata"].(generate.Doc)["name"].(string))
		}
		for _, slice := range one.Slices {
			slices = append(slices, slice["metadata"].(generate.Doc)["name"].(string))
		}
	}
	if err := each(ctx, slices, func(ctx context.Context, name *string) error {
		return api.ResourceV1().ResourceSlices().Delete(ctx, *name, options)
	}); err != nil {
		return err
	}
	return each(ctx, nodes, func(ctx context.Context, name *string) error {
		return api.CoreV1().Nodes().Delete(ctx, *name, options)
	})
}
