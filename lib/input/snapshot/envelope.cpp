#include "input/snapshot/envelope.hpp"

#include <array>
#include <chrono>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "base/error.hpp"

namespace gpu::input {
namespace {

using nlohmann::json;

struct SightMember {
  const char* name;
  Coverage Snapshot::*sight;
};
constexpr std::array<SightMember, 5> kSights = {{{"nodes", &Snapshot::node_coverage},
                                                 {"pods", &Snapshot::pod_coverage},
                                                 {"slices", &Snapshot::slice_coverage},
                                                 {"claims", &Snapshot::claim_coverage},
                                                 {"use", &Snapshot::use_coverage}}};

/// A value of a gap, and the word for it in a file; a file of a later version may have others.
template <class Value>
struct Spelling {
  Value value;
  const char* word;
};
constexpr std::array<Spelling<GapTopic>, 4> kTopics = {{{GapTopic::owners, "owners"},
                                                        {GapTopic::use, "use"},
                                                        {GapTopic::scheduling, "scheduling"},
                                                        {GapTopic::jobs, "jobs"}}};
constexpr std::array<Spelling<Missing>, 4> kMissing = {{{Missing::pods, "pods"},
                                                        {Missing::pods_of_file, "podsOfFile"},
                                                        {Missing::metrics, "metrics"},
                                                        {Missing::window, "window"}}};
constexpr std::array<Spelling<HelpForm>, 2> kHelpForms = {
    {{HelpForm::command, "command"}, {HelpForm::role, "role"}}};
constexpr std::array<Spelling<GapCause>, 2> kCauses = {
    {{GapCause::refused, "refused"}, {GapCause::absent, "absent"}}};

/// The member with the kinds of SchedulingFacts.
constexpr const char* kScheduling = "scheduling";

[[noreturn]] void fail(const std::string& member, const std::string& expected) {
  throw Error(ErrorKind::data, "snapshot: " + member + ": expected " + expected);
}

/// Null where the file does not have it.
json member_of(const decode::ListFramer& framer, std::string_view name) {
  const std::string_view text = framer.noted(name);
  return text.empty() ? json() : json::parse(text, nullptr, false);
}

std::string text_of(const json& value, const std::string& member) {
  if (value.is_null()) return {};
  if (!value.is_string()) fail(member, "a string");
  return value.get<std::string>();
}

std::optional<std::chrono::seconds> seconds_of(const json& value, const std::string& member) {
  if (value.is_null()) return std::nullopt;
  if (!value.is_number_unsigned()) fail(member, "a number of seconds");
  return std::chrono::seconds(value.get<std::uint32_t>());
}

Coverage sight_of(const json& value, const std::string& member) {
  for (const Coverage sight : {Coverage::none, Coverage::partial, Coverage::whole})
    if (value == name_of(sight)) return sight;
  fail(member, "whole, partial, or none");
}

void read_sights(const json& value, Snapshot& snapshot) {
  if (!value.is_object()) fail("sight", "an object");
  for (const auto& [name, sight] : kSights)
    if (const auto found = value.find(name); found != value.end())
      snapshot.*sight = sight_of(*found, std::string("sight.") + name);
  const auto found = value.find(kScheduling);
  if (found == value.end()) return;
  if (!found->is_object()) fail("sight.scheduling", "an object");
  snapshot.scheduling.coverages.clear();
  for (const auto& [plural, sight] : found->items())
    snapshot.scheduling.coverages[plural] = sight_of(sight, "sight.scheduling." + plural);
}

std::vector<std::string> texts_of(const json& value, const std::string& place) {
  std::vector<std::string> texts;
  if (value.is_null()) return texts;
  if (!value.is_array()) fail(place, "an array");
  for (const json& text : value) texts.push_back(text_of(text, place));
  return texts;
}

/// The value that a word stands for; `Value{}` where there is none.
template <class Spellings>
auto value_in(const json& gap, const char* member, const Spellings& spellings) {
  const std::string text = text_of(gap.value(member, json()), std::string("gaps.") + member);
  for (const auto& [value, word] : spellings)
    if (text == word) return value;
  return decltype(spellings.front().value){};
}

/// Writes the word for `value`, where it has one.
template <class Value, class Spellings>
void put_value(nlohmann::ordered_json& gap, const char* member, Value value,
               const Spellings& spellings) {
  for (const auto& [each, word] : spellings)
    if (each == value) gap[member] = word;
}

void read_gaps(const json& value, Snapshot& snapshot) {
  if (value.is_null()) return;
  if (!value.is_array()) fail("gaps", "an array");
  for (const json& gap : value) {
    if (!gap.is_object()) fail("gaps", "objects");
    snapshot.gaps.push_back({.what = text_of(gap.value("what", json()), "gaps.what"),
                             .why = text_of(gap.value("why", json()), "gaps.why"),
                             .help = text_of(gap.value("help", json()), "gaps.help"),
                             .about = value_in(gap, "about", kTopics),
                             .missing = value_in(gap, "missing", kMissing),
                             .help_form = value_in(gap, "helpForm", kHelpForms),
                             .nodes = texts_of(gap.value("nodes", json()), "gaps.nodes"),
                             .cause = value_in(gap, "cause", kCauses)});
  }
}

}  // namespace

std::string_view name_of(Coverage sight) {
  switch (sight) {
    case Coverage::none:
      return "none";
    case Coverage::partial:
      return "partial";
    case Coverage::whole:
      return "whole";
  }
  return "";
}

void read_envelope(const decode::ListFramer& framer, Snapshot& snapshot) {
  if (const json version = member_of(framer, "apiVersion"); version != "kubectl-gpu/v1")
    fail("apiVersion", "kubectl-gpu/v1, the only one so far");
  const std::string taken_at = text_of(member_of(framer, "takenAt"), "takenAt");
  snapshot.taken_at = parse_time(taken_at);
  if (!taken_at.empty() && !snapshot.taken_at)
    fail("takenAt", "a time such as 2026-11-01T10:00:00Z");
  snapshot.server_version = text_of(member_of(framer, "serverVersion"), "serverVersion");
  read_sights(member_of(framer, "sight"), snapshot);
  read_gaps(member_of(framer, "gaps"), snapshot);
  snapshot.sample_window =
      seconds_of(member_of(framer, "sampleWindowSeconds"), "sampleWindowSeconds");
}

nlohmann::ordered_json sight_json(const Snapshot& snapshot) {
  nlohmann::ordered_json result;
  for (const auto& [name, sight] : kSights) result[name] = name_of(snapshot.*sight);
  for (const auto& [plural, sight] : snapshot.scheduling.coverages)
    result[kScheduling][plural] = name_of(sight);
  return result;
}

nlohmann::ordered_json gaps_json(const Snapshot& snapshot) {
  nlohmann::ordered_json result = nlohmann::ordered_json::array();
  for (const Gap& gap : snapshot.gaps) {
    result.push_back({{"what", gap.what}, {"why", gap.why}, {"help", gap.help}});
    put_value(result.back(), "about", gap.about, kTopics);
    put_value(result.back(), "missing", gap.missing, kMissing);
    put_value(result.back(), "helpForm", gap.help_form, kHelpForms);
    put_value(result.back(), "cause", gap.cause, kCauses);
    if (!gap.nodes.empty()) result.back()["nodes"] = gap.nodes;
  }
  return result;
}

}  // namespace gpu::input
