// An exporter's text: read the same however it is cut, told as samples; or, from its `<` on,
// nvidia-smi's XML. The first byte says how it is cut, and which format it is.
#include <chrono>
#include <vector>

#include "fuzz.hpp"
#include "telemetry/dialects/interpret.hpp"
#include "telemetry/dialects/nvidia_smi_xml.hpp"
#include "telemetry/dialects/text_reader.hpp"

using namespace gpu::telemetry;

namespace {

/// All that a reader tells; NaN is no value here, so that equal means equal.
struct DialectSample {
  std::vector<Series> series;
  std::size_t lines = 0;
  std::size_t bad_count = 0;
  std::vector<BadLine> bad_lines;
  friend bool operator==(const DialectSample&, const DialectSample&) = default;
};

DialectSample told(std::string_view text, std::size_t part, TextFormat format,
                   const TextReader::Wanted& wanted = {}) {
  DialectSample result;
  const auto keep = [&](Series&& one) {
    gpu::fuzz::require(!one.name.empty(), "a series has a name");
    for (const auto& [name, value] : one.labels)
      gpu::fuzz::require(!name.empty() && !value.empty(), "a label has a name and a value");
    if (one.value != one.value) one.value = 0;
    result.series.push_back(std::move(one));
  };
  TextReader reader(keep, wanted, format);
  for (std::size_t at = 0; at < text.size(); at += part) {
    // On the heap and exact, so that the sanitizer sees a look beyond it.
    const std::string_view piece = text.substr(at, part);
    const std::unique_ptr<char[]> copy(new char[piece.size()]);
    piece.copy(copy.get(), piece.size());
    reader.feed({copy.get(), piece.size()});
  }
  reader.finish();
  result.lines = reader.lines();
  result.bad_count = reader.bad_count();
  result.bad_lines = reader.bad_lines();
  return result;
}

void require_credible(const std::vector<gpu::Sample>& samples) {
  for (const gpu::Sample& sample : samples) {
    const gpu::Measures& measures = sample.measures;
    for (const auto& ratio :
         {measures.utilization, measures.sm_active, measures.tensor_active, measures.dram_active})
      gpu::fuzz::require(!ratio || (*ratio >= 0 && *ratio <= 1), "a ratio is from 0 to 1");
    gpu::fuzz::require(measures.memory_used_bytes.value_or(0) >= 0,
                       "memory in use is not negative");
    if (measures.memory_used_bytes && measures.memory_total_bytes)
      gpu::fuzz::require(*measures.memory_used_bytes <= *measures.memory_total_bytes,
                         "no more memory is in use than there is");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text = gpu::fuzz::text_of(data + 1, size - 1);
  const Origin origin{.exporter = "ns/pod",
                      .node = "node",
                      .read_at = gpu::Time(std::chrono::seconds(1'800'000'000))};
  if (text.starts_with('<')) {
    gpu::fuzz::error_of([&] { require_credible(samples_of_nvidia_smi(text, origin)); });
    return 0;
  }
  const auto format = static_cast<TextFormat>(data[0] % 3);
  const DialectSample whole = told(text, text.size() + 1, format);
  gpu::fuzz::require(told(text, data[0] / 3U + 1U, format) == whole,
                     "a text reads the same however it is cut");
  const DialectSample known = told(text, text.size() + 1, format, is_known_metric);
  std::vector<Series> wanted;
  for (const Series& one : whole.series)
    if (is_known_metric(one.name)) wanted.push_back(one);
  gpu::fuzz::require(known.series == wanted, "what is not wanted changes nothing of what is");
  require_credible(samples_of(whole.series, origin));
  Origin asked = origin;
  asked.source = gpu::MetricSource::prometheus;
  require_credible(samples_of(whole.series, asked));
  return 0;
}
