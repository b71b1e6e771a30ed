// Package stored makes of a manifest what the API server would have stored of it: with defaults,
// through upstream's own strategies and validation, and with the status that the manifest has.
package stored

import (
	"context"
	"encoding/json"
	"fmt"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
	clientscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/apis/core"
	_ "k8s.io/kubernetes/pkg/apis/core/install"
	_ "k8s.io/kubernetes/pkg/apis/node/install"
	"k8s.io/kubernetes/pkg/apis/resource"
	_ "k8s.io/kubernetes/pkg/apis/resource/install"
	_ "k8s.io/kubernetes/pkg/apis/scheduling/install"
	"k8s.io/kubernetes/pkg/apis/storage"
	_ "k8s.io/kubernetes/pkg/apis/storage/install"
)

// Object is what the API server stores of a manifest, as a typed object of its version, or why it
// refuses it.
func Object(manifest []byte) (runtime.Object, error) {
	decoded, kind, err := legacyscheme.Codecs.UniversalDecoder().Decode(manifest, nil, nil)
	if err != nil {
		return nil, err
	}
	strategy := strategies[kind.Kind]
	if strategy == nil {
		return nil, fmt.Errorf("kind %s is not known here", kind.Kind)
	}
	object := decoded.DeepCopyObject()
	accessor, err := meta.Accessor(object)
	if err != nil {
		return nil, err
	}
	ctx := request.WithNamespace(context.Background(), accessor.GetNamespace())
	ctx = request.WithRequestInfo(ctx, &request.RequestInfo{APIGroup: kind.Group, APIVersion: kind.Version, IsResourceRequest: true, Verb: "create"})
	accessor.SetDeletionTimestamp(nil)
	if err := rest.BeforeCreate(strategy, ctx, object); err != nil {
		return nil, err
	}
	if err := restore(object, decoded); err != nil {
		return nil, err
	}
	return versioned(object, *kind)
}

// restore gives back what creation takes away and later updates bring: status, and the time of
// deletion.
func restore(object, given runtime.Object) error {
	to, err := meta.Accessor(object)
	if err != nil {
		return err
	}
	from, err := meta.Accessor(given)
	if err != nil {
		return err
	}
	to.SetDeletionTimestamp(from.GetDeletionTimestamp())
	to.SetDeletionGracePeriodSeconds(from.GetDeletionGracePeriodSeconds())
	switch typed := object.(type) {
	case *core.Pod:
		qos := typed.Status.QOSClass
		typed.Status = given.(*core.Pod).Status
		typed.Status.QOSClass = qos
	case *core.PersistentVolume:
		typed.Status = given.(*core.PersistentVolume).Status
	case *core.PersistentVolumeClaim:
		typed.Status = given.(*core.PersistentVolumeClaim).Status
	case *storage.VolumeAttachment:
		typed.Status = given.(*storage.VolumeAttachment).Status
	case *resource.ResourceClaim:
		typed.Status = given.(*resource.ResourceClaim).Status
	}
	return nil
}

func versioned(object runtime.Object, kind schema.GroupVersionKind) (runtime.Object, error) {
	external, err := clientscheme.Scheme.New(kind)
	if err != nil {
		return nil, err
	}
	if err := legacyscheme.Scheme.Convert(object, external, nil); err != nil {
		return nil, err
	}
	external.GetObjectKind().SetGroupVersionKind(kind)
	return external, nil
}

// JSON is the object as the API server answers it.
func JSON(object runtime.Object) (json.RawMessage, error) {
	accessor, err := meta.Accessor(object)
	if err != nil {
		return nil, err
	}
	accessor.SetManagedFields(nil)
	return json.Marshal(object)
}
