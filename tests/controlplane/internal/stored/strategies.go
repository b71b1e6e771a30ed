package stored

import (
	coreapi "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/kubernetes/pkg/registry/core/namespace"
	"k8s.io/kubernetes/pkg/registry/core/node"
	"k8s.io/kubernetes/pkg/registry/core/persistentvolume"
	"k8s.io/kubernetes/pkg/registry/core/persistentvolumeclaim"
	"k8s.io/kubernetes/pkg/registry/core/pod"
	"k8s.io/kubernetes/pkg/registry/node/runtimeclass"
	"k8s.io/kubernetes/pkg/registry/resource/deviceclass"
	"k8s.io/kubernetes/pkg/registry/resource/resourceclaim"
	"k8s.io/kubernetes/pkg/registry/resource/resourceclaimtemplate"
	"k8s.io/kubernetes/pkg/registry/resource/resourceslice"
	"k8s.io/kubernetes/pkg/registry/scheduling/priorityclass"
	"k8s.io/kubernetes/pkg/registry/storage/csidriver"
	"k8s.io/kubernetes/pkg/registry/storage/csinode"
	"k8s.io/kubernetes/pkg/registry/storage/csistoragecapacity"
	"k8s.io/kubernetes/pkg/registry/storage/storageclass"
	"k8s.io/kubernetes/pkg/registry/storage/volumeattachment"
)

// namespaces is asked who may look at devices that others hold.
var namespaces = fake.NewSimpleClientset(&coreapi.Namespace{ObjectMeta: metav1.ObjectMeta{
	Name: "team-a", Labels: map[string]string{"resource.kubernetes.io/admin-access": "true"}}}).CoreV1().Namespaces()

var strategies = map[string]rest.RESTCreateStrategy{
	"Pod": pod.Strategy, "Node": node.Strategy, "Namespace": namespace.Strategy,
	"PersistentVolume": persistentvolume.Strategy, "PersistentVolumeClaim": persistentvolumeclaim.Strategy,
	"StorageClass": storageclass.Strategy, "CSINode": csinode.Strategy, "CSIDriver": csidriver.Strategy,
	"CSIStorageCapacity": csistoragecapacity.Strategy, "VolumeAttachment": volumeattachment.Strategy,
	"DeviceClass": deviceclass.Strategy, "ResourceSlice": resourceslice.Strategy,
	"ResourceClaim": resourceclaim.NewStrategy(namespaces, nil), "ResourceClaimTemplate": resourceclaimtemplate.NewStrategy(namespaces),
	"PriorityClass": priorityclass.Strategy, "RuntimeClass": runtimeclass.Strategy,
}
