package load

import (
	"fmt"
	"math/rand/v2"
	"strings"

	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/apis/meta/v1"
)

// pod is the i-th pod: most run on any node, GPU nodes fill up first, a few wait or have finished.
func (m *maker) pod(i int) *core.Pod {
	owner := i / podsPerOwner
	app, hash := fmt.Sprintf("app-%d", owner), fmt.Sprintf("%08x", owner*2654435761&0xffffffff)
	pod := &core.Pod{ObjectMeta: m.meta(fmt.Sprintf("%s-%s-%05x", app, hash, i), namespaceName(owner))}
	isController := true
	pod.OwnerReferences = []v1.OwnerReference{{APIVersion: "apps/v1", Kind: "ReplicaSet", Name: app + "-" + hash,
		UID: m.uid(), Controller: &isController, BlockOwnerDeletion: &isController}}
	pod.Labels = map[string]string{"app": app, "pod-template-hash": hash, "team": words[owner%len(words)]}
	pod.Annotations = map[string]string{"kubectl.kubernetes.io/restartedAt": "2026-01-15T08:00:00Z", "checksum/config": m.hash()}
	pod.Spec = m.spec()
	m.place(pod, i)
	m.status(pod)
	pod.ManagedFields = managedFields(pod)
	m.fill(pod, owner)
	return pod
}

func (m *maker) spec() core.PodSpec {
	grace, enabled, priority := int64(30), true, int32(0)
	preemption := core.PreemptLowerPriority
	spec := core.PodSpec{RestartPolicy: core.RestartPolicyAlways, DNSPolicy: core.DNSClusterFirst,
		SchedulerName: core.DefaultSchedulerName, TerminationGracePeriodSeconds: &grace,
		EnableServiceLinks: &enabled, Priority: &priority, PreemptionPolicy: &preemption,
		ServiceAccountName: "default", DeprecatedServiceAccount: "default", SecurityContext: &core.PodSecurityContext{}}
	spec.Volumes = []core.Volume{{Name: "kube-api-access",
		VolumeSource: core.VolumeSource{Projected: &core.ProjectedVolumeSource{}}}}
	container := core.Container{Name: "main", Image: fmt.Sprintf("registry.example/team/app:1.4.%d", m.random.IntN(40)),
		ImagePullPolicy: core.PullIfNotPresent, TerminationMessagePath: "/dev/termination-log",
		TerminationMessagePolicy: core.TerminationMessageReadFile,
		VolumeMounts: []core.VolumeMount{{Name: "kube-api-access", ReadOnly: true,
			MountPath: "/var/run/secrets/kubernetes.io/serviceaccount"}}}
	container.Resources.Requests = core.ResourceList{
		core.ResourceCPU: resource.MustParse("100m"), core.ResourceMemory: resource.MustParse("256Mi")}
	spec.Containers = []core.Container{container}
	for _, key := range []string{core.TaintNodeNotReady, core.TaintNodeUnreachable} {
		seconds := int64(300)
		spec.Tolerations = append(spec.Tolerations, core.Toleration{Key: key, Operator: core.TolerationOpExists,
			Effect: core.TaintEffectNoExecute, TolerationSeconds: &seconds})
	}
	return spec
}

// place gives the pod a node and a phase. Every fourth pod asks for GPUs while there are any left,
// and so do those that wait.
func (m *maker) place(pod *core.Pod, i int) {
	pod.Status.Phase = core.PodRunning
	asks := int64(0)
	if m.random.Float64() < waitingShare {
		asks = gpusPerNode
	} else {
		pod.Spec.NodeName = nodeName(m.random.IntN(m.plan.Nodes))
		if wants := int64(1) << m.random.IntN(4); m.plan.GPUNodes > 0 && i%4 == 0 {
			if node := (i / 4) % m.plan.GPUNodes; m.free[node] >= wants {
				asks = wants
				m.free[node] -= wants
				pod.Spec.NodeName = nodeName(node)
			}
		}
	}
	if asks > 0 {
		amount := *resource.NewQuantity(asks, resource.DecimalSI)
		pod.Spec.Containers[0].Resources.Requests[gpuResource] = amount
		pod.Spec.Containers[0].Resources.Limits = core.ResourceList{gpuResource: amount}
	}
	switch {
	case pod.Spec.NodeName == "":
		pod.Status.Phase = core.PodPending
	case asks == 0 && m.random.Float64() < finishedShare:
		pod.Status.Phase = core.PodSucceeded
	}
}

