#include "verdict.hpp"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace gpu::golden {
namespace {

using Json = nlohmann::ordered_json;

enum class KeyKind { decision, sentence };

using Keys = std::map<std::string, KeyKind, std::less<>>;

Keys read_keys() {
  std::ifstream file("tests/golden/keys");
  if (!file) throw std::runtime_error("tests/golden/keys: cannot be read");
  Keys keys;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("#")) continue;
    std::istringstream words(line);
    std::string kind;
    words >> kind;
    for (std::string key; words >> key;)
      keys[key] = kind == "sentence" ? KeyKind::sentence : KeyKind::decision;
  }
  return keys;
}

/// A name or a number; a plain word of a sentence is neither.
bool is_fact(std::string_view word) {
  return std::any_of(word.begin(), word.end(), [](unsigned char c) {
    return std::isdigit(c) != 0 || std::string_view("-./_=").find(c) != std::string_view::npos;
  });
}

std::string_view without_punctuation(std::string_view word) {
  constexpr std::string_view kPunctuation = ".,:;!?()[]\"'`-";
  const std::size_t begin = word.find_first_not_of(kPunctuation);
  if (begin == std::string_view::npos) return {};
  return word.substr(begin, word.find_last_not_of(kPunctuation) - begin + 1);
}

/// Sorted, since another wording may name them in another order.
std::string facts_of(const std::string& sentence) {
  std::istringstream words(sentence);
  std::vector<std::string> facts;
  for (std::string word; words >> word;)
    if (const std::string_view bare = without_punctuation(word); is_fact(bare))
      facts.emplace_back(bare);
  std::sort(facts.begin(), facts.end());
  std::string joined;
  for (const std::string& fact : facts) joined += (joined.empty() ? "" : " ") + fact;
  return joined;
}

/// Takes the wording out of an answer.
class Projection {
 public:
  explicit Projection(std::vector<std::string>& sentences) : sentences_(sentences) {}

  // NOLINTNEXTLINE(misc-no-recursion): as deep as our own answers
  void apply(Json& value, const std::string& key) {
    if (value.is_object()) {
      for (auto& [name, inner] : value.items()) apply(inner, name);
    } else if (value.is_array()) {
      for (Json& inner : value) apply(inner, key);
    } else if (value.is_string() && kind_of(key) == KeyKind::sentence) {
      sentences_.push_back(value.get<std::string>());
      value = facts_of(sentences_.back());
    }
  }

 private:
  [[nodiscard]] KeyKind kind_of(const std::string& key) const {
    const auto found = keys_.find(key);
    if (found == keys_.end()) throw std::runtime_error("`" + key + "` is not in tests/golden/keys");
    return found->second;
  }

  Keys keys_ = read_keys();
  std::vector<std::string>& sentences_;
};

/// Checks that found nothing are in the counts of the summary.
void drop_quiet_checks(Json& answer) {
  if (answer.value("kind", "") != "CheckList") return;
  Json loud = Json::array();
  for (const Json& each : answer["items"])
    if (each["state"] != "ok" && each["state"] != "skip") loud.push_back(each);
  answer["items"] = std::move(loud);
}

}  // namespace

Verdict verdict_of(const std::string& answer) {
  Json decisions = Json::parse(answer);
  Verdict verdict;
  Projection(verdict.sentences).apply(decisions, "");
  drop_quiet_checks(decisions);
  verdict.decisions = decisions.dump(2) + "\n";
  return verdict;
}

bool says(const Verdict& verdict, std::string_view text) {
  return std::any_of(verdict.sentences.begin(), verdict.sentences.end(),
                     [&](const std::string& each) { return each.find(text) != std::string::npos; });
}

}  // namespace gpu::golden
