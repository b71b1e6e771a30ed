#include "lint/rules/subject.hpp"

#include "base/quantity.hpp"
#include "model/gpu/gpu_resource.hpp"

namespace gpu::lint {
namespace {

const json& nothing() {
  static const json kNothing;
  return kNothing;
}

/// A whole number of devices above 0; quantities may be texts or numbers.
std::optional<std::int64_t> whole(const json& amount) {
  const std::string text = written(amount);
  const std::optional<Quantity> quantity = Quantity::parse(text);
  if (!quantity || *quantity <= Quantity{} || Quantity::of(quantity->value()) != *quantity)
    return std::nullopt;
  return quantity->value();
}

}  // namespace

std::string_view name_of(Severity severity) {
  switch (severity) {
    case Severity::advice:
      return "advice";
    case Severity::warning:
      return "warning";
    case Severity::error:
      return "error";
  }
  return {};
}

const json& value_at(const json& object, const Pointer& pointer) {
  const json* at = &object;
  std::vector<std::string> parts;
  for (Pointer rest = pointer; !rest.empty(); rest.pop_back()) parts.push_back(rest.back());
  for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
    if (at->is_object()) {
      const auto found = at->find(*part);
      if (found == at->end()) return nothing();
      at = &*found;
    } else if (at->is_array()) {
      const std::size_t number =
          part->find_first_not_of("0123456789") == std::string::npos && part->size() < 9
              ? std::stoul(*part)
              : at->size();
      if (number >= at->size()) return nothing();
      at = &(*at)[number];
    } else {
      return nothing();
    }
  }
  return *at;
}

std::string_view text_at(const json& object, const char* pointer) {
  const json& value = value_at(object, Pointer(pointer));
  return value.is_string() ? std::string_view(value.get_ref<const std::string&>())
                           : std::string_view();
}

std::string written(const json& value) {
  if (value.is_string()) return value.get<std::string>();
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

bool ObjectSubject::is(std::string_view kind, std::string_view group) const {
  if (name.kind != kind) return false;
  const std::size_t slash = name.api_version.find('/');
  return (slash == std::string::npos
              ? std::string_view()
              : std::string_view(name.api_version).substr(0, slash)) == group;
}

const json& ObjectSubject::value(const char* pointer) const {
  return value_at(object, Pointer(pointer));
}

std::string ContainerSubject::name() const { return std::string(text_at(container, "/name")); }

const json& ContainerSubject::amounts(const char* which) const {
  static const json kNone = json::object();
  const json& found = value_at(container, Pointer("/resources") / which);
  return found.is_object() ? found : kNone;
}

std::vector<std::string> ContainerSubject::words() const {
  std::vector<std::string> words;
  for (const char* const list : {"/command", "/args"})
    if (const json& found = value_at(container, Pointer(list)); found.is_array())
      for (const json& word : found)
        if (word.is_string()) words.push_back(word.get<std::string>());
  return words;
}

std::optional<std::int64_t> devices_of(const ContainerSubject& container,
                                       std::string_view resource) {
  for (const char* const which : {"limits", "requests"}) {
    const json& amounts = container.amounts(which);
    if (const auto found = amounts.find(resource); found != amounts.end()) return whole(*found);
  }
  return std::nullopt;
}

std::int64_t gpus_of(const ContainerSubject& container) {
  json names = json::object();
  for (const char* const which : {"limits", "requests"})
    for (const auto& [name, amount] : container.amounts(which).items()) names[name] = true;
  std::int64_t sum = 0;
  for (const auto& [name, seen] : names.items())
    if (const auto gpu = gpu_resource(name); gpu && gpu->kind != DeviceKind::alias)
      sum = capped_sum(sum, devices_of(container, name).value_or(0));
  return sum;
}

std::int64_t gpus_of(const PodSubject& pod) {
  std::int64_t sum = 0;
  for_each_container(pod,
                     [&](const ContainerSubject& each) { sum = capped_sum(sum, gpus_of(each)); });
  return sum;
}

std::string path_text(const Pointer& pointer) {
  std::vector<std::string> parts;
  for (Pointer rest = pointer; !rest.empty(); rest.pop_back()) parts.push_back(rest.back());
  std::string path;
  for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
    if (!part->empty() && part->find_first_not_of("0123456789") == std::string::npos)
      path += "[" + *part + "]";
    else if (part->find_first_of("./[]\" ") != std::string::npos)
      path += "[\"" + *part + "\"]";
    else
      path += (path.empty() ? "" : ".") + *part;
  }
  return path;
}

}  // namespace gpu::lint
