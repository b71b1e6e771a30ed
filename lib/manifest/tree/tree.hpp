#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace gpu::manifest {

/// Why a field of a manifest is there: what a comment beside it says, and what --explain adds.
struct Why {
  std::string comment;  ///< empty: no reader would ask
  std::string reason;   ///< a sentence or two; empty: there is nothing to explain
  std::string source;   ///< the rule or public report behind it: "pytorch/pytorch#16979"
};

/// A value of a manifest: a scalar, or a map or list that keeps its order and says why its entries
/// are there. Knows nothing of Kubernetes.
class Tree {
 public:
  struct Entry;  ///< of a map
  struct Item;   ///< of a list
  using Map = std::vector<Entry>;
  using List = std::vector<Item>;
  using Value = std::variant<bool, std::int64_t, std::string, Map, List>;

  Tree();  ///< an empty map
  Tree(bool truth);
  Tree(int number);
  Tree(std::int64_t number);
  Tree(std::string text);
  Tree(std::string_view text);
  Tree(const char* text);
  Tree(const Tree& other);
  Tree(Tree&& other) noexcept;
  Tree& operator=(const Tree& other);
  Tree& operator=(Tree&& other) noexcept;
  ~Tree();

  static Tree map(std::initializer_list<Entry> entries);
  static Tree list(std::initializer_list<Item> items = {});
  /// A list of texts.
  static Tree texts(const std::vector<std::string>& texts);

  [[nodiscard]] const Value& value() const { return value_; }
  /// Whether it is a map or list without entries.
  [[nodiscard]] bool empty() const;
  /// The entry of a map; null where there is none, or this is no map.
  [[nodiscard]] const Tree* find(std::string_view key) const;
  [[nodiscard]] Tree* find(std::string_view key);

  /// The item of a list; null where there is none, or this is no list.
  [[nodiscard]] Tree* item(std::size_t at);
  /// How many entries or items there are; 0 of a scalar.
  [[nodiscard]] std::size_t size() const;

  /// Puts an entry at the end of a map, or in the place of the entry of that key.
  Tree& set(std::string key, Tree value, Why why = {});
  /// The same, unless the value is an empty map or list.
  Tree& set_unless_empty(std::string key, Tree value, Why why = {});
  /// Puts all entries of another map behind those of this one.
  Tree& set_all(Tree other);
  /// Puts an item at the end of a list.
  Tree& push(Tree value, Why why = {});

  /// Takes an entry of a map away, or an item of a list; nothing where there is none.
  void erase(std::string_view key);
  void erase(std::size_t at);

  /// Written on one line where that fits: `{cpu: "8", memory: 64Gi}`.
  [[nodiscard]] Tree on_one_line() &&;
  [[nodiscard]] bool is_on_one_line() const { return is_on_one_line_; }

 private:
  Value value_;
  bool is_on_one_line_ = false;
};

struct Tree::Entry {
  std::string key;
  Tree value;
  Why why = {};
};

struct Tree::Item {
  Item(Tree its, Why its_why = {});
  Tree value;
  Why why;
};

/// One object of a manifest, a document of its YAML.
using Documents = std::vector<Tree>;

}  // namespace gpu::manifest
