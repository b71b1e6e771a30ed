#include "input/snapshot/metric_labels.hpp"

#include <algorithm>
#include <array>

#include "base/ascii.hpp"
#include "input/snapshot/word_set.hpp"

namespace gpu::input {
namespace {

struct Keys {
  MetricLabel label;
  WordSet keys;
};

// Lower case. From dcgm-exporter, device-metrics-exporter, XPU Manager, xpumd, Gaudi's, TPU's and
// Neuron's exporters, nvidia_gpu_exporter, HAMi, all-smi, and from agents that rename.
const std::array<Keys, 15> kKeys = {{
    {MetricLabel::open,
     WordSet(
         "gpu gpu_id gpu_index index minor minor_number device devicename device_name "
         "modelname model model_name gpu_name gpu_model productname card_model card_series "
         "card_vendor "
         "gpu_i_id gpu_i_profile gpu_instance_id compute_instance_id gi ci mig_profile profile "
         "mig_device mig_index vgpu vdevice_index vdeviceid deviceidx device_index devicetype "
         "device_type nvlink nvswitch cpu cpucore peer_gpu link_status err_code xid "
         "window_size_in_ms gpu_partition_id gpu_compute_partition_type "
         "gpu_memory_partition_type compute_partition_type clock_type clock_index hbm_index "
         "xcd_index deployment_mode sub_dev src card type location dev_name dev_file vendor "
         "pci_dev hw_gpu_task com_intel_subdevice_id com_intel_gpu_subdevice_id subdevice hw_type "
         "hw_name hw_model "
         "hw_vendor hw_sensor_location hw_memory_type hw_memory_location statistic aggregation "
         "make tpu_topology "
         "accelerator_type chip core neuroncore neuron_device neuron_device_index neurondevice id "
         "memory_location instance_type subsystem event_type status_type error_type percentile "
         "dra_mig_profile name gpu_brand dcgm_fi_dev_brand npu lib_name pid kfd_process_id "
         "unit le quantile state brand architecture")},
    {MetricLabel::version,
     WordSet("dcgm_fi_driver_version dcgm_fi_system_driver_version driver_version vbios_version "
             "dcgm_fi_dev_vbios_version dcgm_fi_cuda_driver_version cuda_version")},
    {MetricLabel::pci,
     WordSet("pci_bus_id pci_bdf pcibusid pci_bus pci_address pci bdf hw_pci_bdf")},
    {MetricLabel::host, WordSet("hostname host node kubernetes_node kubernetes_node_name nodename "
                                "node_name nodeid host_name k8s_node_name "
                                "exported_node instance_name net_host_name")},
    {MetricLabel::address, WordSet("instance exported_instance server_address")},
    {MetricLabel::ns,
     WordSet("namespace exported_namespace exported_pod_namespace exported_podnamespace "
             "pod_namespace podnamespace kubernetes_namespace "
             "k8s_namespace_name kube_namespace container_namespace")},
    {MetricLabel::pod, WordSet("pod exported_pod pod_name podname kubernetes_pod_name k8s_pod_name "
                               "kube_pod exported_pod_name exported_podname exporter_pod")},
    {MetricLabel::container,
     WordSet("container exported_container exported_container_name exported_ctrname container_name "
             "ctrname kubernetes_container_name "
             "k8s_container_name kube_container")},
    {MetricLabel::uid, WordSet("pod_uid pod_uuid poduid k8s_pod_uid exported_pod_uid")},
    {MetricLabel::device_id,
     WordSet("uuid gpu_uuid deviceuuid device_uuid deviceid device_id hw_id serial serial_number "
             "dcgm_fi_dev_serial mig_uuid mig_device_uuid parent_uuid parentuuid gpuuuid "
             "dra_mig_device_uuid dcgm_fi_dev_uuid accelerator_id")},
    {MetricLabel::claim, WordSet("dra_claim_name")},
    {MetricLabel::driver, WordSet("dra_driver_name")},
    {MetricLabel::pool, WordSet("dra_pool_name")},
    {MetricLabel::device, WordSet("dra_device_name")},
    {MetricLabel::other, WordSet("hpc_job runtime_tag instance_id")},
}};

}  // namespace

std::optional<MetricLabel> metric_label(std::string_view key) {
  std::string lower = lower_case(key);
  std::replace(lower.begin(), lower.end(), '.', '_');  // OpenTelemetry's "k8s.pod.name"
  if (lower == "dra_claim_namespace") return MetricLabel::ns;
  for (const auto& [label, keys] : kKeys)
    if (keys.has(lower)) return label;
  return std::nullopt;
}

}  // namespace gpu::input
