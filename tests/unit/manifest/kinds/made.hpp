#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "manifest/kinds/kind.hpp"
#include "manifest/read_tree.hpp"
#include "manifest/tree/yaml.hpp"

namespace gpu::manifest::test {

inline GenOptions options_named(std::string name) {
  GenOptions options;
  options.name = std::move(name);
  options.image = "ghcr.io/acme/train:1.4";
  return options;
}

inline Generated made(std::string_view word, const GenOptions& options,
                      const ClusterFacts& facts = {}) {
  const GenKind* const kind = find_gen_kind(word);
  if (kind == nullptr) throw std::logic_error("no kind " + std::string(word));
  return generate(*kind, options, facts);
}

/// The message of the Error that it ends with; empty where it ends with none.
inline std::string refusal(std::string_view word, const GenOptions& options,
                           const ClusterFacts& facts = {}) {
  try {
    made(word, options, facts);
  } catch (const Error& error) {
    return error.kind() == ErrorKind::usage ? error.message() : "not a usage error";
  }
  return {};
}

/// What stands at "spec.containers[0].image"; null where nothing does. Keys may have dots.
inline const Tree* at(const Tree& tree, std::string_view path) {
  if (path.empty()) return &tree;
  if (path.starts_with('.')) return at(tree, path.substr(1));
  if (path.starts_with('[')) {
    const auto& list = std::get<Tree::List>(tree.value());
    const std::size_t index = std::stoul(std::string(path.substr(1)));
    return index < list.size() ? at(list[index].value, path.substr(path.find(']') + 1)) : nullptr;
  }
  const auto* const map = std::get_if<Tree::Map>(&tree.value());
  if (map == nullptr) return nullptr;
  for (const Tree::Entry& each : *map) {
    const std::string_view rest = path.substr(std::min(each.key.size(), path.size()));
    const bool is_it = path.starts_with(each.key) &&
                       (rest.empty() || rest.starts_with('.') || rest.starts_with('['));
    if (!is_it) continue;
    if (const Tree* const found = at(each.value, rest)) return found;
  }
  return nullptr;
}

/// The same, as YAML on one line; "-" where there is nothing.
inline std::string text_at(const Tree& tree, std::string_view path) {
  const Tree* const found = at(tree, path);
  return found == nullptr ? "-" : one_line_of(*found);
}

inline bool is_read_back(const Documents& documents) {
  const std::string yaml = yaml_of(documents, Comments::left_out);
  return yaml_of(read_documents(yaml), Comments::left_out) == yaml;
}

inline bool says(const Generated& made, std::string_view text) {
  for (const GenNote& each : made.notes)
    if (each.text.find(text) != std::string::npos) return true;
  return false;
}

/// Whether a comment of the YAML has this text.
inline bool comments_on(const Generated& made, std::string_view text) {
  return yaml_of(made.documents).find(text) != std::string::npos &&
         yaml_of(made.documents, Comments::left_out).find(text) == std::string::npos;
}

}  // namespace gpu::manifest::test
