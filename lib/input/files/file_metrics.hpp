#pragma once

#include <cstddef>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/time.hpp"
#include "kube/read/needs.hpp"
#include "telemetry/exporters/exporters.hpp"
#include "telemetry/exporters/scrape_json.hpp"

namespace gpu::input {

/// Live use as files hold it: Scrape objects of a snapshot, and exporters' texts of a folder.
class FileMetrics {
 public:
  using NodeNames = std::set<std::string, std::less<>>;

  /// Refers to `needs`.
  explicit FileMetrics(const kube::Needs& needs) : needs_(needs) {}

  /// Whether the command reads live use at all.
  [[nodiscard]] bool are_wanted() const;
  /// Every pod of the files: some of them export.
  void add_pod(const Pod& pod);
  /// A Scrape object. Throws Error{data} naming the place.
  void add_scrape(const nlohmann::json& object);
  /// A file of a folder: NODE.prom or NODE--EXPORTER POD.prom, or these with .gz.
  void add_text(const std::string& path);

  /// Reads the texts, and puts samples into `snapshot`, how much was seen, and gaps. `all_nodes`
  /// are those of the files, chosen or not; `read_at` is when the texts were read.
  void finish(Snapshot& snapshot, const NodeNames& all_nodes, std::optional<Time> read_at);

 private:
  struct Text {
    std::string path;
    std::string node;
    const telemetry::Exporter* exporter = nullptr;  ///< null: not known
  };
  [[nodiscard]] std::optional<Text> text_at(const std::string& path,
                                            const NodeNames& all_nodes) const;
  [[nodiscard]] const telemetry::Exporter* exporter_on(std::string_view node,
                                                       std::string_view pod) const;
  void read_texts(Snapshot& snapshot, const NodeNames& all_nodes, std::optional<Time> read_at);
  void read_text(const Text& text, Snapshot& snapshot, std::optional<Time> read_at);
  [[nodiscard]] bool is_wanted(MetricSource source) const;
  void read_samples(Snapshot& snapshot, std::size_t first_text) const;
  void tell_of_silent(Snapshot& snapshot) const;
  void tell_of_window(Snapshot& snapshot) const;

  const kube::Needs& needs_;
  std::vector<telemetry::Exporter> exporters_;
  std::vector<std::string> paths_;
  NodeNames read_;  ///< whose texts were read, for better or worse
  std::vector<telemetry::Scrape> scrapes_;
  bool leaves_some_out_ = false;  ///< scrapes of sources that --metrics does not name
};

}  // namespace gpu::input
