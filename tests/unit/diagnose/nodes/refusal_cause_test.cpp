#include "diagnose/nodes/refusal_cause.hpp"

#include <catch2/catch.hpp>

#include "scheduler/cycle/judge_make.hpp"
#include "scheduler/volumes/volume_make.hpp"

namespace nodes_refusal_cause_test {

using namespace gpu;
using namespace gpu::diagnose;
using scheduler::Filter;

namespace {

/// "SUMMARY | NEAREST | ADVICE $ COMMAND" of a PreFilter's refusal of this message.
std::string told(const Snapshot& snapshot, const Pod& pod, Filter filter,
                 const std::string& message, Code code) {
  scheduler::Verdict verdict;
  verdict.rejections = {{.filter = filter, .message = message}};
  const auto cause = refusal_cause(scheduler::Cluster(snapshot), pod, verdict);
  if (!cause) return "nothing";
  CHECK(cause->code == code);
  CHECK(cause->advice.size() <= 1);
  std::string text = cause->summary + " | " + cause->nearest;
  for (const Advice& each : cause->advice)
    text += " | " + each.summary + (each.command.empty() ? "" : " $ " + each.command);
  return text;
}

std::string of_volume(const std::string& message, const SchedulingFacts& facts = {}) {
  const Pod pod = make::pod_with_claims("p", "", {"data"});
  return told(make::seen({make::node("a", 1)}, {}, facts), pod, Filter::volume_binding, message,
              Code::volume_unbound);
}

/// Of a claim that must be bound first, and is not.
std::string of_unbound(const SchedulingFacts& facts) {
  return of_volume("pod has unbound immediate PersistentVolumeClaims", facts);
}

std::string of_claim(const std::string& message, Code code) {
  Snapshot snapshot = make::cluster({make::node("a", 1)});
  for (const auto& [ns, name] : {std::pair{"ml", "shared-gpu"}, std::pair{"dev", "shared-gpus"}}) {
    ResourceClaim claim{.ns = ns, .name = name};
    snapshot.claims.push_back(claim);
  }
  snapshot.device_classes.push_back({.name = "tpu.example.com"});
  return told(snapshot, make::waiting("p"), Filter::dynamic_resources, message, code);
}

SchedulingFacts facts_of(PersistentVolumeClaim claim) {
  SchedulingFacts facts;
  facts.volume_claims = {std::move(claim)};
  return facts;
}

const std::string kDescribe = " | see what its storage says $ kubectl describe pvc data -n ml";
const std::string kUnbound = "the volume claim data is not bound";
const std::string kNearest = " | claim data is not bound";

}  // namespace

TEST_CASE("nodes decide where nothing refuses the pod itself") {
  const Snapshot snapshot = make::cluster({make::node("a", 1)});
  const scheduler::Cluster cluster(snapshot);
  CHECK_FALSE(refusal_cause(cluster, make::waiting("p"), {}));
  scheduler::Verdict failed;
  failed.error = "no such thing";
  const auto cause = refusal_cause(cluster, make::waiting("p"), failed);
  REQUIRE(cause);
  CHECK(cause->code == Code::claim_unsatisfiable);
  CHECK(cause->summary == "the scheduler stops with an error: no such thing");
  CHECK(told(snapshot, make::waiting("p"), Filter::node_affinity, "x",
             Code::node_selector_mismatch) == "the pod's node affinity contradicts itself | ");
}

TEST_CASE("why a claim is not bound is told as far as it can be seen") {
  PersistentVolumeClaim claim = make::waiting_claim("data", "fast");
  CHECK(of_unbound(facts_of(claim)) ==
        kUnbound + ": its storage class fast does not exist" + kNearest +
            " | create the storage class fast, or recreate the claim with one that exists $ "
            "kubectl get storageclasses");
  SchedulingFacts with_class = facts_of(claim);
  with_class.storage_classes = {{.name = "fast"}};
  CHECK(of_unbound(with_class) ==
        kUnbound + ": it waits for a volume of storage class fast" + kNearest + kDescribe);
  with_class.storage_classes = {{.name = "fasd"}};
  CHECK_THAT(of_unbound(with_class),
             Catch::Contains("one that exists: there is a class fasd $ kubectl"));
  claim.volume = "pv";
  CHECK(of_unbound(facts_of(claim)) == kUnbound + " to pv yet" + kNearest + kDescribe);
}

TEST_CASE("a claim that names no class is not one that wants none") {
  PersistentVolumeClaim claim = make::waiting_claim("data", "");
  CHECK_THAT(of_unbound(facts_of(claim)),
             Catch::Contains("its storageClassName is \"\", so no volume is provisioned for it") &&
                 Catch::Contains("or create a PersistentVolume without a class for it"));
  SchedulingFacts with_class = facts_of(claim);
  with_class.storage_classes = {{.name = "fast", .is_default = true}};
  CHECK_THAT(of_unbound(with_class),
             Catch::Contains("(fast), or leave the field out, for the default one"));
  claim.storage_class.reset();
  CHECK_THAT(of_unbound(facts_of(claim)),
             Catch::Contains("it names no storage class, and no StorageClass is the default one"));
  with_class = facts_of(claim);
  with_class.storage_classes = {{.name = "fast", .is_default = true}};
  CHECK_THAT(of_unbound(with_class), Catch::Contains("has not got the default one, fast, yet"));
}

TEST_CASE("the newest warning of a claim says why it is not bound") {
  SchedulingFacts facts = facts_of(make::waiting_claim("data", "fast"));
  facts.storage_classes = {{.name = "fast"}};
  const auto event = [](std::string type, std::string message, int second) {
    Event made{.ns = "ml", .type = std::move(type), .reason = "ProvisioningFailed"};
    made.message = std::move(message);
    made.kind = "PersistentVolumeClaim";
    made.object = "data";
    made.last = Time{std::chrono::seconds{second}};
    return made;
  };
  facts.events = {event("Warning", "old", 1), event("Warning", "no quota", 2),
                  event("Normal", "retry", 3)};
  CHECK(of_unbound(facts) == kUnbound + ": no quota" + kNearest + kDescribe);
}

TEST_CASE("claims that are bound, or that wait for the pod's node, are not what is unbound") {
  const std::string nothing = "a volume claim of the pod is not bound | ";
  CHECK(of_unbound({}) == nothing);
  CHECK(of_unbound(facts_of(make::bound_claim("data", "pv"))) == nothing);
  SchedulingFacts delayed = facts_of(make::waiting_claim("data", "fast"));
  delayed.storage_classes = {make::delayed_class("fast", "csi")};
  CHECK(of_unbound(delayed) == nothing);
  delayed.volume_claims.front().volume = "pv";
  CHECK(of_unbound(delayed) == kUnbound + " to pv yet" + kNearest + kDescribe);
}

TEST_CASE("volume claims and volumes that are missing are named") {
  SchedulingFacts facts = facts_of(make::bound_claim("date", "pv"));
  CHECK(of_volume("persistentvolumeclaim \"data\" not found", facts) ==
        "the volume claim data does not exist |  | make it, or correct the name in spec.volumes of "
        "the pod: there is a claim date $ kubectl get pvc -n ml");
  facts.volume_claims.front().ns = "dev";
  CHECK(of_volume("persistentvolumeclaim \"data\" not found", facts) ==
        "the volume claim data does not exist |  | make it, or correct the name in spec.volumes of "
        "the pod $ kubectl get pvc -n ml");
  CHECK(of_volume("persistentvolumeclaim \"data\" is being deleted") ==
        "the volume claim data is being deleted | ");
  CHECK(of_volume("persistentvolume \"pv\" not found") ==
        "the volume pv of a claim does not exist | ");
  CHECK(of_volume("persistentvolumeclaim \"data\" bound to nothing") ==
        "persistentvolumeclaim \"data\" bound to nothing | ");
  CHECK(of_volume("a volume \"x\" not found") == "a volume \"x\" not found | ");
  CHECK(of_volume("persistentvolume \"pv") == "the volume  of a claim does not exist | ");
}

TEST_CASE("a device class that is missing is installed, or is another's name misspelt") {
  const auto missing = [](const std::string& name) {
    return of_claim("request gpu: device class " + name + " does not exist",
                    Code::device_class_missing);
  };
  const auto lead = [](const std::string& name) {
    return "the device class " + name +
           " that the pod's claim requests does not exist | device class " + name +
           " does not exist | ";
  };
  for (const std::string name : {"gpu.nvidia.com", "mig.nvidia.com"})
    CHECK_THAT(missing(name), Catch::StartsWith(lead(name) + "install NVIDIA's DRA driver with"));
  CHECK(missing("tpu.example.con") ==
        lead("tpu.example.con") + "request the class tpu.example.com");
  CHECK(missing("fpga") == lead("fpga") + "install the DRA driver that brings the class fpga");
}

TEST_CASE("a ResourceClaim that is missing is told with a near name of its namespace") {
  CHECK(of_claim("resourceclaim.resource.k8s.io \"shared-gpus\" not found", Code::claim_missing) ==
        "the ResourceClaim shared-gpus does not exist | claim shared-gpus does not exist | make "
        "it, or correct the name in the pod's spec.resourceClaims: there is a claim shared-gpu $ "
        "kubectl get resourceclaims -n ml");
  for (const std::string message :
       {"pod \"p\": claim not created yet", "resourceclaim \"x\" is being deleted",
        "ResourceClaim was not created for the pod (pod is not owner)"})
    CHECK(of_claim(message, Code::claim_missing) == message + " | ");
  for (const std::string message : {"cannot allocate all claims", "device class x is odd"})
    CHECK(of_claim(message, Code::claim_unsatisfiable) == message + " | ");
}

}  // namespace nodes_refusal_cause_test
