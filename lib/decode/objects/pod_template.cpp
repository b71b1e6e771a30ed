#include "decode/objects/pod_template.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <utility>

#include "base/ascii.hpp"

namespace gpu::decode {
namespace {

using nlohmann::json;

const json* object_at(const json& object, std::string_view key) {
  if (!object.is_object()) return nullptr;
  const auto at = object.find(key);
  return at != object.end() && at->is_object() ? &*at : nullptr;
}

bool has_containers(const json& value) {
  const auto at = value.find("containers");
  return at != value.end() && at->is_array();
}

/// Whether it says only what a TrainJob changes in the pods of its runtime.
bool is_patch(std::string_view key) {
  return key == "runtimePatches" || key == "podTemplateOverrides";
}

class Search {
 public:
  void look_into(const json& value, const json::json_pointer& at, int depth) {
    constexpr int kDeepest = 14;
    if (depth > kDeepest) return;
    if (value.is_array()) {
      for (std::size_t i = 0; i < value.size(); ++i) look_into(value[i], at / i, depth + 1);
      return;
    }
    if (!value.is_object()) return;
    if (const json* const spec = object_at(value, "spec"); spec != nullptr && has_containers(*spec))
      return add(value, *spec, at / "spec", at / "metadata");
    if (depth > 0 && has_containers(value)) return add(json::object(), value, at, at / "metadata");
    for (const auto& [key, child] : value.items())
      if ((key != "status" || depth > 0) && !is_patch(key)) look_into(child, at / key, depth + 1);
  }

  std::vector<PodTemplate> take() { return std::move(found_); }

 private:
  void add(const json& owner, const json& spec, const json::json_pointer& spec_at,
           const json::json_pointer& metadata_at) {
    PodTemplate made{.pod = json::object(), .spec_at = spec_at, .metadata_at = metadata_at};
    made.pod["metadata"] = json::object();
    if (const json* const metadata = object_at(owner, "metadata"))
      for (const char* key : {"labels", "annotations"})
        if (const auto kept = metadata->find(key); kept != metadata->end())
          made.pod["metadata"][key] = *kept;
    made.pod["spec"] = spec;
    found_.push_back(std::move(made));
  }

  std::vector<PodTemplate> found_;
};

/// The member of `value` that `path` starts with, the longest where several could be meant: keys of
/// labels and resources hold dots.
std::optional<std::string> first_key(const json& value, std::string_view path) {
  std::optional<std::string> longest;
  for (const auto& [key, child] : value.items()) {
    if (!path.starts_with(key) || (longest && longest->size() >= key.size())) continue;
    const std::string_view rest = path.substr(key.size());
    if (rest.empty() || rest.front() == '.' || rest.front() == '[') longest = key;
  }
  return longest;
}

/// Reads "[12]" off the front of `path`.
std::optional<std::size_t> first_index(std::string_view& path) {
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(path.data() + 1, path.data() + path.size(), index);
  const auto length = static_cast<std::size_t>(end - path.data());
  if (error != std::errc{} || length >= path.size() || path[length] != ']') return std::nullopt;
  path.remove_prefix(length + 1);
  return index;
}

}  // namespace

std::vector<PodTemplate> pod_templates(const json& object) {
  Search search;
  search.look_into(object, json::json_pointer(), 0);
  return search.take();
}

std::string path_text(const json::json_pointer& pointer) {
  std::vector<std::string> parts;
  for (json::json_pointer at = pointer; !at.empty(); at.pop_back()) parts.push_back(at.back());
  std::string text;
  for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
    const bool is_index = std::all_of(part->begin(), part->end(), is_digit);
    text += is_index ? "[" + *part + "]" : (text.empty() ? "" : ".") + *part;
  }
  return text;
}

json::json_pointer pointer_of(const json& object, std::string_view path) {
  json::json_pointer pointer;
  const json* at = &object;
  while (!path.empty()) {
    if (path.front() == '.') path.remove_prefix(1);
    if (at->is_object()) {
      const std::optional<std::string> key = first_key(*at, path);
      if (!key || key->empty()) break;
      path.remove_prefix(key->size());
      pointer /= *key;
      at = &at->at(*key);
    } else if (at->is_array() && path.starts_with('[')) {
      const std::optional<std::size_t> index = first_index(path);
      if (!index || *index >= at->size()) break;
      pointer /= *index;
      at = &at->at(*index);
    } else {
      break;
    }
  }
  return pointer;
}

}  // namespace gpu::decode
