package enact

import (
	"context"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"golang.org/x/sync/errgroup"
)

// Clear takes away everything that Play made, but for namespaces and classes of priority.
func (s *Stage) Clear(ctx context.Context) error {
	for i := len(plurals) - 1; i >= 0; i-- {
		if lasting[plurals[i].kind] {
			continue
		}
		if err := s.clearKind(ctx, plurals[i].resource); err != nil {
			return err
		}
	}
	s.mutex.Lock()
	s.uids = map[string]string{}
	s.mutex.Unlock()
	return nil
}

func (s *Stage) clearKind(ctx context.Context, resource schema.GroupVersionResource) error {
	all, err := s.api.Resource(resource).List(ctx, meta.ListOptions{})
	if err != nil {
		return fmt.Errorf("list %s: %w", resource.Resource, err)
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(parallel)
	for i := range all.Items {
		group.Go(func() error { return s.end(ctx, resource, &all.Items[i]) })
	}
	return group.Wait()
}

// end deletes an object at once, whoever wanted to be asked before.
func (s *Stage) end(ctx context.Context, resource schema.GroupVersionResource, object *unstructured.Unstructured) error {
	into := s.in(resource, object.GetNamespace())
	now := int64(0)
	err := into.Delete(ctx, object.GetName(), meta.DeleteOptions{GracePeriodSeconds: &now})
	// The scheduler gives a claim a finalizer when it allocates it, perhaps after it was listed.
	if err == nil && (len(object.GetFinalizers()) > 0 || object.GetKind() == "ResourceClaim") {
		_, err = into.Patch(ctx, object.GetName(), types.MergePatchType, []byte(`{"metadata":{"finalizers":null}}`), meta.PatchOptions{})
	}
	if apierrors.IsNotFound(err) {
		return nil
	}
	return err
}
