package stored

import (
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/kubernetes/pkg/registry/core/namespace"
	"k8s.io/kubernetes/pkg/registry/core/node"
	"k8s.io/kubernetes/pkg/registry/core/persistentvolume"
	"k8s.io/kubernetes/pkg/registry/core/persistentvolumeclaim"
	"k8s.io/kubernetes/pkg/registry/core/pod"
	"k8s.io/kubernetes/pkg/registry/node/runtimeclass"
	"k8s.io/kubernetes/pkg/registry/scheduling/priorityclass"
	"k8s.io/kubernetes/pkg/registry/storage/csidriver"
	"k8s.io/kubernetes/pkg/registry/storage/csinode"
	"k8s.io/kubernetes/pkg/registry/storage/csistoragecapacity"
	"k8s.io/kubernetes/pkg/registry/storage/storageclass"
	"k8s.io/kubernetes/pkg/registry/storage/volumeattachment"
)

var strategies = map[string]rest.RESTCreateStrategy{
	"Pod": pod.Strategy, "Node": node.Strategy, "Namespace": namespace.Strategy,
	"PersistentVolume": persistentvolume.Strategy, "PersistentVolumeClaim": persistentvolumeclaim.Strategy,
	"StorageClass": storageclass.Strategy, "CSINode": csinode.Strategy, "CSIDriver": csidriver.Strategy,
	"CSIStorageCapacity": csistoragecapacity.Strategy, "VolumeAttachment": volumeattachment.Strategy,
	"PriorityClass": priorityclass.Strategy, "RuntimeClass": runtimeclass.Strategy,
}
