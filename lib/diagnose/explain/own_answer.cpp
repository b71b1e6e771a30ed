#include "diagnose/explain/own_answer.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "admission/kai/queue.hpp"
#include "diagnose/answer/headline.hpp"
#include "diagnose/fix/rollout.hpp"
#include "diagnose/fix/room_advice.hpp"
#include "diagnose/lifecycle/autoscaler.hpp"
#include "diagnose/lifecycle/device_word.hpp"
#include "diagnose/lifecycle/own_rules.hpp"
#include "diagnose/lifecycle/scheduler_word.hpp"
#include "diagnose/lifecycle/silent_scheduler.hpp"
#include "diagnose/lifecycle/word_cause.hpp"
#include "scheduler/filters/shared_gpus.hpp"

namespace gpu::diagnose {
namespace {

/// All that is known of a pod beside its request. Refers to all that it is made from.
struct OwnFacts {
  const Explanation& request;
  const scheduler::Cluster& cluster;
  const Pod& pod;
  const std::optional<Time>& now;
  std::optional<Cause> surge = {};  ///< of its Deployment's rollout
  std::optional<AutoscalerWord> autoscaler = {};
  std::optional<SchedulerWord> scheduler = {};
  bool has_own_rules = false;  ///< and so its words are not compared with ours
  std::optional<SilentScheduler> silence = {};
  std::optional<DeviceWord> devices = {};
  std::optional<admission::KaiAnswer> kai = {};  ///< of its Queue
};

/// One explainer's answer.
struct Reason {
  Code code{};
  std::string summary;
  std::optional<std::string> nearest = {};  ///< nothing: that of the request
  bool quotes_scheduler = false;            ///< the summary is its word
};

/// What keeps it off the nodes that there are.
Code code_without_autoscaler(const OwnFacts& facts) {
  return facts.surge ? facts.surge->code : facts.request.code;
}

bool is_shared_by_extender(const scheduler::Cluster& cluster, const Pod& pod) {
  return !scheduler::SharedGpus(cluster, pod).parts().empty();
}

OwnFacts own_facts(const Explanation& request, const scheduler::Cluster& cluster, const Pod& pod,
                   const std::optional<Time>& now) {
  OwnFacts facts{.request = request, .cluster = cluster, .pod = pod, .now = now};
  if (request.is_blocked) {
    facts.surge = rollout_surge(cluster, pod);
    facts.autoscaler = autoscaler_word(cluster, pod, code_without_autoscaler(facts), now);
  }
  facts.scheduler = own_word(cluster, pod);
  // What fits by all that is seen here the extender refuses by what is not.
  const bool is_open = !request.is_blocked || request.code == Code::not_modelled;
  if (!facts.scheduler && is_open) facts.scheduler = extender_refusal(cluster, pod);
  facts.has_own_rules = facts.scheduler || has_own_rules(pod);
  if (!facts.has_own_rules)
    facts.scheduler = scheduler_word(cluster, pod, request.predicted_message);
  // An extender has words of its own, which change with its versions.
  if (facts.scheduler && is_shared_by_extender(cluster, pod) && facts.scheduler->agrees == false)
    facts.scheduler->agrees.reset();
  // Where nothing is predicted, there is nothing to compare it with.
  if (facts.scheduler && request.is_blocked && request.predicted_message.empty())
    facts.scheduler->agrees.reset();
  const bool is_undecided = !request.is_blocked || request.code == Code::not_modelled;
  if (is_undecided && facts.scheduler) facts.devices = device_word(cluster, pod, *facts.scheduler);
  facts.kai = admission::kai_answer(cluster, pod,
                                    facts.scheduler ? facts.scheduler->message : std::string());
  // A Queue that keeps the pod out is why KAI says nothing of it.
  const bool is_held = facts.kai && facts.kai->hold;
  if (!request.is_blocked && !facts.scheduler && !is_held)
    facts.silence = silent_scheduler(cluster, pod, now);
  return facts;
}

/// The scheduler has made room for the pod, which is on its way out.
std::optional<Reason> preemption_reason(const OwnFacts& facts) {
  const std::string& node = facts.pod.nominated_node;
  if (!facts.request.is_blocked || node.empty()) return std::nullopt;
  return Reason{.code = Code::preemption_pending,
                .summary = "the scheduler is making room on " + node +
                           ": it starts there when pods of lower priority have ended",
                .nearest = node + ", when its pods have ended"};
}

bool is_of_queue(Code code) { return code == Code::held_by_queue || code == Code::gang_waiting; }

/// Whether the words are of a queue, and its Queue of KAI is seen to keep the pod out.
bool is_of_kai_queue(const OwnFacts& facts, Code code) {
  return code == Code::held_by_queue && facts.kai && facts.kai->hold;
}

/// A scheduler with rules of its own decides: it is believed where nothing seen here rules the pod
/// out, and where it does not come to look at nodes.
std::optional<Reason> own_rules_reason(const OwnFacts& facts) {
  if (!facts.has_own_rules || !facts.scheduler) return std::nullopt;
  const Code code = code_of_own_word(facts.scheduler->message);
  const bool is_ruled_out = facts.request.is_blocked && facts.request.code != Code::not_modelled;
  if (is_ruled_out && !is_of_queue(code)) return std::nullopt;
  std::string words = facts.scheduler->message;
  while (words.ends_with('.') || words.ends_with(' ')) words.pop_back();
  const std::string& by = facts.scheduler->by;
  return Reason{.code = code,
                .summary = by + " does not bind it: " + words,
                .nearest = is_of_kai_queue(facts, code)
                               ? facts.kai->hold->nearest
                               : by + (code == Code::held_by_queue  ? ": its queue has no room"
                                       : code == Code::gang_waiting ? ": its group is not complete"
                                                                    : " does not bind it"),
                .quotes_scheduler = true};
}

/// KAI says nothing of pods whose Queue it leaves out.
std::optional<Reason> kai_queue_reason(const OwnFacts& facts) {
  if (!facts.kai || !facts.kai->hold || facts.scheduler) return std::nullopt;
  return Reason{Code::held_by_queue, facts.kai->hold->summary, facts.kai->hold->nearest};
}

/// What an autoscaler says is the reason where more nodes would be the answer.
std::optional<Reason> autoscaler_reason(const OwnFacts& facts) {
  if (!facts.autoscaler || !facts.autoscaler->code ||
      !may_help_by_nodes(code_without_autoscaler(facts), *facts.autoscaler->code))
    return std::nullopt;
  return Reason{.code = *facts.autoscaler->code, .summary = facts.autoscaler->summary};
}

std::optional<Reason> rollout_reason(const OwnFacts& facts) {
  if (!facts.surge) return std::nullopt;
  return Reason{facts.surge->code, facts.surge->summary, facts.surge->nearest};
}

/// Where the scheduler gives one reason for all nodes, that is the answer, seen or not.
std::optional<Reason> unread_nodes_reason(const OwnFacts& facts) {
  if (facts.cluster.snapshot().node_coverage == Coverage::whole || !facts.scheduler ||
      facts.request.code != Code::not_modelled || facts.has_own_rules)
    return std::nullopt;
  auto cause = cause_of_word(facts.scheduler->message);
  if (!cause) return std::nullopt;
  return Reason{
      .code = cause->code,
      .summary = std::move(cause->text) + ", says the scheduler: no nodes were read here"};
}

/// The scheduler finds no devices that are seen here, or that could not be seen.
std::optional<Reason> devices_reason(const OwnFacts& facts) {
  if (!facts.devices) return std::nullopt;
  return Reason{Code::claim_unsatisfiable, facts.devices->summary, facts.devices->nearest};
}

/// It fits now: the scheduler has not come to it again, or knows something that we do not.
std::optional<Reason> unbound_reason(const OwnFacts& facts) {
  if (facts.request.is_blocked || !facts.scheduler || facts.has_own_rules) return std::nullopt;
  const std::string unknown = unknown_reasons(facts.scheduler->message);
  return Reason{.code = Code::not_modelled,
                .summary = unknown.empty()
                               ? facts.request.summary + ", but the scheduler has not bound it"
                               : "the scheduler sees what is not modelled here: " + unknown};
}

std::optional<Reason> silence_reason(const OwnFacts& facts) {
  if (!facts.silence) return std::nullopt;
  return Reason{Code::unknown_scheduler, facts.silence->summary, facts.silence->nearest};
}

/// The first that has a reason has the answer; where none has, it is that of the request.
constexpr std::array kExplainers = {preemption_reason,   own_rules_reason, kai_queue_reason,
                                    autoscaler_reason,   rollout_reason,   devices_reason,
                                    unread_nodes_reason, unbound_reason,   silence_reason};

std::optional<Reason> first_reason(const OwnFacts& facts) {
  for (const auto& explainer : kExplainers)
    if (auto reason = explainer(facts)) return reason;
  return std::nullopt;
}

std::vector<Advice> all_advice(const OwnFacts& facts) {
  std::vector<Advice> advice = facts.request.advice;
  if (facts.surge) {
    std::erase_if(advice, asks_for_node);
    advice.insert(advice.begin(), facts.surge->advice.begin(), facts.surge->advice.end());
  }
  if (const std::optional<AutoscalerWord>& word = facts.autoscaler) {
    const bool is_coming = !word->code && word->advice;
    if (word->code || is_coming) std::erase_if(advice, asks_for_node);
    if (word->advice && (is_coming || autoscaler_reason(facts)))
      advice.insert(advice.begin(), *word->advice);
  }
  if (facts.devices)
    advice.insert(advice.begin(), facts.devices->advice.begin(), facts.devices->advice.end());
  if (facts.silence)
    advice.insert(advice.end(), facts.silence->advice.begin(), facts.silence->advice.end());
  const std::optional<Reason> own = own_rules_reason(facts);
  if (auto way = own ? extender_advice(*facts.scheduler) : std::nullopt)
    advice.insert(advice.begin(), *std::move(way));
  if (facts.kai)
    advice.insert(advice.begin(), facts.kai->advice.begin(), facts.kai->advice.end());
  else if (own && own->code == Code::held_by_queue)
    advice.insert(advice.begin(),
                  {.summary = "compare the quota and limit of its queue, and of the queues above "
                              "it, with what runs in them",
                   .command = own_queue_command(facts.pod)});
  return advice;
}

/// What an autoscaler says beside its reason, or though it is none.
std::optional<Remark> autoscaler_remark(const OwnFacts& facts) {
  if (!facts.autoscaler) return std::nullopt;
  const AutoscalerWord& word = *facts.autoscaler;
  const bool is_unheard = word.code && word.text.empty() && !autoscaler_reason(facts);
  const std::string& text = is_unheard ? word.summary : word.text;
  return text.empty() ? std::nullopt : std::optional(Remark{text});
}

/// Where the scheduler says something else, it is right.
std::optional<Remark> scheduler_remark(const OwnFacts& facts) {
  const Explanation& request = facts.request;
  if (!facts.scheduler || facts.has_own_rules) return std::nullopt;
  const auto newer = [&] {
    return which_is_newer(facts.cluster, facts.pod, *facts.scheduler, facts.now);
  };
  if (facts.devices) return std::nullopt;
  if (!request.is_blocked && request.predicted_message.empty())
    return Remark{
        .text =
            "the scheduler tries again within 5 minutes, or at once when something changes; if "
            "it keeps saying no, it knows what is not modelled here; " +
            newer(),
        .is_warning = true};
  if (facts.scheduler->agrees.value_or(true)) return std::nullopt;
  return Remark{.text = "the scheduler says something else: " +
                        difference_of(facts.scheduler->message, request.predicted_message) + "; " +
                        newer(),
                .is_warning = true};
}

/// What the Queue means, where that is not the answer itself, and how it stands.
void add_kai_remarks(std::vector<Remark>& remarks, const OwnFacts& facts) {
  if (!facts.kai) return;
  if (facts.kai->hold && !kai_queue_reason(facts)) remarks.push_back({facts.kai->hold->summary});
  remarks.insert(remarks.end(), facts.kai->remarks.begin(), facts.kai->remarks.end());
}

std::vector<Remark> all_remarks(const OwnFacts& facts, const std::vector<Advice>& advice) {
  std::vector<Remark> remarks = facts.request.remarks;
  if (facts.surge)
    remarks.insert(remarks.end(), facts.surge->remarks.begin(), facts.surge->remarks.end());
  if (auto remark = autoscaler_remark(facts)) remarks.push_back(*std::move(remark));
  if (facts.request.is_blocked && (!facts.pod.nominated_node.empty() || !advice.empty()))
    std::erase_if(remarks,
                  [](const Remark& each) { return each.kind == RemarkKind::no_change_found; });
  if (std::string words = extender_words(facts.cluster, facts.pod, facts.now); !words.empty())
    remarks.push_back({.text = std::move(words)});
  if (auto remark = scheduler_remark(facts)) remarks.push_back(*std::move(remark));
  add_kai_remarks(remarks, facts);
  if (facts.silence) {
    if (facts.request.fits_on)
      remarks.push_back({fits_text(*facts.request.fits_on, facts.request.first_nodes,
                                   facts.request.certainty, OtherReason::some)});
    remarks.insert(remarks.end(), facts.silence->remarks.begin(), facts.silence->remarks.end());
  }
  return remarks;
}

/// Whether what the scheduler says can be held against a prediction, and has other words, if only
/// in its tail.
bool differs_anyhow(const OwnFacts& facts) {
  return facts.scheduler && facts.scheduler->agrees &&
         !says_the_same(facts.scheduler->message, facts.request.predicted_message);
}

/// Schedulers of other names may be of other kinds.
std::vector<std::string> all_not_checked(const OwnFacts& facts) {
  std::vector<std::string> texts = facts.request.not_checked;
  // Which version is assumed matters where another's rules might say what the scheduler says.
  if (auto version = assumed_version(facts.cluster);
      version && differs_anyhow(facts) &&
      std::find(texts.begin(), texts.end(), *version) == texts.end())
    texts.push_back(*std::move(version));
  const std::string& name = facts.pod.scheduler_name;
  if (!name.empty() && name != "default-scheduler")
    texts.push_back("whether its scheduler " + name +
                    " uses kube-scheduler's rules, which are tried here");
  if (facts.devices)
    texts.insert(texts.end(), facts.devices->not_checked.begin(), facts.devices->not_checked.end());
  if (facts.kai)
    texts.insert(texts.end(), facts.kai->not_checked.begin(), facts.kai->not_checked.end());
  else if (std::string queue = own_queue_text(facts.pod); !queue.empty())
    texts.push_back("quota, limit and weight of its " + std::move(queue));
  if (facts.silence)
    texts.insert(texts.end(), facts.silence->not_checked.begin(), facts.silence->not_checked.end());
  return texts;
}

}  // namespace

Explanation own_answer(Explanation request, const scheduler::Cluster& cluster, const Pod& pod,
                       const std::optional<Time>& now) {
  const OwnFacts facts = own_facts(request, cluster, pod, now);
  std::optional<Reason> reason = first_reason(facts);
  std::vector<Advice> advice = all_advice(facts);
  std::vector<Remark> remarks = all_remarks(facts, advice);
  std::vector<std::string> not_checked = all_not_checked(facts);
  std::optional<SchedulerWord> scheduler = facts.scheduler;
  const bool has_own_rules = facts.has_own_rules;
  if (scheduler && reason) scheduler->is_summary = reason->quotes_scheduler;

  Explanation answer = std::move(request);
  if (reason) {
    answer.is_blocked = true;
    answer.code = reason->code;
    answer.summary = std::move(reason->summary);
    if (reason->nearest) answer.nearest = *std::move(reason->nearest);
  }
  if (has_own_rules) answer.predicted_message.clear();
  // Room on a node does not open a queue.
  if (reason && is_of_queue(reason->code)) answer.fixes.clear();
  answer.advice = std::move(advice);
  answer.remarks = std::move(remarks);
  answer.not_checked = std::move(not_checked);
  answer.scheduler = std::move(scheduler);
  return answer;
}

}  // namespace gpu::diagnose
