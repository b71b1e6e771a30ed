#include "manifest/fit/pod.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "manifest/fit/claims.hpp"

namespace gpu::manifest {
namespace {

constexpr std::string_view kScriptFolder = "/scripts";

Tree pairs_tree(const TextPairs& pairs) {
  Tree tree;
  for (const auto& [key, value] : pairs) tree.set(key, value);
  return tree;
}

Tree secret_value(const std::string& secret, const std::string& key) {
  return Tree::map({{"secretKeyRef", Tree::map({{"name", secret}, {"key", key}}).on_one_line()}});
}

Tree env_tree(const EnvVariable& variable) {
  if (variable.secret.empty())
    return Tree::map({{"name", variable.name}, {"value", variable.value}});
  return Tree::map(
      {{"name", variable.name}, {"valueFrom", secret_value(variable.secret, variable.key)}});
}

/// In place of the variable of that name: a server-side apply refuses a second one.
void set_variable(Tree& env, const EnvVariable& variable) {
  for (std::size_t at = 0; at < env.size(); ++at) {
    Tree& each = *env.item(at);
    const Tree* const name = each.find("name");
    if (name == nullptr || std::get<std::string>(name->value()) != variable.name) continue;
    each = env_tree(variable);
    return;
  }
  env.push(env_tree(variable));
}

std::string script_map(const GenRequest& request) { return request.options.name + "-script"; }

/// Each once, however often it is mounted.
std::vector<std::string> claims_named(const GenRequest& request) {
  std::vector<std::string> names;
  for (const MountedClaim& each : request.options.claims)
    if (std::find(names.begin(), names.end(), each.claim) == names.end())
      names.push_back(each.claim);
  return names;
}

/// "claim-1": a claim's own name may be longer than a volume's, have dots, or be one of ours.
std::string volume_of(const GenRequest& request, const std::string& claim) {
  const std::vector<std::string> names = claims_named(request);
  return fmt::format("claim-{}", std::find(names.begin(), names.end(), claim) - names.begin() + 1);
}

/// Refuses a claim at a place that the kind mounts something at itself.
void check_mounts(const GenOptions& options, const Tree& mounts) {
  for (const Tree::Item& each : std::get<Tree::List>(mounts.value())) {
    const Tree* const path = each.value.find("mountPath");
    for (const MountedClaim& claim : options.claims)
      if (path != nullptr && std::get<std::string>(path->value()) == claim.path)
        throw Error(ErrorKind::usage, fmt::format("two volumes cannot be at {}", claim.path),
                    "what is there has a claim of its own: use --volume CLAIM:/ANOTHER/PATH");
  }
}

Tree script_object(const GenRequest& request) {
  const Script& script = *request.options.script;
  Tree object = object_of("v1", "ConfigMap", metadata_of(request, script_map(request)));
  object.set("data", Tree::map({{script.name, script.text}}));
  return object;
}

}  // namespace

PodParts::PodParts(GenRequest& request, PodShape shape)
    : request_(request), shape_(std::move(shape)) {
  const bool has_gpus = shape_.gpus == Gpus::as_asked;
  if (request.options.image.empty() && shape_.usual_image.empty())
    throw Error(ErrorKind::usage, "--image is missing",
                "for example --image ghcr.io/acme/train:1.4");
  check_mounts(request.options, shape_.mounts);
  if (has_gpus) {
    accelerator_ = accelerator_of(request);
    sizes_ = sizes_of(request, accelerator_, shape_.workload);
    placement_ = placement_of(request, accelerator_);
  } else {
    sizes_.cpu = Quantity::parse(shape_.cpu).value_or(Quantity());
    sizes_.memory = Quantity::parse(shape_.memory).value_or(Quantity());
    sizes_.shm = Quantity::parse(shape_.shm_size);
  }
  if (shape_.shm == Shm::of_controller) sizes_.shm.reset();
  if (has_gpus && request.options.script) request.before.push_back(script_object(request));
  if (uses_claims()) request.before.push_back(claim_template(request, accelerator_.units));
}

bool PodParts::uses_claims() const { return request_.options.uses_dra && accelerator_.units > 0; }

Tree PodParts::resources() const {
  Tree requests = Tree::map({{"cpu", cpu_text(sizes_.cpu)}, {"memory", bytes_text(sizes_.memory)}});
  Tree limits;
  if (shape_.cpu_limit == CpuLimit::as_requested) limits.set("cpu", cpu_text(sizes_.cpu));
  limits.set("memory", bytes_text(sizes_.memory));
  if (accelerator_.units > 0 && !uses_claims()) {
    requests.set(accelerator_.resource, accelerator_.units);
    limits.set(accelerator_.resource, accelerator_.units);
  }
  Tree resources = Tree::map({{"requests", std::move(requests).on_one_line()},
                              {"limits", std::move(limits).on_one_line()}});
  if (uses_claims()) resources.set("claims", Tree::list({Tree::map({{"name", kClaimName}})}));
  return resources;
}

Tree PodParts::env() const {
  Tree env = shape_.env;
  for (const EnvVariable& each : request_.options.env) set_variable(env, each);
  return env;
}

Tree PodParts::mounts() const {
  Tree mounts = Tree::list();
  if (sizes_.shm) mounts.push(Tree::map({{"name", "shm"}, {"mountPath", "/dev/shm"}}));
  for (const Tree::Item& each : std::get<Tree::List>(shape_.mounts.value()))
    mounts.push(each.value);
  if (request_.options.script)
    mounts.push(Tree::map({{"name", "script"}, {"mountPath", kScriptFolder}}));
  for (const MountedClaim& each : request_.options.claims) {
    Tree mount = Tree::map({{"name", volume_of(request_, each.claim)}, {"mountPath", each.path}});
    if (each.is_read_only) mount.set("readOnly", true);
    mounts.push(std::move(mount));
  }
  return mounts;
}

Tree PodParts::volumes() const {
  Tree volumes = Tree::list();
  if (sizes_.shm)
    volumes.push(Tree::map(
        {{"name",
          "shm",
          {"processes share memory here, and the default is 64Mi; it counts as memory",
           "PyTorch's data loaders and NCCL share memory between processes. Without this volume "
           "/dev/shm has 64 MiB, and jobs die with a bus error.",
           "pytorch/pytorch#16979, vllm-project/vllm#789"}},
         {"emptyDir", Tree::map({{"medium", "Memory"}, {"sizeLimit", bytes_text(*sizes_.shm)}})
                          .on_one_line()}}));
  for (const Tree::Item& each : std::get<Tree::List>(shape_.volumes.value()))
    volumes.push(each.value, each.why);
  if (request_.options.script)
    volumes.push(
        Tree::map({{"name", "script"},
                   {"configMap", Tree::map({{"name", script_map(request_)}}).on_one_line()}}));
  for (const std::string& each : claims_named(request_))
    volumes.push(
        Tree::map({{"name", volume_of(request_, each)},
                   {"persistentVolumeClaim", Tree::map({{"claimName", each}}).on_one_line()}}));
  return volumes;
}

Tree PodParts::pod_fields() const {
  const GenOptions& options = request_.options;
  Tree fields;
  if (!shape_.restart_policy.empty()) fields.set("restartPolicy", shape_.restart_policy);
  if (shape_.grace_seconds)
    fields.set("terminationGracePeriodSeconds", *shape_.grace_seconds,
               {"", "Time to save a checkpoint, or to finish requests, after SIGTERM.", ""});
  if (!options.priority_class.empty()) fields.set("priorityClassName", options.priority_class);
  if (!options.runtime_class.empty()) fields.set("runtimeClassName", options.runtime_class);
  if (!options.service_account.empty())
    fields.set("serviceAccountName", options.service_account);
  else
    fields.set("automountServiceAccountToken", false,
               {"", "The workload does not call the API server.", ""});
  if (!shape_.injects_services)
    fields.set("enableServiceLinks", false,
               {"a Service called vllm would set VLLM_PORT, which the server reads",
                "Kubernetes sets NAME_PORT=tcp://... for each Service of the namespace, and vLLM "
                "takes VLLM_PORT for its own.",
                "vllm-project/vllm#34199, #18209"});
  fields.set_unless_empty("nodeSelector", placement_.node_selector);
  fields.set_unless_empty("affinity", placement_.affinity);
  fields.set_unless_empty("tolerations", placement_.tolerations);
  if (uses_claims())
    fields.set(
        "resourceClaims",
        Tree::list({Tree::map({{"name", kClaimName},
                               {"resourceClaimTemplateName", claim_template_name(request_)}})}));
  return fields;
}

Tree PodParts::container_fields() const {
  const std::string& image = request_.options.image;
  Tree fields = Tree::map({{"image", image.empty() ? std::string(shape_.usual_image) : image}});
  fields.set_unless_empty("command", Tree::texts(shape_.command));
  fields.set_unless_empty("args", Tree::texts(shape_.args));
  fields.set_unless_empty("ports", shape_.ports);
  fields.set_unless_empty("env", env());
  fields.set("resources", resources(), sizes_.why);
  fields.set_all(shape_.probes);
  if (shape_.privileges == Privileges::dropped)
    fields.set("securityContext",
               Tree::map({{"allowPrivilegeEscalation", false},
                          {"capabilities", Tree::map({{"drop", Tree::texts({"ALL"})}})}})
                   .on_one_line());
  fields.set_unless_empty("volumeMounts", mounts());
  return fields;
}

Tree PodParts::spec() const {
  Tree spec = pod_fields();
  Tree container = Tree::map({{"name", shape_.container}});
  container.set_all(container_fields());
  spec.set("containers", Tree::list({container}));
  spec.set_unless_empty("volumes", volumes());
  return spec;
}

Tree PodParts::pod_template() const {
  Tree metadata;
  metadata.set_unless_empty("labels", shape_.labels);
  metadata.set_unless_empty("annotations", shape_.annotations);
  Tree made;
  made.set_unless_empty("metadata", std::move(metadata));
  made.set("spec", spec());
  return made;
}

Tree metadata_of(const GenRequest& request, std::string_view name, Tree labels, Tree annotations) {
  const GenOptions& options = request.options;
  Tree metadata = Tree::map({{"name", name}});
  if (!options.ns.empty()) metadata.set("namespace", options.ns);
  labels.set_all(pairs_tree(options.labels));
  annotations.set_all(pairs_tree(options.annotations));
  metadata.set_unless_empty("labels", std::move(labels));
  metadata.set_unless_empty("annotations", std::move(annotations));
  return metadata;
}

Tree object_of(std::string_view api_version, std::string_view kind, Tree metadata) {
  return Tree::map(
      {{"apiVersion", api_version}, {"kind", kind}, {"metadata", std::move(metadata)}});
}

Tree app_labels(const GenRequest& request) {
  return Tree::map({{"app.kubernetes.io/name", request.options.name}});
}

Tree queued_labels(const GenRequest& request) {
  Tree labels = app_labels(request);
  if (!request.options.queue.empty())
    labels.set("kueue.x-k8s.io/queue-name", request.options.queue,
               {"",
                "Kueue reads the label of the object itself, never that of its pods, and its "
                "webhook suspends the object.",
                "kubernetes-sigs/kueue#8228"});
  return labels;
}

std::string script_path(const GenRequest& request) {
  return fmt::format("{}/{}", kScriptFolder, request.options.script->name);
}

}  // namespace gpu::manifest
