#include "diagnose/explain/fold.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

namespace gpu::diagnose {
namespace {

void append_names(Explanation& to, Explanation&& from) {
  to.names.insert(to.names.end(), std::make_move_iterator(from.names.begin()),
                  std::make_move_iterator(from.names.end()));
}

/// Of a manifest's templates that one reason keeps from starting.
bool is_refused_whole(const Explanation& it) {
  return it.is_blocked && !it.manifest.empty() && it.headline &&
         it.headline->outcome == Outcome::blocked && headline_text(*it.headline) == it.summary;
}

template <class Items, class Same>
bool are_alike(const Items& a, const Items& b, Same same) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), same);
}

bool have_same_nodes(const NodeGroup& a, const NodeGroup& b) {
  const auto same_blocker = [](const GroupBlocker& x, const GroupBlocker& y) {
    return x.title == y.title && x.detail == y.detail;
  };
  const auto same_node = [](const NearNode& x, const NearNode& y) { return x.name == y.name; };
  return are_alike(a.blockers, b.blockers, same_blocker) && are_alike(a.nodes, b.nodes, same_node);
}

/// Whether two templates of one object wait for the same, and the same would help both.
bool are_same_role(const Explanation& a, const Explanation& b) {
  if (!is_refused_whole(a) || !is_refused_whole(b)) return false;
  if (std::tie(a.manifest, a.ns, a.name, a.owner.kind, a.owner.name, a.code, a.claims) !=
      std::tie(b.manifest, b.ns, b.name, b.owner.kind, b.owner.name, b.code, b.claims))
    return false;
  return a.headline->reason == b.headline->reason &&
         are_alike(a.requests, b.requests,
                   [](const ResourceRequest& x, const ResourceRequest& y) {
                     return std::tie(x.resource, x.amount) == std::tie(y.resource, y.amount);
                   }) &&
         are_alike(a.only_on, b.only_on,
                   [](const Constraint& x, const Constraint& y) { return x.text == y.text; }) &&
         are_alike(a.groups, b.groups, have_same_nodes) &&
         are_alike(a.fixes, b.fixes,
                   [](const Fix& x, const Fix& y) {
                     return std::tie(x.summary, x.command, x.patch, x.note) ==
                            std::tie(y.summary, y.command, y.patch, y.note);
                   }) &&
         are_alike(a.advice, b.advice,
                   [](const Advice& x, const Advice& y) { return x.summary == y.summary; });
}

/// "the pods' spec of A" and "the pods' spec of B" are both named.
void add_role(Explanation& to, const Explanation& from) {
  to.headline->pods += from.headline->pods;
  to.summary = headline_text(*to.headline);
  to.template_at += " and " + from.template_at;
  for (std::size_t i = 0; i < to.fixes.size(); ++i)
    if (!from.fixes[i].patch_into.empty())
      to.fixes[i].patch_into += " and " + from.fixes[i].patch_into;
}

}  // namespace

std::vector<Explanation> fold_alike(std::vector<Explanation> answers) {
  constexpr std::size_t kFew = 2;  // easier to read than one row that stands for them
  std::vector<std::vector<std::size_t>> groups;
  std::map<std::tuple<std::string, std::string, std::string, Code, std::string,
                      std::optional<std::int64_t>>,
           std::size_t>
      places;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const Explanation& answer = answers[i];
    const auto key = std::tuple(answer.ns, answer.owner.kind, answer.owner.name, answer.code,
                                answer.nearest, answer.gpus);
    const auto [at, is_new] = places.try_emplace(key, groups.size());
    if (is_new) groups.emplace_back();
    groups[at->second].push_back(i);
  }
  std::vector<Explanation> rows;
  for (const std::vector<std::size_t>& group : groups) {
    const std::size_t first = rows.size();
    for (const std::size_t i : group) {
      if (group.size() <= kFew || rows.size() == first)
        rows.push_back(std::move(answers[i]));
      else
        append_names(rows[first], std::move(answers[i]));
    }
  }
  return rows;
}

std::vector<Explanation> fold_roles(std::vector<Explanation> answers) {
  std::vector<Explanation> folded;
  for (Explanation& answer : answers) {
    const auto known = std::find_if(folded.begin(), folded.end(), [&](const Explanation& each) {
      return are_same_role(each, answer);
    });
    if (known == folded.end())
      folded.push_back(std::move(answer));
    else
      add_role(*known, answer);
  }
  return folded;
}

}  // namespace gpu::diagnose