func (m *maker) status(pod *core.Pod) {
	status := &pod.Status
	status.QOSClass = core.PodQOSBurstable
	if pod.Spec.NodeName == "" {
		status.Conditions = []core.PodCondition{{Type: core.PodScheduled, Status: core.ConditionFalse,
			Reason: core.PodReasonUnschedulable, LastTransitionTime: epoch,
			Message: "0/2000 nodes are available: 2000 Insufficient nvidia.com/gpu."}}
		return
	}
	for _, kind := range []core.PodConditionType{core.PodReadyToStartContainers, core.PodInitialized,
		core.PodReady, core.ContainersReady, core.PodScheduled} {
		status.Conditions = append(status.Conditions,
			core.PodCondition{Type: kind, Status: core.ConditionTrue, LastTransitionTime: epoch})
	}
	ip := fmt.Sprintf("10.%d.%d.%d", m.random.IntN(256), m.random.IntN(256), m.random.IntN(256))
	status.HostIP, status.PodIP = "10.0.0.1", ip
	status.HostIPs, status.PodIPs = []core.HostIP{{IP: "10.0.0.1"}}, []core.PodIP{{IP: ip}}
	started := true
	status.StartTime = &epoch
	container := core.ContainerStatus{Name: "main", Image: pod.Spec.Containers[0].Image, Ready: true, Started: &started,
		ImageID: "registry.example/team/app@sha256:" + m.hash(), ContainerID: "containerd://" + m.hash()}
	container.State.Running = &core.ContainerStateRunning{StartedAt: epoch}
	if status.Phase == core.PodSucceeded {
		container.Ready = false
		container.State = core.ContainerState{Terminated: &core.ContainerStateTerminated{
			Reason: "Completed", StartedAt: epoch, FinishedAt: epoch}}
	}
	container.AllocatedResources = pod.Spec.Containers[0].Resources.Requests.DeepCopy()
	container.Resources = pod.Spec.Containers[0].Resources.DeepCopy()
	status.ContainerStatuses = []core.ContainerStatus{container}
}

// managedFields look as the controller manager's and the kubelet's do, and are as long.
func managedFields(pod *core.Pod) []v1.ManagedFieldsEntry {
	spec := `{"f:metadata":{"f:generateName":{},"f:labels":{".":{},"f:app":{},"f:pod-template-hash":{},"f:team":{}},` +
		`"f:ownerReferences":{".":{},"k:{\"uid\":\"` + string(pod.OwnerReferences[0].UID) + `\"}":{}}},` +
		`"f:spec":{"f:containers":{"k:{\"name\":\"main\"}":{".":{},"f:env":{".":{}},"f:image":{},"f:imagePullPolicy":{},` +
		`"f:name":{},"f:resources":{".":{},"f:requests":{".":{},"f:cpu":{},"f:memory":{}}},"f:terminationMessagePath":{},` +
		`"f:terminationMessagePolicy":{}}},"f:dnsPolicy":{},"f:enableServiceLinks":{},"f:restartPolicy":{},` +
		`"f:schedulerName":{},"f:securityContext":{},"f:terminationGracePeriodSeconds":{}}}`
	var conditions []string
	for _, kind := range []string{"ContainersReady", "Initialized", "PodReadyToStartContainers", "Ready"} {
		conditions = append(conditions, `"k:{\"type\":\"`+kind+`\"}":{".":{},"f:lastProbeTime":{},`+
			`"f:lastTransitionTime":{},"f:observedGeneration":{},"f:status":{},"f:type":{}}`)
	}
	status := `{"f:status":{"f:conditions":{` + strings.Join(conditions, ",") + `},"f:containerStatuses":{},"f:hostIP":{},` +
		`"f:hostIPs":{},"f:phase":{},"f:podIP":{},"f:podIPs":{".":{},"k:{\"ip\":\"` + pod.Status.PodIP + `\"}":{".":{},"f:ip":{}}},` +
		`"f:startTime":{}}}`
	entry := func(manager, fields, subresource string) v1.ManagedFieldsEntry {
		return v1.ManagedFieldsEntry{Manager: manager, Operation: v1.ManagedFieldsOperationUpdate, APIVersion: "v1",
			Time: &epoch, FieldsType: "FieldsV1", FieldsV1: &v1.FieldsV1{Raw: []byte(fields)}, Subresource: subresource}
	}
	return []v1.ManagedFieldsEntry{entry("kube-controller-manager", spec, ""), entry("kubelet", status, "status")}
}

// fill adds environment until the pod is as large as planned. Pods of one owner have the same, as
// in life, where it comes from their template.
func (m *maker) fill(pod *core.Pod, owner int) {
	const most = 200
	template := &maker{random: rand.New(rand.NewPCG(m.plan.Seed, uint64(owner)+2))}
	for missing := m.plan.PodBytes - pod.Size(); missing > 40; missing = m.plan.PodBytes - pod.Size() {
		container := &pod.Spec.Containers[0]
		name := fmt.Sprintf("APP_%s_%d", strings.ToUpper(words[template.random.IntN(len(words))]), len(container.Env))
		container.Env = append(container.Env, core.EnvVar{Name: name, Value: template.text(min(most, missing-len(name)-8))})
	}
}
