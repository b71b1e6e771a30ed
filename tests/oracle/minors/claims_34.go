package stored

import (
	coreapi "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/kubernetes/pkg/registry/resource/deviceclass"
	"k8s.io/kubernetes/pkg/registry/resource/resourceclaim"
	"k8s.io/kubernetes/pkg/registry/resource/resourceclaimtemplate"
	"k8s.io/kubernetes/pkg/registry/resource/resourceslice"
)

// namespaces is asked who may look at devices that others hold.
var namespaces = fake.NewSimpleClientset(&coreapi.Namespace{ObjectMeta: metav1.ObjectMeta{
	Name: "team-a", Labels: map[string]string{"resource.kubernetes.io/admin-access": "true"}}}).CoreV1().Namespaces()

func init() {
	strategies["DeviceClass"] = deviceclass.Strategy
	strategies["ResourceSlice"] = resourceslice.Strategy
	strategies["ResourceClaim"] = resourceclaim.NewStrategy(namespaces)
	strategies["ResourceClaimTemplate"] = resourceclaimtemplate.NewStrategy(namespaces)
}
