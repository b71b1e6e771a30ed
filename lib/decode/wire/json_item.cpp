#include "decode/wire/json_item.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "base/ascii.hpp"
#include "base/error.hpp"
#include "decode/wire/json_nesting.hpp"

namespace gpu::decode {
namespace {

using nlohmann::json;

/// Whether an array of this name is dropped. Only arrays: labels called `env` are common.
bool is_dropped_array(std::string_view key) {
  static constexpr std::array<std::string_view, 6> kDropped = {"managedFields", "env", "command",
                                                               "args", "volumeMounts"};
  return std::find(kDropped.begin(), kDropped.end(), key) != kDropped.end();
}

bool is_number(std::string_view text) {
  return !text.empty() && text.size() <= 12 && std::all_of(text.begin(), text.end(), is_digit);
}

/// A number, or the variable that has it: "$(INTERVAL)".
bool is_interval(std::string_view text) {
  return is_number(text) || (text.starts_with("$(") && text.ends_with("INTERVAL)"));
}

/// What is kept of a dropped array: how often an exporter measures, in milliseconds, and whether a
/// container sees all GPUs.
class KeptWords {
 public:
  /// A text in it, behind the key `key` where it stands in an object.
  void see(std::string_view array, std::string_view key, const std::string& text) {
    constexpr std::string_view kLong = "--collect-interval";
    constexpr std::string_view kVariables = "INTERVAL";  // DCGM_EXPORTER_INTERVAL, and those that
                                                         // a word of the command line names
    constexpr std::string_view kVisible = "NVIDIA_VISIBLE_DEVICES";
    if (array == "env") {
      if (key == "name")
        name_ = text.ends_with(kVariables) || text == kVisible ? text : std::string();
      const bool is_kept = name_ == kVisible ? text == "all" : is_number(text);
      if (key == "value" && !name_.empty() && is_kept) {
        if (!kept_.is_array()) kept_ = json::array();
        kept_.push_back({{"name", name_}, {"value", text}});
      }
      return;
    }
    if (array != "command" && array != "args") return;
    const std::string_view last = last_;
    if ((last == "-c" || last == kLong) && is_interval(text)) kept_ = json::array({last_, text});
    for (const std::string_view flag :
         {std::string_view("-c="), std::string_view("--collect-interval=")})
      if (text.starts_with(flag) && is_interval(std::string_view(text).substr(flag.size())))
        kept_ = json::array({text});
    last_ = text.size() <= kLong.size() ? text : std::string();
  }
  /// Once, at the end of the array; null: nothing.
  json take() {
    last_.clear();
    name_.clear();
    return std::exchange(kept_, nullptr);
  }

 private:
  std::string last_;  ///< the word before
  std::string name_;  ///< of a variable
  json kept_;
};

[[noreturn]] void fail(std::size_t position, std::string_view expected) {
  throw Error(ErrorKind::data, fmt::format("JSON item: byte {}: expected {}", position, expected));
}

/// nlohmann's SAX interface: builds the value, all but the dropped parts.
class Builder {
 public:
  bool null() { return add(nullptr); }
  bool boolean(bool value) { return add(value); }
  bool number_integer(json::number_integer_t value) { return add(value); }
  bool number_unsigned(json::number_unsigned_t value) { return add(value); }
  bool number_float(json::number_float_t value, const json::string_t&) { return add(value); }
  bool string(json::string_t& value) {
    if (dropped_depth_ != 0) kept_.see(key_, dropped_key_, value);
    return add(std::move(value));
  }
  static bool binary(json::binary_t&) { return false; }

  bool start_object(std::size_t) { return start(json::value_t::object); }
  bool start_array(std::size_t) { return start(json::value_t::array); }
  bool end_object() { return end(); }
  bool end_array() { return end(); }
  bool key(json::string_t& value) {
    (dropped_depth_ == 0 ? key_ : dropped_key_) = std::move(value);
    return true;
  }
  [[noreturn]] static bool parse_error(std::size_t position, const std::string&,
                                       const json::exception& error) {
    // nlohmann counts from 1, and says at length what it got and wanted after the last ": ".
    const std::string_view what = error.what();
    const std::size_t detail = what.find("syntax error");
    fail(position == 0 ? 0 : position - 1,
         fmt::format("JSON: {}", detail == std::string_view::npos ? what : what.substr(detail)));
  }

  json take() { return std::move(root_); }

 private:
  template <class Value>
  bool add(Value&& value) {
    if (dropped_depth_ == 0 && !is_last_applied()) place(json(std::forward<Value>(value)));
    return true;
  }
  bool start(json::value_t type) {
    if (++depth_ > JsonNesting::kMostDepth)
      throw Error(ErrorKind::data,
                  fmt::format("JSON item: expected at most {} levels", JsonNesting::kMostDepth));
    if (dropped_depth_ != 0) return true;
    const bool in_object = !open_.empty() && open_.back()->is_object();
    if (in_object &&
        (is_last_applied() || (type == json::value_t::array && is_dropped_array(key_))))
      dropped_depth_ = depth_;
    else
      open_.push_back(place(json(type)));
    return true;
  }
  bool end() {
    if (dropped_depth_ == 0)
      open_.pop_back();
    else if (dropped_depth_ == depth_)
      end_dropped();
    --depth_;
    return true;
  }
  void end_dropped() {
    dropped_depth_ = 0;
    if (json kept = kept_.take(); !kept.is_null()) place(std::move(kept));
  }
  [[nodiscard]] bool is_last_applied() const {
    return !open_.empty() && open_.back()->is_object() && key_ == kLastApplied;
  }
  json* place(json&& value) {
    if (open_.empty()) return &(root_ = std::move(value));
    json& parent = *open_.back();
    if (parent.is_object()) return &(parent[key_] = std::move(value));
    parent.push_back(std::move(value));
    return &parent.back();
  }

  json root_;
  std::vector<json*> open_;
  std::string key_;
  std::string dropped_key_;  // the last one within what is passed over
  KeptWords kept_;
  std::size_t depth_ = 0;
  std::size_t dropped_depth_ = 0;  // depth of the container that is passed over; 0: none is
};

}  // namespace

json json_item(std::string_view text) {
  Builder builder;
  json::sax_parse(text, &builder);
  return builder.take();
}

}  // namespace gpu::decode
