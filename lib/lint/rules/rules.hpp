#pragma once

#include <span>

#include "lint/rules/finding.hpp"
#include "lint/rules/subject.hpp"

// Each pair is a file of this folder: the rules that it knows, and the check that reports them.
namespace gpu::lint {

std::span<const Rule> resource_rules();
void check_resources(const PodSubject& pod, Findings& findings);

std::span<const Rule> placement_rules();
void check_placement(const PodSubject& pod, Findings& findings);

std::span<const Rule> shared_memory_rules();
void check_shared_memory(const PodSubject& pod, Findings& findings);

std::span<const Rule> environment_rules();
void check_environment(const PodSubject& pod, Findings& findings);

std::span<const Rule> image_rules();
void check_images(const PodSubject& pod, Findings& findings);

std::span<const Rule> access_rules();
void check_access(const PodSubject& pod, Findings& findings);

std::span<const Rule> parallelism_rules();
void check_parallelism(const PodSubject& pod, Findings& findings);

std::span<const Rule> object_rules();
void check_object(const ObjectSubject& object, Findings& findings);
/// What the API server finds in the fields around and in a template.
void check_fields(const PodSubject& pod, Findings& findings);

std::span<const Rule> batch_rules();
void check_batch(const ObjectSubject& object, Findings& findings);

std::span<const Rule> training_rules();
void check_training(const ObjectSubject& object, Findings& findings);

std::span<const Rule> ray_rules();
void check_ray(const ObjectSubject& object, Findings& findings);

std::span<const Rule> serving_rules();
void check_serving(const ObjectSubject& object, Findings& findings);

std::span<const Rule> policy_rules();
void check_policy(const ObjectSubject& object, Findings& findings);

std::span<const Rule> queue_rules();
void check_queues(const ObjectSubject& object, Findings& findings);

std::span<const Rule> sharing_rules();
void check_sharing(const ObjectSubject& object, Findings& findings);

std::span<const Rule> monitoring_rules();
void check_monitoring(const ObjectSubject& object, Findings& findings);

/// What only a cluster can tell, for whoever has asked it.
enum class ClusterRule { never_starts, waits, not_served };
std::span<const Rule> cluster_rules();
const Rule& rule(ClusterRule which);

}  // namespace gpu::lint
