#pragma once

#include "decode/kinds/field.hpp"

// What a snapshot keeps of an object of each kind: all that we decode of it, and nothing else.
namespace gpu::decode {

Field claim_template_fields();
Field cluster_queue_fields();
Field cohort_fields();
Field csi_driver_fields();
Field csi_node_fields();
Field daemon_set_fields();
Field cluster_policy_fields();
Field event_fields();
Field job_fields();
Field kai_queue_fields();
Field karpenter_node_pool_fields();
Field lease_fields();
Field limit_range_fields();
Field local_queue_fields();
Field namespace_fields();
Field persistent_volume_fields();
Field priority_class_fields();
Field disruption_budget_fields();
Field resource_flavor_fields();
Field resource_quota_fields();
Field api_group_fields();
Field runtime_class_fields();
Field storage_capacity_fields();
Field storage_class_fields();
Field volume_attachment_fields();
Field volcano_pod_group_fields();
Field volcano_queue_fields();
Field volume_claim_fields();
Field workload_fields();

}  // namespace gpu::decode
