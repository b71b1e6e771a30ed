#include "decode/objects/card_shares.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <utility>

#include "base/ascii.hpp"
#include "base/split.hpp"
#include "decode/wire/json_nesting.hpp"

namespace gpu::decode {
namespace {

using Cards = std::optional<std::vector<SharedCard>>;
using Shares = std::optional<std::vector<CardShare>>;

/// No card of any kind has more; a larger number is a mistake, and sums of such would be, too.
constexpr std::int64_t kMostAmount = 1'000'000'000;

std::optional<std::int64_t> amount(std::string_view text) {
  const auto value = whole_number(trimmed(text));
  return value && *value >= 0 && *value <= kMostAmount ? value : std::nullopt;
}

/// "UUID,slots,memory,cores,type,numa,health[,index,mode]" of HAMi; older ones and Volcano leave
/// out cores and numa, the first of all HAMi's only numa.
std::optional<SharedCard> card_from(std::string_view entry, SharingStrategy by) {
  const std::vector<std::string_view> items = split(entry, ',');
  if (items.size() < 5) return std::nullopt;
  const bool has_cores = by == SharingStrategy::hami && items.size() >= 6;
  const std::size_t type = has_cores ? 4 : 3;
  const std::size_t health = has_cores && items.size() >= 7 ? 6 : type + 1;
  const auto slots = amount(items[1]);
  const auto memory = amount(items[2]);
  const auto cores = has_cores ? amount(items[3]) : 100;
  if (items[0].empty() || !slots || !memory || !cores) return std::nullopt;
  return SharedCard{.by = by,
                    .uuid = std::string(items[0]),
                    .type = std::string(items[type]),
                    .slots = *slots,
                    .memory_mib = *memory,
                    .cores = *cores,
                    .is_healthy = lower_case(items[health]) == "true"};
}

Cards cards_from_text(std::string_view text, SharingStrategy by) {
  std::vector<SharedCard> cards;
  for (const std::string_view entry : split(text, ':')) {
    if (trimmed(entry).empty()) continue;
    std::optional<SharedCard> card = card_from(trimmed(entry), by);
    if (!card) return std::nullopt;
    cards.push_back(std::move(*card));
  }
  return cards;
}

/// Nothing for what is no JSON, or is nested deeper than an annotation has reason to be.
std::optional<nlohmann::json> json_from(std::string_view text) {
  text = trimmed(text);
  if (text.empty() || (text.front() != '[' && text.front() != '{')) return std::nullopt;
  JsonNesting nesting;
  nesting.begin(JsonNesting::kMostDepth - 16);
  const char* at = text.data();
  if (nesting.scan(at, text.data() + text.size()) != JsonNesting::Stop::closed) return std::nullopt;
  nlohmann::json value = nlohmann::json::parse(text, nullptr, false);
  return value.is_discarded() ? std::nullopt : std::optional(std::move(value));
}

/// A member that is left out is 0, as Go's omitempty writes it.
std::optional<std::int64_t> member(const nlohmann::json& object, const char* name) {
  const auto found = object.find(name);
  if (found == object.end()) return 0;
  if (!found->is_number_integer()) return std::nullopt;
  if (found->is_number_unsigned() &&
      found->get<std::uint64_t>() > static_cast<std::uint64_t>(kMostAmount))
    return std::nullopt;
  const auto value = found->get<std::int64_t>();
  return value >= 0 && value <= kMostAmount ? std::optional(value) : std::nullopt;
}

std::string text_member(const nlohmann::json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string{};
}

/// Newer versions of HAMi write a JSON list. A sick card has no member "health".
Cards cards_from_json(std::string_view text) {
  const std::optional<nlohmann::json> list = json_from(text);
  if (!list || !list->is_array()) return std::nullopt;
  std::vector<SharedCard> cards;
  for (const nlohmann::json& entry : *list) {
    if (!entry.is_object()) return std::nullopt;
    const auto slots = member(entry, "count");
    const auto memory = member(entry, "devmem");
    const auto cores = member(entry, "devcore");
    const auto health = entry.find("health");
    SharedCard card{.uuid = text_member(entry, "id"), .type = text_member(entry, "type")};
    if (card.uuid.empty() || !slots || !memory || !cores) return std::nullopt;
    card.slots = *slots;
    card.memory_mib = *memory;
    card.cores = *cores;
    card.is_healthy = health != entry.end() && health->is_boolean() && health->get<bool>();
    cards.push_back(std::move(card));
  }
  return cards;
}

/// "UUID,type,memory,cores:" for each device, ";" behind each container. A MIG instance that HAMi
/// made stands as "UUID[0-1]".
Shares shares_from_text(std::string_view text, SharingStrategy by) {
  std::vector<CardShare> shares;
  for (const std::string_view container : split(text, ';')) {
    for (const std::string_view entry : split(container, ':')) {
      if (trimmed(entry).empty()) continue;
      const std::vector<std::string_view> items = split(trimmed(entry), ',');
      if (items.size() < 4) return std::nullopt;
      const std::string_view card = items[0].substr(0, items[0].find('['));
      const auto memory = amount(items[2]);
      const auto cores = amount(items[3]);
      if (card.empty() || !memory || !cores) return std::nullopt;
      shares.push_back(
          {.by = by, .card = std::string(card), .memory_mib = *memory, .cores = *cores});
    }
  }
  return shares;
}

/// {"container":{"card":GiB}}.
Shares shares_from_allocation(std::string_view text) {
  const std::optional<nlohmann::json> root = json_from(text);
  if (!root || !root->is_object()) return std::nullopt;
  std::vector<CardShare> shares;
  for (const auto& [container, cards] : root->items()) {
    if (!cards.is_object()) return std::nullopt;
    for (const auto& [index, unused] : cards.items()) {
      const auto gib = member(cards, index.c_str());
      if (!amount(index) || !gib) return std::nullopt;
      shares.push_back({.by = SharingStrategy::gpushare, .card = index, .units = *gib});
    }
  }
  return shares;
}

/// The first version knows one card for each pod; -1 while it is not placed.
Shares shares_from_index(std::string_view index, std::string_view gib) {
  const auto units = amount(gib);
  if (!amount(index) || !units) return std::nullopt;
  return std::vector<CardShare>{
      {.by = SharingStrategy::gpushare, .card = std::string(trimmed(index)), .units = *units}};
}

template <class Value>
void append(std::vector<Value>& all, std::optional<std::vector<Value>>&& more) {
  if (!more) return;
  std::move(more->begin(), more->end(), std::back_inserter(all));
}

}  // namespace

std::vector<SharedCard> shared_cards_from(const StringMap& annotations) {
  std::vector<SharedCard> cards;
  if (const std::string_view hami = value_of(annotations, "hami.io/node-nvidia-register");
      !hami.empty())
    append(cards, trimmed(hami).starts_with('[') ? cards_from_json(hami)
                                                 : cards_from_text(hami, SharingStrategy::hami));
  if (const std::string_view volcano = value_of(annotations, "volcano.sh/node-vgpu-register");
      !volcano.empty())
    append(cards, cards_from_text(volcano, SharingStrategy::volcano));
  return cards;
}

std::vector<CardShare> card_shares_from(const StringMap& annotations) {
  std::vector<CardShare> shares;
  if (annotations.empty()) return shares;
  append(shares, shares_from_text(value_of(annotations, "hami.io/vgpu-devices-allocated"),
                                  SharingStrategy::hami));
  append(shares, shares_from_text(value_of(annotations, "volcano.sh/vgpu-ids-new"),
                                  SharingStrategy::volcano));
  const std::string_view allocation =
      value_of(annotations, "scheduler.framework.gpushare.allocation");
  append(shares, allocation.empty()
                     ? shares_from_index(value_of(annotations, "ALIYUN_COM_GPU_MEM_IDX"),
                                         value_of(annotations, "ALIYUN_COM_GPU_MEM_POD"))
                     : shares_from_allocation(allocation));
  return shares;
}

}  // namespace gpu::decode
