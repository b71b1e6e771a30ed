#include "cmd/gen/flag_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/ascii.hpp"
#include "base/duration.hpp"
#include "base/error.hpp"
#include "base/text.hpp"

namespace gpu::cmd {
namespace {

Error bad_value(std::string_view flag, std::string_view value, std::string_view example) {
  return {ErrorKind::usage, fmt::format("`{} {}` cannot be read", flag, sanitize(value)),
          fmt::format("for example {} {}", flag, example)};
}

/// Names of variables whose values nobody should read in a file.
bool is_secret(std::string_view name) {
  constexpr std::array<std::string_view, 6> kWords = {"TOKEN",  "SECRET",  "PASSWORD",
                                                      "PASSWD", "API_KEY", "ACCESS_KEY"};
  return std::any_of(kWords.begin(), kWords.end(), [&](std::string_view word) {
    return name.find(word) != std::string_view::npos;
  });
}

}  // namespace

std::optional<std::int64_t> count_of(std::string_view flag, const std::optional<std::string>& typed,
                                     std::int64_t least) {
  if (!typed) return std::nullopt;
  std::int64_t count = 0;
  for (const char c : *typed) {
    if (c < '0' || c > '9' || count > 99'999'999) {
      if (flag == "--gpus" && typed->find_first_of(".%m") != std::string::npos)
        throw Error(
            ErrorKind::usage,
            fmt::format("`--gpus {}`: a pod cannot request a part of a GPU", sanitize(*typed)),
            "use --shared for a share of a time-sliced GPU, or --mig 1g.10gb for a slice");
      throw bad_value(flag, *typed, "2");
    }
    count = count * 10 + (c - '0');
  }
  if (typed->empty() || count < least)
    throw Error(ErrorKind::usage,
                fmt::format("`{} {}` is less than {}", flag, sanitize(*typed), least),
                flag == "--gpus" ? "for a pod without GPUs use --cpu-only" : "");
  return count;
}

std::optional<Quantity> quantity_of(std::string_view flag, const std::optional<std::string>& typed,
                                    std::string_view example) {
  if (!typed) return std::nullopt;
  const auto quantity = Quantity::parse(*typed);
  if (!quantity || *quantity <= Quantity()) throw bad_value(flag, *typed, example);
  return quantity;
}

std::optional<std::int64_t> seconds_of(std::string_view flag,
                                       const std::optional<std::string>& typed) {
  if (!typed) return std::nullopt;
  const auto length = parse_duration(*typed);
  if (!length || length->count() == 0) throw bad_value(flag, *typed, "12h");
  return length->count();
}

std::optional<std::int64_t> number_of(std::string_view flag,
                                      const std::optional<std::string>& typed) {
  if (!typed) return std::nullopt;
  const auto number = whole_number(*typed);
  if (!number) throw bad_value(flag, *typed, "10000");
  return number;
}

manifest::TextPairs pairs_of(std::string_view flag, const std::vector<std::string>& typed) {
  manifest::TextPairs pairs;
  for (const std::string& word : typed) {
    const std::size_t equals = word.find('=');
    if (equals == 0 || equals == std::string::npos) throw bad_value(flag, word, "NAME=VALUE");
    pairs.emplace_back(word.substr(0, equals), word.substr(equals + 1));
  }
  return pairs;
}

std::vector<manifest::EnvVariable> env_of(const GenFlags& flags) {
  std::vector<manifest::EnvVariable> env;
  for (auto& [name, value] : pairs_of("--env", flags.env)) {
    if (is_secret(name))
      throw Error(ErrorKind::usage,
                  fmt::format("the value of {} would be in the manifest for everyone to read",
                              sanitize(name)),
                  fmt::format("put it into a Secret, and use --env-from-secret {}=SECRET/KEY",
                              sanitize(name)));
    env.push_back({.name = name, .value = value, .secret = {}, .key = {}});
  }
  for (auto& [name, place] : pairs_of("--env-from-secret", flags.secrets)) {
    const std::size_t slash = place.find('/');
    if (slash == 0 || slash == std::string::npos || slash + 1 == place.size())
      throw bad_value("--env-from-secret", name + "=" + place, "HF_TOKEN=hf-token/token");
    env.push_back({.name = name,
                   .value = {},
                   .secret = place.substr(0, slash),
                   .key = place.substr(slash + 1)});
  }
  return env;
}

std::vector<manifest::WantedToleration> tolerations_of(const std::vector<std::string>& typed) {
  std::vector<manifest::WantedToleration> all;
  for (const std::string& word : typed) {
    manifest::WantedToleration one;
    const std::size_t colon = word.find(':');
    if (colon != std::string::npos) one.effect = word.substr(colon + 1);
    const std::string taint = word.substr(0, colon);
    const std::size_t equals = taint.find('=');
    one.key = taint.substr(0, equals);
    if (equals != std::string::npos) one.value = taint.substr(equals + 1);
    const bool is_effect = one.effect.empty() || one.effect == "NoSchedule" ||
                           one.effect == "NoExecute" || one.effect == "PreferNoSchedule";
    if (one.key.empty() || !is_effect || (colon != std::string::npos && one.effect.empty()))
      throw bad_value("--toleration", word, "dedicated=research:NoSchedule");
    all.push_back(std::move(one));
  }
  return all;
}

std::vector<manifest::MountedClaim> claims_of(const GenFlags& flags) {
  std::vector<manifest::MountedClaim> claims;
  if (flags.data) claims.push_back({.claim = *flags.data, .path = "/data", .is_read_only = true});
  if (flags.results)
    claims.push_back({.claim = *flags.results, .path = "/results", .is_read_only = false});
  for (const std::string& word : flags.volumes) {
    const std::size_t colon = word.find(':');
    const std::size_t end = colon == std::string::npos ? colon : word.find(':', colon + 1);
    const std::string how = end == std::string::npos ? "" : word.substr(end + 1);
    if (colon == 0 || colon == std::string::npos || word.compare(colon, 2, ":/") != 0 ||
        (!how.empty() && how != "ro" && how != "rw"))
      throw bad_value("--volume", word, "datasets:/datasets:ro");
    claims.push_back(
        {.claim = word.substr(0, colon),
         .path = word.substr(colon + 1, end == std::string::npos ? end : end - colon - 1),
         .is_read_only = how == "ro"});
  }
  return claims;
}

std::vector<std::string> models_of(const std::vector<std::string>& typed) {
  std::vector<std::string> models;
  for (const std::string& word : typed)
    for (std::string_view rest = word; !rest.empty();) {
      const std::size_t comma = std::min(rest.find(','), rest.size());
      if (comma > 0) models.emplace_back(rest.substr(0, comma));
      rest.remove_prefix(std::min(comma + 1, rest.size()));
    }
  return models;
}

}  // namespace gpu::cmd
