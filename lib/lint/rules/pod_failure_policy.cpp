#include <fmt/format.h>

#include <set>

#include "lint/rules/batch_rules.hpp"
#include "lint/rules/values.hpp"

namespace gpu::lint {
namespace {

constexpr auto kActions =
    std::to_array<std::string_view>({"FailJob", "FailIndex", "Ignore", "Count"});

class FailurePolicy {
 public:
  FailurePolicy(const JobSubject& job, Findings& findings)
      : job_(job), at_(job.at / "spec" / "podFailurePolicy"), findings_(findings) {}

  void check() {
    check_around();
    const json& rules = list_at(job_.job, "/spec/podFailurePolicy/rules");
    constexpr std::size_t kMost = 20;
    if (rules.size() > kMost)
      report(at_ / "rules", fmt::format("podFailurePolicy has {} rules", rules.size()),
             "write at most 20 rules");
    for (std::size_t i = 0; i < rules.size(); ++i)
      if (rules[i].is_object()) check_rule(rules[i], at_ / "rules" / i);
  }

 private:
  void report(const Pointer& at, std::string message, std::string fix,
              std::optional<Edit> edit = {}) {
    findings_.add(rule(BatchRule::failure_invalid), at, std::move(message), std::move(fix),
                  std::move(edit));
  }

  void check_around() {
    const std::string_view restart = text_at(job_.job, "/spec/template/spec/restartPolicy");
    const Pointer restart_at = job_.at / Pointer("/spec/template/spec/restartPolicy");
    if (restart == "OnFailure" || (restart.empty() && job_.is_in_set))
      findings_.add(rule(BatchRule::failure_restart), restart_at,
                    restart.empty() ? "podFailurePolicy is set beside the default OnFailure"
                                    : "podFailurePolicy is set beside restartPolicy OnFailure",
                    "write Never", Edit{Edit::Kind::set, restart_at, "Never"});
    const std::string_view replacement = text_at(job_.job, "/spec/podReplacementPolicy");
    const Pointer at = job_.at / "spec" / "podReplacementPolicy";
    if (!replacement.empty() && replacement != "Failed")
      findings_.add(rule(BatchRule::failure_replacement), at,
                    fmt::format("podReplacementPolicy is {} beside podFailurePolicy", replacement),
                    "write Failed", Edit{Edit::Kind::set, at, "Failed"});
  }

  void check_rule(const json& each, const Pointer& at) {
    const std::string_view action = text_at(each, "/action");
    if (!action.empty() && !is_one_of(action, kActions))
      report(at / "action", fmt::format("a failure rule has no action {}", action),
             write_one(action, kActions), set_nearest(action, kActions, at / "action"));
    if (action == "FailIndex" &&
        value_at(job_.job, Pointer("/spec/backoffLimitPerIndex")).is_null())
      report(at / "action", "the action FailIndex is in a Job without backoffLimitPerIndex",
             "add backoffLimitPerIndex to the spec, or write FailJob");
    const bool has_codes = each.contains("onExitCodes");
    const bool has_conditions = each.contains("onPodConditions");
    if (has_codes == has_conditions)
      report(at,
             has_codes ? "a failure rule has both onExitCodes and onPodConditions"
                       : "a failure rule has neither onExitCodes nor onPodConditions",
             "write one of them");
    if (const json& codes = map_at(each, "/onExitCodes"); !codes.empty())
      check_codes(codes, at / "onExitCodes");
  }

  void check_codes(const json& codes, const Pointer& at) {
    check_container(text_at(codes, "/containerName"), at / "containerName");
    const json& values = list_at(codes, "/values");
    std::set<std::int64_t> sorted;
    for (const json& value : values) {
      const auto code = integer_of(value);
      if (!code) return;
      sorted.insert(*code);
    }
    const bool has_zero = text_at(codes, "/operator") == "In" && sorted.erase(0) > 0;
    json meant = json::array();
    for (const std::int64_t code : sorted) meant.push_back(code);
    if (meant == values || meant.empty()) {
      if (has_zero) report(at / "values", "exit code 0 is no failure", "write codes from 1 to 255");
      return;
    }
    report(at / "values",
           has_zero ? fmt::format("the exit codes {} hold 0, which is no failure", values.dump())
                    : fmt::format("the exit codes {} are not sorted, or one is there twice",
                                  values.dump()),
           fmt::format("write {}", meant.dump()), Edit{Edit::Kind::set, at / "values", meant});
  }

  void check_container(std::string_view name, const Pointer& at) {
    const json& spec = value_at(job_.job, Pointer("/spec/template/spec"));
    if (name.empty() || !spec.is_object()) return;
    std::vector<std::string> names;
    for_each_container_in(job_.owner, spec, Pointer(),
                          [&](const ContainerSubject& each) { names.push_back(each.name()); });
    if (std::find(names.begin(), names.end(), name) != names.end()) return;
    const std::vector<std::string_view> choices(names.begin(), names.end());
    report(at, fmt::format("the pod has no container {}", name),
           choices.empty() ? "write the name of a container" : write_one(name, choices),
           choices.size() == 1 ? std::optional(Edit{Edit::Kind::set, at, names.front()})
                               : set_nearest(name, choices, at));
  }

  const JobSubject& job_;
  Pointer at_;
  Findings& findings_;
};

}  // namespace

void check_failure_policy(const JobSubject& job, Findings& findings) {
  if (value_at(job.job, Pointer("/spec/podFailurePolicy")).is_object())
    FailurePolicy(job, findings).check();
}

}  // namespace gpu::lint
