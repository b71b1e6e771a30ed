// A quantity, and, from the same text, a time.
#include "base/quantity.hpp"

#include "base/time.hpp"
#include "fuzz.hpp"

using gpu::Quantity;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = gpu::fuzz::text_of(data, size);
  if (const auto quantity = Quantity::parse(text)) {
    // Whole amounts and those in thousandths survive being written and read again.
    const Quantity whole = Quantity::of(quantity->value());
    gpu::fuzz::require(whole == *Quantity::parse(std::to_string(quantity->value())),
                       "a whole amount reads as itself");
    const auto milli = quantity->milli_value();
    gpu::fuzz::require(Quantity::of_milli(milli) == *Quantity::parse(std::to_string(milli) + "m"),
                       "thousandths read as themselves");
    gpu::fuzz::require((whole >= *quantity) == (*quantity >= Quantity{} || whole == *quantity),
                       "rounding goes away from zero");
    // A minus in front of what has no sign turns it around.
    if (text.front() != '-' && text.front() != '+')
      gpu::fuzz::require(*Quantity::parse("-" + std::string(text)) == Quantity{} - *quantity,
                         "a sign only changes the sign");
  }
  if (const auto time = gpu::parse_time(text)) {
    const auto written = gpu::format_time(*time);
    // An offset can lead out of the years 0 to 9999, which have no text that is read.
    if (written.size() == 20)
      gpu::fuzz::require(gpu::parse_time(written) == time, "a time reads as itself");
  }
  return 0;
}
