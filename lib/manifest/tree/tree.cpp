#include "manifest/tree/tree.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace gpu::manifest {

Tree::Tree() : value_(Map{}) {}
Tree::Tree(bool truth) : value_(truth) {}
Tree::Tree(int number) : value_(std::int64_t{number}) {}
Tree::Tree(std::int64_t number) : value_(number) {}
Tree::Tree(std::string text) : value_(std::move(text)) {}
Tree::Tree(std::string_view text) : value_(std::string(text)) {}
Tree::Tree(const char* text) : value_(std::string(text)) {}
Tree::Tree(const Tree& other) = default;
Tree::Tree(Tree&& other) noexcept = default;
Tree& Tree::operator=(const Tree& other) = default;
Tree& Tree::operator=(Tree&& other) noexcept = default;
Tree::~Tree() = default;

Tree::Item::Item(Tree its, Why its_why) : value(std::move(its)), why(std::move(its_why)) {}

Tree Tree::map(std::initializer_list<Entry> entries) {
  Tree tree;
  tree.value_ = Map(entries);
  return tree;
}

Tree Tree::list(std::initializer_list<Item> items) {
  Tree tree;
  tree.value_ = List(items);
  return tree;
}

Tree Tree::texts(const std::vector<std::string>& texts) {
  Tree tree = list();
  for (const std::string& text : texts) tree.push(text);
  return tree;
}

bool Tree::empty() const {
  if (const auto* map = std::get_if<Map>(&value_)) return map->empty();
  const auto* list = std::get_if<List>(&value_);
  return list != nullptr && list->empty();
}

const Tree* Tree::find(std::string_view key) const {
  const auto* map = std::get_if<Map>(&value_);
  if (map == nullptr) return nullptr;
  const auto at =
      std::find_if(map->begin(), map->end(), [&](const Entry& entry) { return entry.key == key; });
  return at == map->end() ? nullptr : &at->value;
}

Tree* Tree::find(std::string_view key) { return const_cast<Tree*>(std::as_const(*this).find(key)); }

Tree* Tree::item(std::size_t at) {
  auto* list = std::get_if<List>(&value_);
  return list == nullptr || at >= list->size() ? nullptr : &(*list)[at].value;
}

std::size_t Tree::size() const {
  if (const auto* map = std::get_if<Map>(&value_)) return map->size();
  const auto* list = std::get_if<List>(&value_);
  return list == nullptr ? 0 : list->size();
}

void Tree::erase(std::string_view key) {
  if (auto* map = std::get_if<Map>(&value_))
    std::erase_if(*map, [&](const Entry& entry) { return entry.key == key; });
}

void Tree::erase(std::size_t at) {
  auto* list = std::get_if<List>(&value_);
  if (list != nullptr && at < list->size())
    list->erase(list->begin() + static_cast<std::ptrdiff_t>(at));
}

Tree& Tree::set(std::string key, Tree value, Why why) {
  if (Tree* const found = find(key)) {
    *found = std::move(value);
    return *this;
  }
  std::get<Map>(value_).push_back({std::move(key), std::move(value), std::move(why)});
  return *this;
}

Tree& Tree::set_unless_empty(std::string key, Tree value, Why why) {
  if (!value.empty()) set(std::move(key), std::move(value), std::move(why));
  return *this;
}

Tree& Tree::set_all(Tree other) {
  for (Entry& entry : std::get<Map>(other.value_))
    set(std::move(entry.key), std::move(entry.value), std::move(entry.why));
  return *this;
}

Tree& Tree::push(Tree value, Why why) {
  std::get<List>(value_).emplace_back(std::move(value), std::move(why));
  return *this;
}

Tree Tree::on_one_line() && {
  is_on_one_line_ = true;
  return std::move(*this);
}

}  // namespace gpu::manifest
