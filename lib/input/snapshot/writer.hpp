#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "input/snapshot/file.hpp"
#include "input/snapshot/redact.hpp"
#include "model/snapshot/snapshot.hpp"

namespace gpu::input {

/// Whether names are hidden.
enum class Names { real, redacted };

/// Writes a Snapshot file: one object on each line, so that it can be searched and compared; what
/// is known of all of them, the gaps too, stands behind them, because it is known last. With real
/// names an object is written as it comes; to hide names, all must be seen first.
class SnapshotWriter {
 public:
  SnapshotWriter(SnapshotFile& file, Names names);

  /// An object as the API gave it. What no snapshot holds (trimmed) is passed over.
  void add(const nlohmann::json& object, std::string_view api_version, std::string_view kind);
  /// The end: `snapshot` is what all these objects made.
  void finish(const Snapshot& snapshot);

  /// How many objects were written, by kind.
  [[nodiscard]] const std::map<std::string, std::int64_t, std::less<>>& counts() const {
    return counts_;
  }

 private:
  void add_scrape(const nlohmann::json& scraped);
  void add_kept(const nlohmann::json& object, std::string_view api_version, std::string_view kind);
  void put_line(const nlohmann::json& object);
  void put_end(Snapshot snapshot);

  SnapshotFile& file_;
  std::optional<Redactor> redactor_;
  std::vector<std::string> held_;  ///< objects that wait for their new names, as text
  std::map<std::string, std::int64_t, std::less<>> counts_;
  bool has_lines_ = false;
};

}  // namespace gpu::input
