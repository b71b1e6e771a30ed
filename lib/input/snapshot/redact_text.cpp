#include <algorithm>
#include <array>

#include "base/ascii.hpp"
#include "input/snapshot/hardware_words.hpp"
#include "input/snapshot/redact.hpp"
#include "input/snapshot/redact_known.hpp"
#include "input/snapshot/word_set.hpp"

namespace gpu::input {
namespace {

bool is_uuid(std::string_view word) {
  constexpr std::size_t kLength = 36;
  return word.size() == kLength && word[8] == '-' && word[13] == '-' && word[18] == '-' &&
         word[23] == '-';
}

/// Calls `on_word` with each run of characters that names are made of, and puts what it gives in
/// its place. Full stops and dashes at the end of a word
/// are none of it.
template <class OnWord>
std::string each_word(std::string_view text, std::string_view marks, OnWord on_word) {
  const auto is_part = [&](char c) {
    return is_letter(c) || is_digit(c) || static_cast<unsigned char>(c) >= 0x80 ||
           marks.find(c) != std::string_view::npos;
  };
  std::string result;
  while (!text.empty()) {
    const auto* const end = std::find_if_not(text.begin(), text.end(), is_part);
    std::string_view word = text.substr(0, static_cast<std::size_t>(end - text.begin()));
    while (word.ends_with('.') || word.ends_with(':') || word.ends_with('-'))  // "0->1"
      word.remove_suffix(1);
    if (!word.empty()) result += on_word(word);
    text.remove_prefix(word.size());
    if (word.empty()) {
      result += text.front();
      text.remove_prefix(1);
    }
  }
  return result;
}

/// "10.77": not "0.5", "12.5%" or "80GB".
bool may_be_part_of_address(std::string_view number) {
  const std::size_t dot = number.find('.');
  return dot != std::string_view::npos && dot > 1 && is_digit(number.back());
}

constexpr std::string_view kNameMarks = "-._/:'@+~";

}  // namespace

std::optional<std::string> Redactor::message_word(std::string_view word) const {
  for (const std::string_view part : {std::string_view("'"), std::string_view(":")})
    if (word.find_first_not_of(part) == std::string_view::npos) return std::string(word);
  if (is_short_number(word) && may_be_part_of_address(word)) return std::nullopt;
  if (is_short_number(word) || is_message_word(word)) return std::string(word);
  // Queues and flavors before labels, which name a pod's queue and a flavor's nodes.
  for (const Space space : {Space::resource,
                            Space::gpu_resource,
                            Space::node,
                            Space::ns,
                            Space::pod,
                            Space::claim,
                            Space::device_class,
                            Space::container,
                            Space::queue,
                            Space::flavor,
                            Space::label_key,
                            Space::label_value,
                            Space::owner,
                            Space::volume_claim,
                            Space::persistent_volume,
                            Space::storage_class,
                            Space::scheduler,
                            Space::gate,
                            Space::priority_class,
                            Space::runtime_class})
    if (auto shown = names_.find(space, word)) return shown;
  if (is_known_driver(word)) return std::string(word);
  const std::size_t slash = word.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  if (auto shown = kind_and_name(word.substr(0, slash), word.substr(slash + 1))) return shown;
  const auto ns = names_.find(Space::ns, word.substr(0, slash));
  const auto pod = names_.find(Space::pod, word.substr(slash + 1));
  if (ns && pod) return *ns + "/" + *pod;
  // "affinity/selector", "driver/library": both are words of messages.
  if (is_message_word(word.substr(0, slash)) && is_message_word(word.substr(slash + 1)))
    return std::string(word);
  return std::nullopt;
}

/// "node/NAME", "nodeclaim/NAME": how Karpenter names what it brings.
std::optional<std::string> Redactor::kind_and_name(std::string_view kind,
                                                   std::string_view name) const {
  if (kind != "node" && kind != "nodeclaim") return std::nullopt;
  const Space space = kind == "node" ? Space::node : Space::owner;
  return std::string(kind) + "/" + names_.find(space, name).value_or("x");
}

/// What the word before says the kind of. In Kueue's messages a flavor may be called "reserved", or
/// as any other word of theirs.
std::optional<std::string> Redactor::named_after(std::string_view lead,
                                                 std::string_view word) const {
  if (lead == "flavor") return names_.find(Space::flavor, word);
  if (lead == "ClusterQueue" || lead == "LocalQueue") return names_.find(Space::queue, word);
  // Bytes: "requested: 68719476736".
  static const WordSet kOfAmounts("requested used capacity limited requests.memory limits.memory");
  constexpr std::size_t kMost = 15;
  if (kOfAmounts.has(lead) && is_short_number(word, kMost)) return std::string(word);
  return std::nullopt;
}

/// A word of a message that is neither Kubernetes' own nor a name that we know is an `x`, and so is
/// a long number that is no amount; a message that is mostly such words is dropped.
std::optional<std::string> Redactor::message(std::string_view text) const {
  if (!names_.is_settled()) return std::nullopt;
  std::size_t words = 0;
  std::size_t known_words = 0;
  std::string_view lead;
  const auto shown = [&](std::string_view word) {
    auto known = named_after(lead, word);
    lead = word;
    return known ? known : message_word(word);
  };
  each_word(text, kNameMarks, [&](std::string_view word) {
    ++words;
    if (shown(word)) ++known_words;
    return std::string();
  });
  if (known_words * 2 < words) return std::nullopt;
  lead = {};
  return each_word(text, kNameMarks,
                   [&](std::string_view word) { return shown(word).value_or("x"); });
}

/// A gap is shown whatever it says; the words that it may not say are an `x`.
std::string Redactor::gap_text(std::string_view text) const {
  return each_word(text, kNameMarks, [&](std::string_view word) {
    return is_gap_word(word) ? std::string(word) : message_word(word).value_or("x");
  });
}

std::string Redactor::annotation_word(std::string_view word, std::size_t most_digits) {
  if (word.starts_with("GPU-") || word.starts_with("MIG-") || is_uuid(word)) return device_id(word);
  if (names_.is_settled())
    if (auto node = names_.find(Space::node, word)) return *node;
  return is_hardware_text(word, most_digits) ? std::string(word) : "x";
}

/// Lists of devices, times, amounts, in the forms of several schedulers.
std::string Redactor::annotation(std::string_view text, std::size_t most_digits) {
  return each_word(text, "-._",
                   [&](std::string_view word) { return annotation_word(word, most_digits); });
}

/// An expression with a name that is not CEL's or a known attribute's selects nothing, rather than
/// everything. The texts in it are replaced as the attributes are that they are compared with.
std::string Redactor::cel(std::string_view text) {
  static const std::string kNothing = "false";
  bool is_harmless = true;
  // Escapes and triple quotes are beyond the little that is read here.
  if (text.find('\\') != std::string_view::npos || text.find("'''") != std::string_view::npos ||
      text.find(R"(""")") != std::string_view::npos || text.find("//") != std::string_view::npos ||
      has_dotted_address(text))
    return kNothing;
  const auto each_part = [&](auto on_literal, auto on_code) {
    std::string result;
    while (!text.empty() && is_harmless) {
      const std::size_t open = text.find_first_of("\"'");
      result += on_code(text.substr(0, open));
      if (open == std::string_view::npos) break;
      const std::size_t close = text.find(text[open], open + 1);
      is_harmless = is_harmless && close != std::string_view::npos;
      if (!is_harmless) break;
      result += text[open] + on_literal(text.substr(open + 1, close - open - 1)) + text[open];
      text.remove_prefix(close + 1);
    }
    return result;
  };
  const auto is_known_code = [&](std::string_view code) {
    return each_word(code, "_", [&](std::string_view word) {
      is_harmless = is_harmless && (is_short_number(word) || is_cel_word(word));
      return std::string(word);
    });
  };
  const std::string_view whole = text;
  each_part([](std::string_view literal) { return std::string(literal); }, is_known_code);
  if (!is_harmless) return kNothing;
  text = whole;
  return each_part(
      [&](std::string_view literal) {
        if (is_known(Space::driver, literal) || is_cel_word(literal) || is_hardware_text(literal) ||
            is_hardware_name(literal))
          return std::string(literal);
        const bool is_driver = literal.find('.') != std::string_view::npos &&
                               literal.find(' ') == std::string_view::npos;
        return is_driver ? driver(literal) : names_.of(Space::label_value, literal);
      },
      is_known_code);
}

}  // namespace gpu::input
