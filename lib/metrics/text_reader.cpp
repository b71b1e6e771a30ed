#include "metrics/text_reader.hpp"

#include <utility>

namespace gpu::metrics {

TextReader::TextReader(OnSeries on_series, Wanted wanted)
    : on_series_(std::move(on_series)), wanted_(std::move(wanted)) {}

void TextReader::feed(std::string_view bytes) { rest_ += bytes; }

void TextReader::finish() {}

}  // namespace gpu::metrics
