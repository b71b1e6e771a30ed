// A pod made up of the input, written as protobuf and as JSON: both read the same.
#include <protozero/pbf_writer.hpp>
#include <vector>

#include "decode/objects/pod.hpp"
#include "fuzz.hpp"
#include "nlohmann/json.hpp"

namespace {

using nlohmann::json;

/// What the input decides, byte by byte; zeros when it is at its end.
class Choices {
 public:
  Choices(const std::uint8_t* data, std::size_t size) : data_(data), left_(size) {}
  std::uint8_t next() {
    if (left_ == 0) return 0;
    --left_;
    return *data_++;
  }
  [[nodiscard]] bool is_empty() const { return left_ == 0; }

 private:
  const std::uint8_t* data_;
  std::size_t left_;
};

enum class Type { text, number, flag, object, texts, objects, map, amounts, time };

struct Member;
using Schema = std::vector<Member>;

/// A field of a message by its names in both forms.
struct Member {
  const char* name;
  protozero::pbf_tag_type tag;
  Type type;
  Schema members = {};
};

std::string word(Choices& choices) {
  static constexpr const char* kWords[] = {"",       "a",      "b",        "zone",
                                           "In",     "Always", "big",      "Exists",
                                           "OnePod", "TCP",    "10.1.1.1", "RestartAllContainers"};
  return kWords[choices.next() % std::size(kWords)];
}

std::int32_t number(Choices& choices) {
  return static_cast<std::int32_t>(choices.next() * 16'909'320U);
}

std::string amount(Choices& choices) {
  static constexpr const char* kAmounts[] = {"1", "250m", "3Gi", "0", "1e3"};
  return kAmounts[choices.next() % std::size(kAmounts)];
}

struct Forms {
  std::string protobuf;
  json object = json::object();
};

Forms made(const Schema& schema, Choices& choices);

std::string entry(const std::string& key, const std::string& value) {
  std::string bytes;
  protozero::pbf_writer writer(bytes);
  writer.add_string(1, key);
  writer.add_string(2, value);
  return bytes;
}

void add_map(Forms& forms, protozero::pbf_writer& writer, const Member& member, Choices& choices) {
  json& map = forms.object[member.name] = json::object();
  for (int i = choices.next() % 3; i > 0; --i) {
    const std::string key = word(choices);
    const std::string value = member.type == Type::map ? word(choices) : amount(choices);
    map[key] = value;
    std::string quantity;
    protozero::pbf_writer(quantity).add_string(1, value);
    writer.add_string(member.tag, entry(key, member.type == Type::map ? value : quantity));
  }
}

void add_objects(Forms& forms, protozero::pbf_writer& writer, const Member& member,
                 Choices& choices) {
  json& list = forms.object[member.name] = json::array();
  for (int i = choices.next() % 3; i > 0; --i) {
    if (member.type == Type::texts) {
      list.push_back(word(choices));
      writer.add_string(member.tag, list.back().get<std::string>());
    } else {
      Forms inner = made(member.members, choices);
      list.push_back(std::move(inner.object));
      writer.add_string(member.tag, inner.protobuf);
    }
  }
}

void add(Forms& forms, protozero::pbf_writer& writer, const Member& member, Choices& choices) {
  switch (member.type) {
    case Type::text: {
      const std::string text = word(choices);
      forms.object[member.name] = text;
      return writer.add_string(member.tag, text);
    }
    case Type::number: {
      const std::int32_t value = number(choices);
      forms.object[member.name] = value;
      return writer.add_int32(member.tag, value);
    }
    case Type::flag: {
      const bool value = choices.next() % 2 == 1;
      forms.object[member.name] = value;
      return writer.add_bool(member.tag, value);
    }
    case Type::time: {
      std::string time;
      protozero::pbf_writer(time).add_int64(1, 1'793'527'200);
      forms.object[member.name] = "2026-11-01T10:00:00Z";
      return writer.add_string(member.tag, time);
    }
    case Type::object: {
      Forms inner = made(member.members, choices);
      forms.object[member.name] = std::move(inner.object);
      return writer.add_string(member.tag, inner.protobuf);
    }
    case Type::texts:
    case Type::objects:
      return add_objects(forms, writer, member, choices);
    case Type::map:
    case Type::amounts:
      return add_map(forms, writer, member, choices);
  }
}

Forms made(const Schema& schema, Choices& choices) {
  Forms forms;
  protozero::pbf_writer writer(forms.protobuf);
  for (const Member& member : schema)
    if (!choices.is_empty() && choices.next() % 2 == 1) add(forms, writer, member, choices);
  return forms;
}

const Schema kRequirement = {
    {"key", 1, Type::text}, {"operator", 2, Type::text}, {"values", 3, Type::texts}};
const Schema kLabels = {{"matchLabels", 1, Type::map},
                        {"matchExpressions", 2, Type::objects, kRequirement}};
const Schema kNodes = {{"nodeSelectorTerms",
                        1,
                        Type::objects,
                        {{"matchExpressions", 1, Type::objects, kRequirement},
                         {"matchFields", 2, Type::objects, kRequirement}}}};
const Schema kPodTerm = {{"labelSelector", 1, Type::object, kLabels},
                         {"namespaces", 2, Type::texts},
                         {"topologyKey", 3, Type::text},
                         {"namespaceSelector", 4, Type::object, kLabels},
                         {"matchLabelKeys", 5, Type::texts},
                         {"mismatchLabelKeys", 6, Type::texts}};
constexpr const char* kRequired = "requiredDuringSchedulingIgnoredDuringExecution";
const Schema kAffinity = {
    {"nodeAffinity", 1, Type::object, {{kRequired, 1, Type::object, kNodes}}},
    {"podAffinity", 2, Type::object, {{kRequired, 1, Type::objects, kPodTerm}}},
    {"podAntiAffinity", 3, Type::object, {{kRequired, 1, Type::objects, kPodTerm}}}};
const Schema kSpread = {
    {"maxSkew", 1, Type::number},         {"topologyKey", 2, Type::text},
    {"whenUnsatisfiable", 3, Type::text}, {"labelSelector", 4, Type::object, kLabels},
    {"minDomains", 5, Type::number},      {"nodeAffinityPolicy", 6, Type::text},
    {"nodeTaintsPolicy", 7, Type::text},  {"matchLabelKeys", 8, Type::texts}};
const Schema kResources = {{"limits", 1, Type::amounts}, {"requests", 2, Type::amounts}};
const Schema kPort = {{"name", 1, Type::text},
                      {"hostPort", 2, Type::number},
                      {"containerPort", 3, Type::number},
                      {"protocol", 4, Type::text},
                      {"hostIP", 5, Type::text}};
const Schema kContainer = {{"name", 1, Type::text},
                           {"image", 2, Type::text},
                           {"ports", 6, Type::objects, kPort},
                           {"resources", 8, Type::object, kResources},
                           {"restartPolicy", 24, Type::text},
                           {"restartPolicyRules", 25, Type::objects, {{"action", 1, Type::text}}}};
/// The kinds of a volume that decide where a pod can run; of a pod's volume there is one source,
/// and in protobuf it is a message of its own.
const Schema kSources = {
    {"gcePersistentDisk",
     3,
     Type::object,
     {{"pdName", 1, Type::text}, {"readOnly", 4, Type::flag}}},
    {"awsElasticBlockStore",
     4,
     Type::object,
     {{"volumeID", 1, Type::text}, {"readOnly", 4, Type::flag}}},
    {"cinder", 13, Type::object, {{"volumeID", 1, Type::text}, {"readOnly", 3, Type::flag}}},
    {"azureDisk",
     22,
     Type::object,
     {{"diskURI", 2, Type::text}, {"readOnly", 5, Type::flag}, {"kind", 6, Type::text}}},
    {"portworxVolume",
     24,
     Type::object,
     {{"volumeID", 1, Type::text}, {"readOnly", 3, Type::flag}}},
    {"iscsi", 8, Type::object, {{"iqn", 2, Type::text}, {"readOnly", 6, Type::flag}}},
    {"persistentVolumeClaim", 10, Type::object, {{"claimName", 1, Type::text}}},
    {"rbd",
     11,
     Type::object,
     {{"monitors", 1, Type::texts},
      {"image", 2, Type::text},
      {"pool", 4, Type::text},
      {"readOnly", 8, Type::flag}}},
    {"csi", 28, Type::object, {{"driver", 1, Type::text}}},
    {"ephemeral", 29, Type::object},
    {"emptyDir", 2, Type::object}};
const Schema kState = {
    {"waiting", 1, Type::object, {{"reason", 1, Type::text}, {"message", 2, Type::text}}},
    {"running", 2, Type::object},
    {"terminated", 3, Type::object, {{"reason", 3, Type::text}}}};
const Schema kStatus = {{"name", 1, Type::text},
                        {"state", 2, Type::object, kState},
                        {"lastState", 3, Type::object, kState},
                        {"restartCount", 5, Type::number},
                        {"allocatedResources", 10, Type::amounts},
                        {"resources", 11, Type::object, kResources}};
const Schema kToleration = {{"key", 1, Type::text},
                            {"operator", 2, Type::text},
                            {"value", 3, Type::text},
                            {"effect", 4, Type::text}};

const Schema kPodSpec = {{"containers", 2, Type::objects, kContainer},
                         {"activeDeadlineSeconds", 5, Type::number},
                         {"nodeSelector", 7, Type::map},
                         {"nodeName", 10, Type::text},
                         {"hostNetwork", 11, Type::flag},
                         {"affinity", 18, Type::object, kAffinity},
                         {"schedulerName", 19, Type::text},
                         {"initContainers", 20, Type::objects, kContainer},
                         {"tolerations", 22, Type::objects, kToleration},
                         {"priorityClassName", 24, Type::text},
                         {"priority", 25, Type::number},
                         {"runtimeClassName", 29, Type::text},
                         {"preemptionPolicy", 31, Type::text},
                         {"overhead", 32, Type::amounts},
                         {"topologySpreadConstraints", 33, Type::objects, kSpread},
                         {"hostUsers", 37, Type::flag},
                         {"schedulingGates", 38, Type::objects, {{"name", 1, Type::text}}},
                         {"resourceClaims",
                          39,
                          Type::objects,
                          {{"name", 1, Type::text},
                           {"resourceClaimName", 3, Type::text},
                           {"resourceClaimTemplateName", 4, Type::text}}},
                         {"schedulingGroup", 43, Type::object, {{"podGroupName", 1, Type::text}}}};
const Schema kPodStatus = {{"phase", 1, Type::text},
                           {"message", 3, Type::text},
                           {"reason", 4, Type::text},
                           {"startTime", 7, Type::time},
                           {"containerStatuses", 8, Type::objects, kStatus},
                           {"initContainerStatuses", 10, Type::objects, kStatus},
                           {"nominatedNodeName", 11, Type::text},
                           {"resourceClaimStatuses",
                            15,
                            Type::objects,
                            {{"name", 1, Type::text}, {"resourceClaimName", 2, Type::text}}}};
const Schema kPod = {{"metadata",
                      1,
                      Type::object,
                      {{"name", 1, Type::text},
                       {"namespace", 3, Type::text},
                       {"deletionTimestamp", 9, Type::time},
                       {"labels", 11, Type::map}}},
                     {"status", 3, Type::object, kPodStatus}};

/// One volume, whose source stands beside its name in JSON.
Forms volume(Choices& choices) {
  Forms forms;
  protozero::pbf_writer writer(forms.protobuf);
  const std::string name = word(choices);
  forms.object["name"] = name;
  writer.add_string(1, name);
  Forms source;
  protozero::pbf_writer inner(source.protobuf);
  add(source, inner, kSources[choices.next() % kSources.size()], choices);
  forms.object.update(source.object);
  writer.add_string(2, source.protobuf);
  return forms;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Choices choices(data, size);
  Forms spec = made(kPodSpec, choices);
  for (int i = choices.next() % 3; i > 0; --i) {
    const Forms one = volume(choices);
    spec.object["volumes"].push_back(one.object);
    protozero::pbf_writer(spec.protobuf).add_string(1, one.protobuf);
  }
  Forms pod = made(kPod, choices);
  pod.object["spec"] = spec.object;
  protozero::pbf_writer(pod.protobuf).add_string(2, spec.protobuf);
  gpu::Pod from_protobuf;
  gpu::Pod from_json;
  const std::string one =
      gpu::fuzz::error_of([&] { from_protobuf = gpu::decode::pod_from_protobuf(pod.protobuf); });
  const std::string other =
      gpu::fuzz::error_of([&] { from_json = gpu::decode::pod_from_json(pod.object); });
  gpu::fuzz::require(one == other, "both forms are refused alike");
  gpu::fuzz::require(from_protobuf == from_json, "both forms of a pod read the same");
  return 0;
}
