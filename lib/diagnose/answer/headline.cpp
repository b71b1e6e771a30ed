#include "diagnose/answer/headline.hpp"

#include <fmt/format.h>

#include <array>
#include <string_view>

#include "base/phrase.hpp"

namespace gpu::diagnose {
namespace {

std::string subject_of(const Headline& headline) {
  if (headline.pods == 1) return "it";
  if (headline.pods == 2) return "both pods";
  return fmt::format("all {} pods", headline.pods);
}

std::string why_it_starts(const Headline& headline) {
  if (!headline.nodes) return headline.reason;
  return fmt::format("{} fits on {}", headline.pods == 1 ? "it" : "the first",
                     nodes_text(*headline.nodes, headline.first_nodes));
}

std::string undecided_text(const Headline& headline) {
  const std::string_view others =
      headline.pods - headline.starting == 1 ? "other does" : "others do";
  const std::string who = headline.starting == 1 ? std::string("the first")
                                                 : fmt::format("the first {}", headline.starting);
  return fmt::format("{} of {} pods would start; whether the {} is not checked", who, headline.pods,
                     others);
}

}  // namespace

std::string headline_text(const Headline& headline) {
  switch (headline.outcome) {
    case Outcome::fits:
      return fmt::format(
          "{} would start{}: {}", subject_of(headline),
          headline.certainty == Certainty::sure ? "" : ", as far as could be checked",
          why_it_starts(headline));
    case Outcome::fits_some:
      return fmt::format("{} of {} pods would start; {}: {}", headline.starting, headline.pods,
                         ordinal(headline.starting + 1), headline.reason);
    case Outcome::blocked:
      return headline.pods == 1
                 ? headline.reason
                 : fmt::format("none of {} pods would start: {}", headline.pods, headline.reason);
    case Outcome::undecided:
      return undecided_text(headline);
  }
  return {};
}

std::string fits_text(std::size_t nodes, const std::vector<std::string>& first_nodes,
                      Certainty certainty, OtherReason other) {
  return fmt::format(
      "nothing {}{}keeps it waiting now: it fits on {}", other == OtherReason::none ? "" : "else ",
      certainty == Certainty::sure ? "" : "that could be checked ", nodes_text(nodes, first_nodes));
}

std::string nodes_text(std::size_t nodes, const std::vector<std::string>& first_nodes) {
  if (nodes == first_nodes.size() && nodes > 0)
    return listed(std::vector<std::string_view>(first_nodes.begin(), first_nodes.end()), "and");
  const std::string count = fmt::format("{} {}", nodes, nodes == 1 ? "node" : "nodes");
  return first_nodes.empty() ? count : count + ", such as " + first_nodes.front();
}

std::string ordinal(std::int64_t number) {
  static constexpr std::array<std::string_view, 10> kWords = {
      "first", "second",  "third",  "fourth", "fifth",
      "sixth", "seventh", "eighth", "ninth",  "tenth"};
  if (number >= 1 && number <= static_cast<std::int64_t>(kWords.size()))
    return fmt::format("the {}", kWords[static_cast<std::size_t>(number - 1)]);
  return fmt::format("pod {}", number);
}

}  // namespace gpu::diagnose
