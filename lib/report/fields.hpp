#pragma once

#include <functional>
#include <initializer_list>
#include <vector>

#include "report/type.hpp"
#include "report/typed_cell.hpp"

namespace gpu::report {

/// The keys of a record, and how a T fills each.
template <class T>
class Fields {
 public:
  struct Entry {
    Field field;
    std::function<Cell(const T&)> fill;
  };

  Fields(std::initializer_list<Entry> entries) : entries_(entries) {}

  [[nodiscard]] Record record(const T& of) const {
    Record record;
    record.reserve(entries_.size());
    for (const Entry& entry : entries_) record.emplace_back(entry.field.key, entry.fill(of));
    return record;
  }
  /// A record for each of `items`.
  [[nodiscard]] List list(const std::vector<T>& items) const {
    List list;
    list.reserve(items.size());
    for (const T& item : items) list.emplace_back(record(item));
    return list;
  }
  /// The type of a record.
  [[nodiscard]] Type type() const { return Type::record(declared()); }
  [[nodiscard]] std::vector<Field> declared() const {
    std::vector<Field> fields;
    fields.reserve(entries_.size());
    for (const Entry& entry : entries_) fields.push_back(entry.field);
    return fields;
  }
  [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }

 private:
  std::vector<Entry> entries_;
};

}  // namespace gpu::report
