// YAML that `gen` writes: whatever stands in a tree, a reader gets the same back, and what it gets
// is written as it was.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "decode/wire/yaml.hpp"
#include "fuzz.hpp"
#include "manifest/read_tree.hpp"
#include "manifest/tree/yaml.hpp"

using gpu::fuzz::require;
using gpu::manifest::Comments;
using gpu::manifest::Tree;
using nlohmann::json;

namespace {

/// YAML reads a key of over 1,024 characters only behind a question mark. An escaped byte takes
/// six. Those of Kubernetes have 317 bytes at most, and none that is escaped.
constexpr std::size_t kLongestKey = 160;

std::string key_of(const std::string& text) {
  std::size_t size = std::min(text.size(), kLongestKey);
  // No character is cut in two.
  while (size > 0 && size < text.size() && (text[size] & 0xC0) == 0x80) --size;
  return text.substr(0, size);
}

/// What a tree has no value for becomes text.
Tree tree_of(const json& value, bool is_on_one_line) {
  if (value.is_boolean()) return value.get<bool>();
  if (value.is_number_integer()) {
    const bool fits = !value.is_number_unsigned() || value.get<std::uint64_t>() <= INT64_MAX;
    if (fits) return value.get<std::int64_t>();
  }
  if (value.is_string()) return value.get<std::string>();
  if (!value.is_structured()) return value.dump(-1, ' ', false, json::error_handler_t::replace);
  // Which maps are on one line, and which entries have a comment, is as good as any other choice.
  Tree tree = value.is_array() ? Tree::list() : Tree();
  std::size_t at = 0;
  for (const auto& [key, each] : value.items()) {
    Tree inner = tree_of(each, at % 3 == 1);
    const std::string comment = ++at % 2 == 0 ? key + "\n" + key : "";
    if (value.is_array())
      tree.push(std::move(inner), {.comment = comment, .reason = {}, .source = {}});
    else
      tree.set(key_of(key), std::move(inner), {.comment = comment, .reason = {}, .source = {}});
  }
  return is_on_one_line ? std::move(tree).on_one_line() : tree;
}

/// The tree as a reader of JSON sees it.
json json_of(const Tree& tree) {
  return json::parse(gpu::manifest::json_of({tree}), nullptr, false);
}

void check(const json& read) {
  const Tree tree = tree_of(read, false);
  const json meant = json_of(tree);
  require(!meant.is_discarded(), "the JSON that is written is JSON");
  const std::string commented = gpu::manifest::yaml_of({tree});
  require(gpu::decode::yaml_to_json(commented) == meant, "YAML with comments means the same");
  require(gpu::decode::yaml_to_json(gpu::manifest::yaml_of({tree}, Comments::left_out)) == meant,
          "YAML means the same");
  // Broken UTF-8 is written as a replacement's escape once, and as that character from then on.
  const std::string bare = gpu::manifest::yaml_of({tree_of(meant, false)}, Comments::left_out);
  const gpu::manifest::Documents again = gpu::manifest::test::read_documents(bare);
  require(again.size() == 1, "one document is written as one");
  require(gpu::manifest::yaml_of(again, Comments::left_out) == bare,
          "what is read is written as it was");
  const std::string line = gpu::manifest::one_line_of(tree);
  if (line.size() < 1024)
    require(gpu::decode::yaml_to_json("x: " + line)["x"] == meant || line == "(several lines)",
            "one line means the same");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  json read;
  const std::string error = gpu::fuzz::error_of(
      [&] { read = gpu::decode::yaml_to_json(gpu::fuzz::text_of(data, size)); });
  if (error.empty() && read.is_object()) check(read);
  return 0;
}
