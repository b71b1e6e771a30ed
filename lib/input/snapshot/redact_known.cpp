#include "input/snapshot/redact_known.hpp"

#include <algorithm>
#include <set>

#include "base/ascii.hpp"
#include "input/snapshot/hardware_words.hpp"
#include "input/snapshot/word_set.hpp"
#include "telemetry/dialects/dialect.hpp"

namespace gpu::input {
namespace {

const WordSet kNamespaces(
    "default kube-system kube-public kube-node-lease gpu-operator gpu-operator-resources "
    "nvidia-gpu-operator nvidia-dra-driver-gpu nvidia-network-operator nvidia-device-plugin "
    "node-feature-discovery kube-amd-gpu hami-system volcano-system kueue-system kai-scheduler "
    "kai-resource-reservation runai runai-reservation yunikorn habana-system habana-ai-operator "
    "karpenter run inteldeviceplugins-system dcgm-exporter "
    "monitoring gke-managed-system gmp-system gmp-public amazon-cloudwatch openshift-monitoring "
    "cattle-monitoring-system");
const WordSet kSchedulers(
    "default-scheduler volcano kai-scheduler hami-scheduler yunikorn koord-scheduler "
    "runai-scheduler gpushare-scheduler pod-grouper binder kube-scheduler kube-controller-manager "
    "kubelet "
    "job-controller replicaset-controller deployment-controller statefulset-controller "
    "daemonset-controller cronjob-controller cluster-autoscaler karpenter kueue-admission "
    "kueue-job-controller kueue-workload-controller persistentvolume-controller "
    "attachdetach-controller taint-eviction-controller node-controller "
    "resource-claim-controller resource_claim ephemeral_volume");
const WordSet kPriorityClasses("system-cluster-critical system-node-critical");
const WordSet kGates(
    "kueue.x-k8s.io/admission kueue.x-k8s.io/topology grove.io/podgang-pending-creation "
    "scheduling.run.ai/gated");
const WordSet kRuntimes("nvidia nvidia-cdi nvidia-legacy gvisor kata kata-qemu-nvidia-gpu");
const WordSet kDeviceClasses(
    "gpu.nvidia.com mig.nvidia.com vfio.gpu.nvidia.com compute-domain-daemon.nvidia.com "
    "compute-domain-default-channel.nvidia.com gpu.amd.com gpu.intel.com gaudi.intel.com "
    "tpu.google.com neuron.aws.com gpu.example.com");
/// Phases, conditions, reasons, operators, effects: the API's own words.
const WordSet kWords(
    "Pending Running Succeeded Failed Unknown True False Always Never OnFailure IfNotPresent TCP "
    "UDP SCTP amd64 arm64 linux windows Container DoNotSchedule ScheduleAnyway Honor Ignore "
    "Restart RestartAllContainers RestartAllContainersOnContainerExits "
    "UserNamespacesHostNetworkSupport ExtendWebSocketsToKubelet "
    "InPlacePodVerticalScalingInitContainers InPlacePodLevelResourcesVerticalScaling "
    "Managed Dedicated Shared PreemptLowerPriority Guaranteed Burstable BestEffort Healthy "
    "Unhealthy ExactCount All "
    "ReadWriteOnce ReadOnlyMany ReadWriteMany ReadWriteOncePod NoSchedule PreferNoSchedule "
    "NoExecute None Exists Equal Lt Gt In NotIn DoesNotExist Deferred Infeasible InProgress "
    "Proposed Ready MemoryPressure DiskPressure PIDPressure NetworkUnavailable PodScheduled "
    "Initialized ContainersReady PodReadyToStartContainers DisruptionTarget PodResizePending "
    "PodResizeInProgress PodHasNetwork KernelDeadlock ReadonlyFilesystem FrequentKubeletRestart "
    "FrequentContainerdRestart GpuUnhealthy AllDevicesBound DevicesReady KubeletReady "
    "KubeletNotReady KubeletHasSufficientMemory KubeletHasInsufficientMemory "
    "KubeletHasNoDiskPressure KubeletHasDiskPressure KubeletHasSufficientPID "
    "KubeletHasInsufficientPID NodeStatusUnknown NodeStatusNeverUpdated RouteCreated CalicoIsUp "
    "CiliumIsUp FlannelIsUp KernelHasNoDeadlock FilesystemIsNotReadOnly Unschedulable "
    "SchedulingGated SchedulerError PodCompleted PodFailed ContainersNotReady "
    "ContainersNotInitialized PreemptionByScheduler DeletionByTaintManager EvictionByEvictionAPI "
    "DeletionByPodGC TerminationByKubelet Evicted Preempting NodeLost NodeAffinity NodeShutdown "
    "Terminated UnexpectedAdmissionError OutOfcpu OutOfmemory OutOfpods Shutdown "
    "TopologyAffinityError AdmissionFailed OutOfnvidia.com/gpu OutOfamd.com/gpu ContainerCreating "
    "PodInitializing ErrImagePull ImagePullBackOff InvalidImageName ImageInspectError "
    "ErrImageNeverPull RegistryUnavailable CrashLoopBackOff RunContainerError "
    "CreateContainerConfigError CreateContainerError CreatePodSandboxError ContainerCannotRun "
    "StartError Completed Error OOMKilled DeadlineExceeded ContainerStatusUnknown "
    "BackoffLimitExceeded exporter prometheus custom exec Filesystem Block Available Bound "
    "Released Lost WaitForFirstConsumer Immediate StrictFIFO BestEffortFIFO Hold HoldAndDrain "
    "MayStopSearch TryNextFlavor NotTerminating BestEffort NotBestEffort PriorityClass "
    "CrossNamespacePodAffinity VolumeAttributesClass "
    "Normal Warning FailedScheduling FailedCreate FailedBinding Scheduled Pulling Pulled BackOff "
    "Created Started Killing FailedMount FailedAttachVolume FailedCreatePodSandBox "
    "FailedPrepareDynamicResources TriggeredScaleUp NotTriggerScaleUp Preempted Nominated "
    "NoCompatibleInstanceTypes ProvisioningFailed ExternalProvisioning QuotaReserved Admitted "
    "Requeued Finished NoReservation NoMatchingFlavor WaitingForQuota ExceedsMaxQuota "
    "TopologyPlacementFailed WaitingForPreemptedWorkloads Misconfigured Suspended "
    "PendingEvaluation WaitingForPodsReady Inadmissible UnsatisfiedAdmissionChecks "
    "PendingDelayedTopologyRequests Active PodsReady Stopped FlavorNotFound Terminating "
    "AdmissionCheckNotFound AdmissionCheckInactive ClusterQueueStopped LocalQueueStopped "
    "Deactivated InClusterQueue InCohortReclamation InCohortFairSharing "
    "InCohortReclaimWhileBorrowing AdmissionCheck PodsReadyTimeout Reactivated BackoffFinished "
    "ClusterQueueRestarted "
    "LocalQueueRestarted AdmissionGated Waiting Resumed Retry Rejected AdmissionCheckRejected "
    "DeactivatedDueToAdmissionCheck DeactivatedDueToRequeuingLimitExceeded NotEnoughResources "
    "NotEnoughTasks NotEnoughPodsOfTask Inqueue "
    // HAMi, KAI, YuniKorn.
    "NodeUnfitPod FilteringFailed CardTypeMismatch CardUuidMismatch CardTimeSlicingExhausted "
    "CardComputeUnitsExhausted CardInsufficientMemory CardInsufficientCore CardNotHealth "
    "NumaNotFit ExclusiveDeviceAllocateConflict CardNotFoundCustomFilterRule "
    "NodeInsufficientDevice AllocatedCardsInsufficientRequest ResourceQuotaNotFit "
    "NonPreemptibleOverQuota OverLimit QueueDoesNotExist NotReady PodGrouperWarning "
    "PodSchedulingErrors Pipelined "
    "StaleJob Scheduling GangScheduling PodBindSuccessful "
    // Conditions of owners: Jobs, Deployments, training jobs, workflows.
    "Complete SuccessCriteriaMet FailureTarget CompletionsReached JobSuspended JobResumed "
    "PodFailurePolicy FailedIndexes MaxFailedIndexesExceeded ReplicaFailure Progressing "
    "MinimumReplicasAvailable MinimumReplicasUnavailable NewReplicaSetAvailable "
    "NewReplicaSetCreated FoundNewReplicaSet ReplicaSetUpdated ProgressDeadlineExceeded "
    "Restarting Aborted Aborting Completing Restarted Skipped "
    // Phases of Ray's jobs, AppWrappers and Spark's applications.
    "PENDING RUNNING STOPPED SUCCEEDED FAILED COMPLETED SUBMITTED SUBMISSION_FAILED PENDING_RERUN "
    "INVALIDATING SUCCEEDING FAILING ValidationFailed Initializing Retrying Suspending Suspended "
    "Resuming Resetting "
    // Hooks and signatures of containers, what kubelets refuse, autoscalers and binders.
    "PostStartHookError PreStartHookError PreCreateHookError SignatureValidationFailed "
    "RegistryUnavailable ImageInspectError FailedToRetrieveImagePullSecret NodeName NodePorts "
    "TaintToleration "
    "SMTAlignmentError SysctlForbidden PodOSNotSupported PodOSSelectorNodeLabelDoesNotMatch "
    "AppArmor NodeShutdown VolumeAttachmentLimitExceeded AdmissionFailed "
    "OutOfephemeral-storage FailedMapVolume NetworkNotReady SuccessfulCreate FailedScaleUp "
    "InsufficientCapacityError FilteringSucceed BindingSucceed");
/// Their keys and values stay: the value is a card's model, a count, a strategy, a machine's type.
const WordSet kOpenLabels(
    "kubernetes.io/arch kubernetes.io/os beta.kubernetes.io/arch beta.kubernetes.io/os "
    "node.kubernetes.io/instance-type beta.kubernetes.io/instance-type "
    "node.kubernetes.io/exclude-from-external-load-balancers karpenter.sh/capacity-type "
    "eks.amazonaws.com/capacityType node.kubernetes.io/lifecycle "
    "oci.oraclecloud.com/oke-is-preemptible doks.digitalocean.com/gpu-brand "
    "karpenter.k8s.aws/capacity-reservation-type cloud.google.com/gke-spot "
    "cloud.google.com/gke-preemptible "
    "cloud.google.com/gke-provisioning kubernetes.azure.com/scalesetpriority "
    "kubernetes.azure.com/accelerator cloud.google.com/gke-tpu-accelerator "
    "cloud.google.com/gke-tpu-topology cloud.google.com/gke-accelerator "
    "cloud.google.com/gke-accelerator-count cloud.google.com/gke-gpu "
    "cloud.google.com/gke-gpu-sharing-strategy cloud.google.com/gke-max-shared-clients-per-gpu "
    "cloud.google.com/gke-gpu-partition-size cloud.google.com/gke-gpu-driver-version "
    "aliyun.accelerator/nvidia_name aliyun.accelerator/nvidia_count aliyun.accelerator/nvidia_mem "
    "k8s.amazonaws.com/accelerator gpu.nvidia.com/model gpu.nvidia.com/count "
    "gpu.nvidia.com/class gpu.nvidia.com/vram nvidia.com/mig.strategy nvidia.com/mig.capable "
    "nvidia.com/mig.config.state nvidia.com/gpu-driver-upgrade-state nvidia.com/mps.capable "
    "nvidia.com/vgpu.present "
    "habana.ai/gaudi.present aws.amazon.com/neuron.present "
    "serving.knative.dev/configurationGeneration");
const WordSet kOpenPrefixes(
    "nvidia.com/gpu. nvidia.com/cuda. nvidia.com/mig- amd.com/gpu. beta.amd.com/gpu. "
    "gpu.intel.com/ karpenter.k8s.aws/instance- karpenter.k8s.gcp/instance- "
    "eks.amazonaws.com/instance- feature.node.kubernetes.io/pci- "
    "feature.node.kubernetes.io/amd-gpu");
const WordSet kKnownKeys(
    "node-role.kubernetes.io/control-plane node-role.kubernetes.io/master "
    "node-role.kubernetes.io/worker kubernetes.io/hostname topology.kubernetes.io/zone "
    "topology.kubernetes.io/region "
    "failure-domain.beta.kubernetes.io/zone failure-domain.beta.kubernetes.io/region "
    "kubernetes.io/metadata.name app k8s-app app.kubernetes.io/name app.kubernetes.io/instance "
    "app.kubernetes.io/component app.kubernetes.io/part-of app.kubernetes.io/managed-by "
    "app.kubernetes.io/version pod-template-hash controller-revision-hash job-name "
    "batch.kubernetes.io/job-name batch.kubernetes.io/controller-uid controller-uid "
    "batch.kubernetes.io/job-completion-index statefulset.kubernetes.io/pod-name "
    "apps.kubernetes.io/pod-index nvidia.com/mig.config nvidia.com/device-plugin.config "
    "kueue.x-k8s.io/queue-name ray.io/cluster ray.io/node-type volcano.sh/job-name "
    "volcano.sh/queue-name scheduling.volcano.sh/queue-name runai/queue kai.scheduler/queue "
    "kai.scheduler/preemptibility priorityClassName runai-gpu-group queue applicationId "
    "yunikorn.apache.org/queue "
    "karpenter.sh/nodepool cloud.google.com/gke-nodepool eks.amazonaws.com/nodegroup "
    "kubernetes.azure.com/agentpool nvidia.com/gpu amd.com/gpu google.com/tpu habana.ai/gaudi "
    "aws.amazon.com/neuron gpu.intel.com/i915 sku nvidia.com/gpu.clique "
    "leaderworkerset.sigs.k8s.io/name leaderworkerset.sigs.k8s.io/template-revision-hash "
    "leaderworkerset.sigs.k8s.io/group-index leaderworkerset.sigs.k8s.io/worker-index "
    "serving.knative.dev/revision serving.knative.dev/configuration serving.knative.dev/service "
    "serving.kserve.io/inferenceservice "
    "training.kubeflow.org/job-name training.kubeflow.org/replica-type "
    "training.kubeflow.org/replica-index training.kubeflow.org/job-role volcano.sh/task-spec "
    "jobset.sigs.k8s.io/jobset-name jobset.sigs.k8s.io/replicatedjob-name ray.io/group "
    "kueue.x-k8s.io/pod-group-name kueue.x-k8s.io/podset kops.k8s.io/instancegroup "
    "nvidia.com/dra-kubelet-plugin "
    // What DaemonSets select that are to have no pod anywhere.
    "none non-existing nonexistent disabled never nowhere");
/// Drivers of devices that messages name.
const WordSet kDrivers(
    "gpu.nvidia.com mig.nvidia.com compute-domain.nvidia.com gpu.amd.com gpu.intel.com "
    "gaudi.intel.com tpu.google.com neuron.aws.com gpu.example.com");
/// Taints have keys of labels' form.
const WordSet kKnownTaints(
    "node.kubernetes.io/ node-role.kubernetes.io/ node.cloudprovider.kubernetes.io/ "
    "node.cilium.io/ karpenter.sh/ cloud.google.com/ kubernetes.azure.com/ gpu.nvidia.com/ "
    "aws-node-termination-handler/ ToBeDeletedByClusterAutoscaler "
    "DeletionCandidateOfClusterAutoscaler");
/// Values of labels by which GPU stacks are known; those of exporters stand in their dialects.
const WordSet kValues(
    "true false present preemptible non-preemptible semi-preemptible device-metrics-exporter "
    "xpumanager intel-xpumd hami "
    "nvidia-driver-daemonset nvidia-driver nvidia-device-plugin-daemonset nvidia-device-plugin "
    "nvidia-device-plugin-ds nvidia-dcgm gpu-operator");
const WordSet kContainers(
    "exporter nvidia-driver-ctr nvidia-device-plugin nvidia-device-plugin-ctr "
    "gpu-feature-discovery gpu-feature-discovery-ctr gfd mps-control-daemon "
    "mps-control-daemon-ctr config-manager dra-driver-nvidia-gpu gpus compute-domains");
/// DaemonSets of GPU stacks, as their charts call them: what each does is in its name alone.
const WordSet kOwners(
    "nvidia-device-plugin-daemonset nvidia-device-plugin nvidia-device-plugin-ds "
    "nvidia-device-plugin-gpu-feature-discovery nvidia-device-plugin-mps-control-daemon "
    "gpu-feature-discovery nvidia-driver-daemonset nvidia-container-toolkit-daemonset "
    "nvidia-mig-manager nvidia-dcgm nvidia-dcgm-exporter nvidia-operator-validator "
    "nvidia-gpu-device-plugin node-feature-discovery-worker "
    "gpu-operator-node-feature-discovery-worker "
    "nvidia-dra-driver-gpu-kubelet-plugin dra-driver-nvidia-gpu-kubelet-plugin "
    "amdgpu-device-plugin-daemonset "
    "amd-gpu-device-plugin-daemonset intel-gpu-plugin hami-device-plugin "
    "neuron-device-plugin-daemonset "
    "habanalabs-device-plugin-daemonset kube-proxy");
const WordSet kPorts(
    "metrics gpu-metrics http-metrics http https web http-web prom prometheus monitorport "
    "exporter-port");
/// Images of GPU stacks and of Kubernetes; those of exporters stand in their dialects.
const WordSet kImages(
    "k8s-device-plugin gpu-feature-discovery gpu-operator gpu-operator-validator "
    "container-toolkit driver k8s-mig-manager node-feature-discovery k8s-dra-driver-gpu "
    "dra-driver-nvidia-gpu k8s-dra-driver k8s-gpu-dra-driver dra-example-driver "
    "intel-gpu-resource-driver intel-gaudi-resource-driver "
    "k8s-driver-manager k8s-rdma-shared-dev-plugin rocm-k8s-device-plugin intel-gpu-plugin "
    "habana-k8s-device-plugin hami vgpu-scheduler-extender gke-dcgm-exporter intel-xpumd "
    "metric-exporter volcano-vgpu-device-plugin nvidia-gpu-device-plugin k8s-gpushare-plugin "
    "neuron-device-plugin kube-proxy coredns etcd kube-apiserver kube-scheduler "
    "kube-controller-manager pause");
const WordSet kAttributes(
    "type productName product architecture brand model family profile uuid parentUUID index minor "
    "parentIndex parentMinor driverVersion cudaDriverVersion cudaComputeCapability pcieRoot "
    "pciBusID pciAddress pciVendor pciDeviceID pciId pciRoot addressingMode memory "
    "multiprocessors copyEngines decoders encoders jpegEngines ofaEngines millicores sriov "
    "partitionProfile computePartition memoryPartition cardIndex renderIndex computeUnits "
    "simdUnits serial moduleIdx tpuGen cores virtualFunction resource.kubernetes.io/pcieRoot "
    "resource.kubernetes.io/pciBusID");
/// By these, exporters are known again.
struct ExporterNames {
  std::set<std::string_view> labels;
  std::set<std::string_view> containers;
  std::set<std::string_view> images;
};

const ExporterNames& exporter_names() {
  static const ExporterNames kNames = [] {
    ExporterNames names;
    for (const telemetry::Dialect* dialect : telemetry::dialects()) {
      const telemetry::ExporterPods& pods = dialect->pods;
      for (const telemetry::PodLabel& label : pods.labels) names.labels.insert(label.value);
      names.containers.insert(pods.containers.begin(), pods.containers.end());
      names.images.insert(pods.images.begin(), pods.images.end());
    }
    return names;
  }();
  return kNames;
}

bool is_mark(char c) { return !is_letter(c) && !is_digit(c); }

/// "2Mi", "1Gi".
bool is_size(std::string_view text) {
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  static const WordSet kUnits("Ki Mi Gi");
  return digits > 0 && kUnits.has(text.substr(digits));
}

/// A key that starts as others define it, and goes on in words of theirs.
bool is_key_of(const WordSet& prefixes, std::string_view key) {
  const auto rest = prefixes.behind(key);
  return rest && is_hardware_suffix(*rest);
}

bool is_known_resource(std::string_view name) {
  static const WordSet kNative(
      "cpu memory ephemeral-storage storage pods requests.storage services "
      "persistentvolumeclaims secrets configmaps");
  if (kNative.has(name)) return true;
  static const WordSet kSized("hugepages-");
  if (const auto size = kSized.behind(name)) return is_size(*size);
  const std::size_t slash = name.find('/');
  if (slash == std::string_view::npos) return false;
  const std::string_view domain = name.substr(0, slash);
  // Below domains of vendors stand names that their plugins' settings choose.
  return (domain == "rdma" || is_known_domain(domain)) &&
         is_hardware_suffix(name.substr(slash + 1));
}

/// "OutOfnvidia.com/gpu": how a kubelet refuses a pod for want of a resource.
bool is_refusal_for_want(std::string_view reason) {
  constexpr std::string_view kOutOf = "OutOf";
  return reason.starts_with(kOutOf) && is_known_resource(reason.substr(kOutOf.size()));
}

bool is_known_key(std::string_view key) {
  return label_rule(key) != LabelRule::hide || is_key_of(kKnownTaints, key);
}

}  // namespace

bool is_known(Space space, std::string_view name) {
  if (name.empty()) return true;
  switch (space) {
    case Space::ns:
      return kNamespaces.has(name);
    case Space::container:
      return kContainers.has(name) || exporter_names().containers.contains(name);
    case Space::owner:
      return kOwners.has(name);
    case Space::port:
      return kPorts.has(name);
    case Space::scheduler:
      return kSchedulers.has(name);
    case Space::priority_class:
      return kPriorityClasses.has(name);
    case Space::gate:
      return kGates.has(name);
    case Space::runtime_class:
      return kRuntimes.has(name);
    case Space::device_class:
      return kDeviceClasses.has(name);
    case Space::driver:
    case Space::gpu_driver:
      return is_known_domain(name) || name == "gpu.example.com";
    case Space::device:
      return is_hardware_name(name);
    case Space::attribute:
      return kAttributes.has(name) || is_hardware_name(name);
    case Space::resource:
      return is_known_resource(name);
    case Space::label_key:
      return is_known_key(name);
    case Space::label_value:
      return kValues.has(name) || exporter_names().labels.contains(name);
    case Space::word:
      return kWords.has(name) || is_refusal_for_want(name);
    case Space::kind:
      return is_known_kind(name, "");
    default:
      return false;
  }
}

bool is_known_driver(std::string_view name) { return kDrivers.has(name); }

LabelRule label_rule(std::string_view key) {
  if (kKnownKeys.has(key)) return LabelRule::keep_key;
  if (kOpenLabels.has(key) || is_key_of(kOpenPrefixes, key)) return LabelRule::keep;
  return LabelRule::hide;
}

std::string_view known_image(std::string_view image) {
  image = image.substr(0, image.find('@'));
  image.remove_prefix(std::min(image.size(), image.rfind('/') + 1));
  image = image.substr(0, image.find(':'));
  const std::set<std::string_view>& of_exporters = exporter_names().images;
  if (kImages.has(image) || of_exporters.contains(image)) return image;
  // Mirrors put words before them, and still they are known by their ends.
  for (const std::string_view known : of_exporters)
    if (image.ends_with(known) && is_mark(image[image.size() - known.size() - 1])) return known;
  return {};
}

}  // namespace gpu::input
