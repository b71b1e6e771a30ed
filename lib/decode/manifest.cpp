#include "decode/manifest.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/error.hpp"
#include "decode/pod.hpp"
#include "decode/yaml.hpp"

namespace gpu::decode {
namespace {

using nlohmann::json;

/// Documents of a YAML text, each with as many empty lines before it as there are lines before it
/// in the text, so that errors name the right line.
std::vector<std::string> documents_in(std::string_view text) {
  std::vector<std::string> documents(1);
  std::size_t lines = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end);
    ++lines;
    if (line.starts_with("---") &&
        (line.size() == 3 || line.find_first_not_of("- \t\r\n") == std::string_view::npos))
      documents.emplace_back(lines, '\n');
    else
      documents.back() += line;
  }
  return documents;
}

std::string text_at(const json& object, const char* key) {
  if (!object.is_object()) return {};
  const auto at = object.find(key);
  return at != object.end() && at->is_string() ? at->get<std::string>() : std::string();
}

const json* object_at(const json& object, const char* key) {
  if (!object.is_object()) return nullptr;
  const auto at = object.find(key);
  return at != object.end() && at->is_object() ? &*at : nullptr;
}

bool is_pod_template(const json& value) {
  const json* const spec = object_at(value, "spec");
  return spec != nullptr && spec->contains("containers") && (*spec)["containers"].is_array();
}

/// An object of the manifest, by what its pods are called.
struct Maker {
  std::string kind;
  std::string name;
  std::string ns;
  std::string api_version;
};

class Reader {
 public:
  explicit Reader(const std::string& ns) : ns_(ns) {}

  void read(const json& object) {
    if (const auto items = object.find("items"); items != object.end() && items->is_array()) {
      for (const json& item : *items) read(item);
      return;
    }
    const json* const metadata = object_at(object, "metadata");
    Maker maker{.kind = text_at(object, "kind"),
                .name = {},
                .ns = ns_,
                .api_version = text_at(object, "apiVersion")};
    if (metadata != nullptr) {
      maker.name = text_at(*metadata, "name");
      if (maker.name.empty()) maker.name = text_at(*metadata, "generateName");
      if (const std::string own = text_at(*metadata, "namespace"); !own.empty()) maker.ns = own;
    }
    if (maker.kind == "Pod")
      take(object, maker);
    else
      search(object, maker, 0);
  }

  std::vector<Pod> take_pods() { return std::move(pods_); }

 private:
  /// Wherever a template of pods stands: spec.template, spec.jobTemplate.spec.template,
  /// spec.workerGroupSpecs[1].template.
  void search(const json& value, const Maker& maker, int depth) {
    constexpr int kDeepest = 12;
    if (depth > kDeepest) return;
    if (value.is_object()) {
      if (depth > 0 && is_pod_template(value)) return take(value, maker);
      for (const auto& [key, child] : value.items()) search(child, maker, depth + 1);
    } else if (value.is_array()) {
      for (const json& child : value) search(child, maker, depth + 1);
    }
  }

  void take(const json& value, const Maker& maker) {
    json object = value;
    object["metadata"] = json::object();
    for (const char* key : {"labels", "annotations"})
      if (const json* metadata = object_at(value, "metadata"))
        if (const json* kept = object_at(*metadata, key)) object["metadata"][key] = *kept;
    object["metadata"]["name"] = maker.name;
    object["metadata"]["namespace"] = maker.ns;
    object.erase("status");
    Pod pod = pod_from_json(object);
    pod.phase = "Pending";
    if (maker.kind != "Pod")
      pod.owners = {{.kind = maker.kind,
                     .name = maker.name,
                     .uid = {},
                     .api_version = maker.api_version,
                     .controller = true}};
    pods_.push_back(std::move(pod));
  }

  std::string ns_;
  std::vector<Pod> pods_;
};

}  // namespace

std::vector<Pod> pods_in_manifest(std::string_view text, const std::string& name,
                                  const std::string& ns) {
  Reader reader(ns);
  for (const std::string& document : documents_in(text)) {
    try {
      const json object = yaml_to_json(document);
      if (object.is_null()) continue;
      if (!object.is_object() || !object.contains("kind"))
        throw Error(ErrorKind::data, "a document is not a Kubernetes object: it has no kind");
      reader.read(object);
    } catch (const Error& error) {
      throw Error(ErrorKind::usage, name + ": " + error.message(), error.help());
    }
  }
  std::vector<Pod> pods = reader.take_pods();
  if (pods.empty())
    throw Error(ErrorKind::usage, name + " makes no pods",
                "give a Pod, or what makes pods: a Job, a Deployment");
  return pods;
}

}  // namespace gpu::decode
