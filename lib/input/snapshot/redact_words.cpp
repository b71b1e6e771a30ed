#include "input/snapshot/redact_known.hpp"

#include "base/ascii.hpp"
#include "input/snapshot/word_set.hpp"

namespace gpu::input {

bool is_message_word(std::string_view word) {
  static const WordSet kMessageWords(
      "a able accelerator admission affinity after all allocate allocated allocation an and "
      "anti-affinity any api are at available be because been but can cannot capacity claim claims "
      "cluster constraints container containers cpu cluster-wide count created creating default "
      "deleted deleting device devices didn't disk does enough error evicted exceed exceeded "
      "existing failed find for forbidden found free from gpu gpus group had has have helpful in "
      "incoming init insufficient is it kubelet kubernetes list listed many match may memory "
      "message missing more namespace namespaces no node node's node(s) nodes none not of on one "
      "only or pending phase pids plugin pod pod's pods port ports posting preemption pressure "
      "pressure, ready reason request requested requests resource resourceclaim resourceclaims "
      "resources resourceslice resourceslices rules running s scheduled scheduler scheduling scope "
      "seen selector server single slice slices so spread status stopped storage sufficient taint "
      "taints than that the their there they this to too topology unallocated unavailable unbound "
      "unknown unready unschedulable unschedulable. untolerated updated used user victims volume "
      "volumes waiting was were what when which will with without x persistentvolumeclaims "
      "immediate owners owner whether manages metadata replicasets jobs persistent "
      "persistentvolumeclaim persistentvolume waiting ephemeral controller create unavailable due "
      "bound non-existent non-empty gates blocked zone exclusive access mode already in-use by "
      "another same name using readwriteoncepod conflict no: eligible preemptionpolicy=never "
      "terminating nominated still schedulable new deallocate process being evaluated request: "
      "class "
      "satisfy existing missing required label matched match's domain max count drivers "
      "driver csi installed quota exceeded requested: used: limited: failed: must specify "
      "didn't node(s). insufficient: workload couldn't assign flavors set flavor quota for "
      "previously considered podsets current + > maximum pod-set inactive queue clusterqueue "
      "localqueue doesn't exist exists unused needed podset admit admitted can't workloads "
      "nil references resourceflavor resourceflavors reservation deactivated checks check "
      "reserved pull pulling image back-off restarting successfully pulled "
      "assigned attempt triggered trigger scale-up: didn't group size assigned "
      // Karpenter and cluster-autoscaler.
      "schedule incompatible nodepool nodeclaim daemonset overhead instance type types exceed "
      "limits "
      "met requirements required offering exhausted tolerate did compatible registered limit "
      "reached backoff scale-up total "
      // The kubelet, device plugins, container runtimes.
      "rejected node unexpected number healthy present unhealthy unregistered previously longer "
      "capacity used requested available permit start started sandbox sandbox task task shim "
      "oci runtime container prestart hook hook nvidia nvidia-container-cli nvidia-container-cli "
      "nvidia-container-runtime initialization nvml driver loaded mismatch version unsatisfied "
      "condition update device load library libnvidia-ml.so.1 "
      "libcuda.so.1 libcuda cuda open shared object file rpc code = desc get configured configure "
      "cdi unresolvable inject injection legacy runc containerd cri-o exec executable format "
      "permission denied directory path prepare "
      "dynamic process multi-attach attach attached mount mounting unmounted timed volume "
      // LimitRange and ResourceQuota.
      "minimum usage per limit specified ratio limits.cpu limits.memory requests.cpu "
      "requests.memory runtimeclass limited "
      // What the API server calls before it lets a pod in, and the kubelet before it runs.
      "internal occurred calling webhook call post endpoints service serviceaccount account "
      "looking up setup network type add assign ip address addresses "
      // Owners.
      "job deployment replicaset statefulset replicas replica backoff deadline progressing "
      "progressed minimum availability suspended resumed completed "
      // Gangs Volcano, coscheduling, kube-scheduler's own.
      "podgroup gang mincount minavailable minmember pre-filter sibling enough current tasks task "
      "valid scheduling queue queue overused appear recently gets even postfilter wait "
      // HAMi, KAI, Run:ai, YuniKorn.
      "gpus, non-preemptible preemptible over while go use exist gated currently fit map does "
      "unregistered meet project's fairshare fair-share deviceshare cores reached allowable "
      "unavailable unable "
      // Kueue.
      "check evicted preempted accommodate due prioritization path preemptor preemptee uid "
      "jobuid reset eviction reclamation within cohort borrowing provisioning"
      // What all of them are made of: English, reasons, plugins of kube-scheduler.
      " about above active admissioncheck admits again against ago allocatable allowed allows"
      " also always architecture as asked associated attempted authorized aware away back"
      " backoffs before begin behind below beside between beyond bind binding borrow borrowed"
      " borrows both break brings bucket build bytes called capacities card cause certificate"
      " change changed checked choose clusterqueue's clusterqueues cohorts comes command"
      " complete completes configuration consider consumable contains context continue"
      " cordoned correct could counts crash crashed currently customizing daemonsets"
      " deallocation delete deletion depend depends describe detected different disabled do"
      " done down dra drain drained driver's drop duplicate during each elasticquota else enabled"
      " encountered end ends enforce enforced entries entry ephemeral-storage equal equals"
      " errors event events every evict evicting evicts exactly exceeds exit exited expected"
      " expires extended extended-resources fail fails failure failures false feature"
      " features few field fields files filesystem filter filters finish finished first fit"
      " fits flag flavor's flavornotfound fleet full further gang-scheduled gang-scheduling"
      " gangs gce generated getpreferredallocation given go goes gone greater half handle"
      " handled handler handshake healthcheck held helps higher hold holds honor host"
      " hostname hostnames hosts how id if ignore ignored immediately impossible inadmissible"
      " included increase inline inside instead insufficientcapacity"
      " insufficientinstancecapacity insufficientinstancecapacityerror interface invalid"
      " issue issued it's its itself join joined keep keeps kept key keys kill killed killing"
      " kind known large larger largest last late later launch launched launching lead least"
      " leaves left less let level levels like limitation limitrange lists locality logs long"
      " look lost low lower lowest made make makes making manager master matches matching"
      " maxpods mean merge minute minutes missed mistakes modes most mounted move moved"
      " multiple name named names need needs never newer next nodeaffinity nodegroup"
      " nodegroups nodename nodepool's nodepools nodeports nodeprepareresources"
      " nodepreparresources noderesourcesfit nodeselector nodeunschedulable nodevolumelimits"
      " normal nothing notified now numa objects occupied off often old older on-demand once"
      " one's operation operator operators order orders other others our out outofcpu"
      " outofmemory outofpods outside over overcommitable overcommittable own parent parse"
      " part partial pass passed patch peer peers percent placed placement placement-based"
      " planned plugin's plugins policies policy possible preempt preempting preemptionpolicy"
      " preempts preferred previous prior priorities priority probe problem problems"
      " processed produce program properties property provided provider provision provisioned"
      " provisioner provisioners pulls put quantity queued queueing queues quotareserved"
      " quotas raise raised ran range reach reaches read readiness readinessprobe reading"
      " reads really reasons reboot recent reclaim reclaimable reclaimed recorded reduce"
      " refer refers refused refuses region regions registering registration reject rejects"
      " release released releases relevant remaining remove removed replace replaced reports"
      " reschedule rescheduled reserve reserves resize resource's resourcequota respect"
      " response restart restarted restarts result results resume retries retry retrying"
      " return returned returns right risk role room run runs runtimes safe same satisfied"
      " satisfies satisfying save say says scale scaled scaledown scaleup schedule's"
      " scheduler's scheduler-enforced scheduling-gated second section see select selected"
      " selectors selects send sending sends services set's sets several share shares short"
      " should show shows signal similar simultaneously since sizes skip skipped slot slots"
      " some something soon source sources spec specification split stale starting starts"
      " startup startupprobe state stated statement static stays step steps stock stop"
      " stopping stops storageclass stuck submit subset succeed succeeded success successful"
      " such suffix summary support supported supports sure suspend switch system tag tags"
      " tainted tainttoleration take taken takes tell template temporarily term terminate"
      " terminated terms them then these third those though three threshold through time"
      " timeout times tolerated tolerates toleration tolerations took toolkit topologies"
      " touch tried tries triggers true try trying turn two unable uncordon under understood"
      " unfulfillablecapacity unhandled unique unit units unless unlimited unmet unspecified"
      " unsuccessful unsupported until updating upgrade url use uses utilization validation"
      " value values vcpulimitexceeded verify versions via violate violated violates"
      " violating wants warning way ways webhooks well well-formed where while whole whose"
      " why word words work workers write wrong yaml yet you your zonal zones");
  if (is_known(Space::word, word) && !word.empty()) return true;
  return kMessageWords.has(lower_case(word));
}

bool is_gap_word(std::string_view word) {
  static const WordSet kGapWords(
      "metrics metric utilization power live use exporter exporters dcgm-exporter "
      "telemetry text texts answer answers answered tell tells told telling line lines "
      "could read reached reach full empty starting reloading cut within seconds first "
      "last time late api-server asked samples sample series measured old value values "
      "believed averages average maxima idle times over window partial calls its store "
      "behind holds several clusters known left out label address instance hostname "
      "prometheus thanos victoriametrics nvidia-smi run html json something else gives "
      "give refused errors gone login own wants served serves adapter custom "
      "custom.metrics.k8s.io looked labels images by runs them where these name whose "
      "says folder file called as mib mb ratio percent range sentinel profiling ignored "
      "busy active engines since -a");
  return kGapWords.has(lower_case(word));
}

bool is_cel_word(std::string_view word) {
  static const WordSet kCelWords(
      "device driver attributes capacity allowMultipleAllocations compareTo quantity semver "
      "isGreaterThan isLessThan matches startsWith endsWith contains lowerAscii in has true false "
      "null exists all size string int bool cel bind isQuantity isSemver sign asInteger mig gpu "
      "vfio tpu imex channel daemon orValue optional of");
  return kCelWords.has(word) || is_known(Space::attribute, word);
}

}  // namespace gpu::input
