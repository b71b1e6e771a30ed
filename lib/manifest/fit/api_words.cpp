#include "manifest/fit/api_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "base/ascii.hpp"
#include "base/error.hpp"
#include "base/text.hpp"

namespace gpu::manifest {
namespace {

bool is_lower_or_digit(char c) { return is_digit(c) || (c >= 'a' && c <= 'z'); }
bool is_letter_or_digit(char c) { return is_letter(c) || is_digit(c); }

/// "a-b_c.d": begins and ends with a letter or digit.
bool is_name_part(std::string_view text) {
  constexpr std::size_t kMost = 63;
  return !text.empty() && text.size() <= kMost && is_letter_or_digit(text.front()) &&
         is_letter_or_digit(text.back()) && std::all_of(text.begin(), text.end(), [](char c) {
           return is_letter_or_digit(c) || c == '-' || c == '_' || c == '.';
         });
}

[[noreturn]] void refuse(std::string_view flag, std::string_view value, std::string_view what,
                         std::string_view help) {
  throw Error(ErrorKind::usage, fmt::format("{}: `{}` cannot be {}", flag, sanitize(value), what),
              std::string(help));
}

constexpr std::string_view kNameHelp =
    "names are lower case letters, digits, dashes and dots, and begin and end with a letter or "
    "digit";

void check_object_name(std::string_view flag, std::string_view name) {
  if (!name.empty() && !is_dns_subdomain(name))
    refuse(flag, name, "the name of an object", kNameHelp);
}

void check_labels(std::string_view flag, const TextPairs& labels) {
  for (const auto& [key, value] : labels) {
    if (!is_qualified_name(key))
      refuse(flag, key, "the key of a label",
             "keys are NAME or DOMAIN/NAME, as in team or acme.io/team");
    if (!is_label_value(value))
      refuse(flag, value, "the value of a label",
             "values have at most 63 letters, digits, dashes, dots and underscores");
  }
}

void check_annotations(const GenOptions& options) {
  constexpr std::size_t kMost = 256 << 10;
  std::size_t size = 0;
  for (const auto& [key, value] : options.annotations) {
    if (!is_qualified_name(key))
      refuse("--annotation", key, "the key of an annotation", "keys are NAME or DOMAIN/NAME");
    size += key.size() + value.size();
  }
  if (size > kMost)
    throw Error(ErrorKind::usage, "--annotation: all of them together are larger than 256 KiB",
                "put the text into a ConfigMap");
}

/// Of the data of a ConfigMap or a Secret.
bool is_data_key(std::string_view key) {
  constexpr std::size_t kMost = 253;
  return !key.empty() && key.size() <= kMost && key != "." && key != ".." &&
         std::all_of(key.begin(), key.end(), [](char c) {
           return is_letter_or_digit(c) || c == '-' || c == '_' || c == '.';
         });
}

void check_secret_key(std::string_view flag, std::string_view key) {
  if (!is_data_key(key))
    refuse(flag, key, "a key of a Secret",
           "keys are letters, digits, dashes, dots and underscores");
}

void check_env(const GenOptions& options) {
  for (const EnvVariable& each : options.env) {
    const bool is_good =
        !each.name.empty() && std::all_of(each.name.begin(), each.name.end(),
                                          [](char c) { return c > ' ' && c <= '~' && c != '='; });
    if (!is_good) refuse("--env", each.name, "the name of a variable", "for example BATCH_SIZE=32");
    check_object_name("--env-from-secret", each.secret);
    if (!each.secret.empty()) check_secret_key("--env-from-secret", each.key);
  }
}

/// SECRET or SECRET/KEY.
void check_hf_secret(const std::string& typed) {
  constexpr std::string_view kFlag = "--hf-secret";
  const std::size_t slash = typed.find('/');
  if (slash == 0 || typed.empty())
    refuse(kFlag, typed, "a Secret", "for example --hf-secret hf-token/token");
  check_object_name(kFlag, typed.substr(0, slash));
  if (slash != std::string::npos) check_secret_key(kFlag, typed.substr(slash + 1));
}

/// Written in one way only, so that two volumes at one place are seen.
bool is_path(std::string_view path) {
  return path.size() > 1 && path.front() == '/' && path.find(':') == std::string_view::npos &&
         path.find("..") == std::string_view::npos && path.find("//") == std::string_view::npos &&
         path.back() != '/' && sanitize(path) == path;
}

void check_claims(const GenOptions& options) {
  for (const MountedClaim& each : options.claims) {
    check_object_name("--volume", each.claim);
    if (!is_path(each.path))
      refuse("--volume", each.path, "a place in the container",
             "for example datasets:/datasets:ro");
  }
}

void check_tolerations(const GenOptions& options) {
  for (const WantedToleration& each : options.tolerations)
    if (!is_qualified_name(each.key) || !is_label_value(each.value))
      refuse("--toleration", each.key + (each.value.empty() ? "" : "=" + each.value), "a taint",
             "for example dedicated=research:NoSchedule");
}

void check_script(const GenOptions& options) {
  if (!options.script) return;
  const std::string& name = options.script->name;
  if (!is_data_key(name))
    refuse("--script", name, "a key of a ConfigMap",
           "call the file with letters, digits, dashes, dots and underscores alone");
  if (std::ranges::count(options.script->text, '\0') > 0)
    refuse("--script", name, "a script: it is not text", "put it into the image, or onto a claim");
}

/// An Indexed Job has at most 100000 pods that run, and seconds and retries are 32 bits.
void check_counts(const GenOptions& options) {
  constexpr std::int64_t kMostNodes = 100'000;
  constexpr std::int64_t kMostRetries = 10'000;
  constexpr std::int64_t kMostSeconds = 2'147'483'647;
  if (options.nodes.value_or(1) > kMostNodes)
    throw Error(ErrorKind::usage, "--nodes is more than 100000", "for example --nodes 2");
  if (options.retries.value_or(0) > kMostRetries)
    throw Error(ErrorKind::usage, "--retries is more than 10000", "for example --retries 3");
  if (options.ttl_seconds.value_or(0) > kMostSeconds)
    throw Error(ErrorKind::usage, "--ttl is longer than 24855 days", "for example --ttl 1d");
  if (options.deadline_seconds.value_or(0) > kMostSeconds)
    throw Error(ErrorKind::usage, "--deadline is longer than 24855 days",
                "for example --deadline 12h");
}

/// Thousandths of a byte, and more than any machine has, are slips.
void check_amounts(const GenOptions& options) {
  const Quantity least = Quantity::of(std::int64_t{1} << 20);
  const Quantity most = Quantity::of(std::int64_t{1} << 50);
  const auto check = [&](std::string_view flag, const std::optional<Quantity>& amount) {
    if (amount && (*amount < least || *amount > most))
      throw Error(ErrorKind::usage, fmt::format("{} is not between 1Mi and 1Pi", flag),
                  "for example " + std::string(flag) + " 64Gi");
  };
  check("--memory", options.memory);
  check("--shm", options.shm);
  check("--storage", options.storage);
  if (options.cpu && (*options.cpu < Quantity::of_milli(1) || *options.cpu > Quantity::of(4096)))
    throw Error(ErrorKind::usage, "--cpu is not between 1m and 4096", "for example --cpu 8");
}

}  // namespace

bool is_dns_label(std::string_view text) {
  constexpr std::size_t kMost = 63;
  return !text.empty() && text.size() <= kMost && text.front() != '-' && text.back() != '-' &&
         std::all_of(text.begin(), text.end(),
                     [](char c) { return is_lower_or_digit(c) || c == '-'; });
}

bool is_dns_subdomain(std::string_view text) {
  constexpr std::size_t kMost = 253;
  if (text.empty() || text.size() > kMost) return false;
  for (;;) {
    const std::size_t dot = text.find('.');
    const std::string_view label = text.substr(0, dot);
    if (label.empty() || label.front() == '-' || label.back() == '-' ||
        !std::all_of(label.begin(), label.end(),
                     [](char c) { return is_lower_or_digit(c) || c == '-'; }))
      return false;
    if (dot == std::string_view::npos) return true;
    text.remove_prefix(dot + 1);
  }
}

bool is_qualified_name(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return is_name_part(text);
  return is_dns_subdomain(text.substr(0, slash)) && is_name_part(text.substr(slash + 1));
}

bool is_label_value(std::string_view text) { return text.empty() || is_name_part(text); }

bool is_mig_profile(std::string_view text) {
  const std::size_t gpu = text.find("g.");
  if (gpu == std::string_view::npos || gpu == 0) return false;
  std::string_view memory = text.substr(gpu + 2);
  if (const std::size_t more = memory.find_first_of("+."); more != std::string_view::npos)
    memory = memory.substr(0, more);
  const auto is_number = [](std::string_view digits) {
    return !digits.empty() &&
           std::all_of(digits.begin(), digits.end(), [](char c) { return is_digit(c); });
  };
  return is_number(text.substr(0, gpu)) && memory.ends_with("gb") &&
         is_number(memory.substr(0, memory.size() - 2)) &&
         text.find_first_not_of("0123456789abcdefghijklmnopqrstuvwxyz.+") == std::string_view::npos;
}

void check_api_words(const GenOptions& options) {
  if (!options.ns.empty() && !is_dns_label(options.ns))
    refuse("--namespace", options.ns, "a namespace",
           "namespaces have no dots, and at most 63 characters");
  check_object_name("--queue", options.queue);
  check_object_name("--priority", options.priority_class);
  check_object_name("--runtime-class", options.runtime_class);
  check_object_name("--service-account", options.service_account);
  check_object_name("--storage-class", options.storage_class);
  if (options.hf_secret) check_hf_secret(*options.hf_secret);
  check_labels("--label", options.labels);
  check_labels("--node-selector", options.node_selector);
  check_labels("--selector", options.selector);
  check_annotations(options);
  check_env(options);
  check_claims(options);
  check_tolerations(options);
  check_script(options);
  check_counts(options);
  check_amounts(options);
  if (sanitize(options.model) != options.model)
    refuse("--model", options.model, "a model", "for example Qwen/Qwen2.5-7B-Instruct");
  if (options.image.find_first_of(" \t\n") != std::string::npos ||
      sanitize(options.image) != options.image)
    refuse("--image", options.image, "an image", "for example ghcr.io/acme/train:1.4");
}

}  // namespace gpu::manifest
