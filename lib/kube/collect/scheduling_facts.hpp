#pragma once

#include <deque>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "decode/kinds/kind_info.hpp"
#include "kube/read/collect_context.hpp"
#include "kube/read/list_batch.hpp"

namespace gpu::kube {

/// Reads the required kinds into Snapshot::scheduling, after nodes and pods: what is needed to
/// judge waiting pods, with all lists at once. A kind that may not be read in all namespaces is
/// read in the namespaces of waiting pods.
class SchedulingReader {
 public:
  /// Refers to `reading`.
  explicit SchedulingReader(CollectContext& reading) : reading_(reading) {}

  /// Hears of each pod that was read.
  void see(const Pod& pod);
  /// All pods are read again.
  void forget_pods();
  /// Sends the requests. A 403, or an object that cannot be read, becomes a Gap.
  void read();

 private:
  /// One list to request.
  struct Ask {
    const decode::KindInfo* kind = nullptr;
    std::vector<std::string> versions;  ///< still to try, the first one next
    std::string ns;                     ///< empty: everywhere
    bool is_fallback = false;           ///< because everywhere is forbidden
    std::string reason;                 ///< of events: only those; empty: all
    std::string name = {};              ///< request only this object; empty: all
  };
  /// What became of a kind.
  struct Outcome {
    int read = 0;  ///< lists
    int refused = 0;
    int broken = 0;  ///< objects
    bool is_fallback = false;
    std::string refusal;  ///< the server's sentence
  };

  [[nodiscard]] bool is_wanted(const decode::KindInfo& kind) const;
  void add_asks(const decode::KindInfo& kind);
  void ask(Ask&& ask) { asks_.push_back(std::move(ask)); }
  void run_round();
  /// Requests only the namespaces of planned pods.
  void ask_for_planned(const Ask& everywhere);
  /// Requests the events about owners of refused pods that the namespaces of waiting pods do not
  /// contain.
  void ask_for_refusals();
  void ask_for_successes();
  /// Requests the ConfigMaps that device plugins and NVIDIA's operator name, and no others.
  void ask_for_plugin_configs();
  /// Whether an event was read, or will be read with all others of its namespace.
  [[nodiscard]] bool is_told(const Ask& ask, const nlohmann::json& event);
  [[nodiscard]] static std::string path_of(const Ask& ask);
  [[nodiscard]] static std::string accept_of(const Ask& ask);
  [[nodiscard]] static std::string fields_of(const Ask& ask);
  ItemReader reader(const Ask& ask);
  void conclude(Ask&& ask, const Reply& reply);
  void refuse(Ask&& ask, const Reply& reply);
  [[nodiscard]] std::set<std::string> namespaces() const;  ///< of waiting pods
  [[nodiscard]] std::set<std::string> namespaces_of_pods() const;
  void judge_sights();
  /// What stays unknown because of kinds that may not be read at all.
  struct ForbiddenGap {
    GapTopic about = GapTopic::none;
    std::string consequence;
    std::string role;  ///< that would allow them
  };
  void say_what_is_forbidden(const ForbiddenGap& gap);
  void say_what_is_broken();

  CollectContext& reading_;
  bool has_volumes_ = false;          ///< a waiting pod does
  bool has_claims_ = false;           ///< too
  bool has_kai_ = false;              ///< KAI or Run:ai is to schedule one
  std::set<std::string> waiting_in_;  ///< namespaces
  std::set<std::string> events_of_;   ///< namespaces whose events are all read; empty: of all
  std::set<std::string> refused_in_;  ///< others, in which owners' pods are refused
  std::deque<Ask> asks_;              ///< of the next round
  std::map<const decode::KindInfo*, Outcome> outcomes_;
  std::string first_problem_;  ///< of broken objects
};

/// The text about objects that are malformed. The other objects still count.
Gap unreadable_gap(const std::string& resources, const std::string& why);

}  // namespace gpu::kube
