#include "report/values.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "base/error.hpp"
#include "report/fixture.hpp"

namespace report_values_test {

using namespace gpu::report;
using fixture::kGi;

namespace {

constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();

std::string words(const Cell& cell, PowerUnit power = PowerUnit::watts) {
  const Words shown = words_of(cell.value, power, "°");
  return shown.text + shown.unit;
}

}  // namespace

TEST_CASE("people read numbers with their units") {
  CHECK(words({}) == "-");
  CHECK(words("ml") == "ml");
  CHECK(words(30660) == "30,660");
  CHECK(words(true) == "yes");
  CHECK(words(false) == "no");
  CHECK(words(Ratio{.914}) == "91%");
  CHECK(words(Ratio{1}) == "100%");
  CHECK(words(Ratio{std::nan("")}) == "-");
  CHECK(words(Celsius{65.6}) == "66°C");
  CHECK(words(Celsius{std::nan("")}) == "-");
  CHECK(words(Watts{690.4}) == "690W");
  CHECK(words(Watts{5210}, PowerUnit::kilowatts) == "5.2kW");
  CHECK(words(Watts{116}, PowerUnit::kilowatts) == "0.1kW");
  CHECK(words(Watts{std::nan("")}) == "-");
  CHECK(words(WattsOf{690.4, 700}) == "690/700W");
  CHECK(words(WattsOf{1404.6, 1500}, PowerUnit::kilowatts) == "1405/1500W");
  CHECK(words(WattsOf{690.4, std::nullopt}) == "690W");
  CHECK(words(WattsOf{std::nan(""), 700}) == "-");
  CHECK(words(Seconds{std::chrono::minutes{42}}) == "42m");
  CHECK(words(Share{6, 8}) == "6/8");
  CHECK(words(BytesOf{401 * kGi, 640 * kGi}) == "401/640Gi");
  CHECK(words(List{"ml/a", "ml/b"}) == "ml/a,ml/b");
  CHECK(words(Record{{"strategy", "mps"}, {"replicas", 4}}) == "strategy=mps,replicas=4");
}

TEST_CASE("bytes have two digits or more, unless they are few") {
  CHECK(words(Bytes{0}) == "0B");
  CHECK(words(Bytes{512}) == "512B");
  CHECK(words(Bytes{1536}) == "1.5Ki");
  CHECK(words(Bytes{3 << 20}) == "3Mi");
  CHECK(words(Bytes{80 * kGi}) == "80Gi");
  CHECK(words(Bytes{kGi * 3 / 2}) == "1.5Gi");
  CHECK(words(Bytes{2048 * kGi}) == "2,048Gi");
  CHECK(words(Bytes{20480 * kGi}) == "20Ti");
  CHECK(words(Bytes{-80 * kGi}) == "-80Gi");
}

TEST_CASE("money has two decimals, rounded to the cent") {
  CHECK(words(Usd{42'000'000'000}) == "42.00");
  CHECK(words(Usd{1'234'567'890'000}) == "1,234.57");
  CHECK(words(Usd{5'000'000}) == "0.01");
  CHECK(words(Usd{4'999'999}) == "0.00");
  CHECK(words(Usd{-500'000'000}) == "-0.50");
  CHECK(words(Usd{-1'999'000'000}) == "-2.00");
  CHECK(bare_text(Usd{1'234'567'890'000}, "") == "1234.57");
}

TEST_CASE("scripts read bare numbers, in the unit that the title names") {
  CHECK(bare_text(Cell().value, "UTIL%") == "-");
  CHECK(bare_text(std::int64_t{30660}, "GPUS") == "30660");
  CHECK(bare_text(Ratio{.914}, "UTIL%") == "91");
  CHECK(bare_text(Ratio{std::nan("")}, "UTIL%") == "-");
  CHECK(bare_text(Bytes{595 * kGi}, "MEM_USED_GI") == "595");
  CHECK(bare_text(Bytes{595 * kGi}, "MEM_USED") == "638876385280");
  CHECK(bare_text(Watts{5210.6}, "POWER_W") == "5211");
  CHECK(bare_text(Celsius{65.6}, "TEMP_C") == "66");
  CHECK(bare_text(Seconds{std::chrono::minutes{42}}, "AGE_S") == "2520");
  CHECK(bare_text(true, "IDLE") == "yes");
  CHECK(bare_text(Share{6, 8}, "GPUS") == "6/8");
}

TEST_CASE("machines read raw numbers") {
  CHECK(machine_scalar(Cell().value) == "null");
  CHECK(machine_scalar(Ratio{.91}) == "0.91");
  CHECK(machine_scalar(Bytes{kMax}) == "9223372036854775807");
  CHECK(machine_scalar(Watts{116.5}) == "116.5");
  CHECK(machine_scalar(Seconds{std::chrono::hours{1}}) == "3600");
  CHECK(machine_scalar(Usd{2'500'000'000}) == "2.5");
  CHECK(machine_scalar(true) == "true");
  CHECK_FALSE(machine_scalar(std::string("true")));
  CHECK_FALSE(machine_scalar(List{}));
  CHECK_FALSE(machine_scalar(Record{}));
}

TEST_CASE("machines never get a mark or a bar") {
  CHECK_THROWS_AS(machine_scalar(Share{6, 8}), gpu::Error);
  CHECK_THROWS_AS(machine_scalar(BytesOf{1, 2}), gpu::Error);
  CHECK_THROWS_AS(machine_scalar(WattsOf{1, 2}), gpu::Error);
}

TEST_CASE("numbers read back as what they were, in YAML 1.1 too") {
  for (const double value : {0.0, 1.0, .1, 1.0 / 3, 5e-324, 1.7976931348623157e308, -2.5, 1e21}) {
    const std::string text = number_text(value);
    INFO(text);
    CHECK(std::strtod(text.c_str(), nullptr) == value);
  }
  CHECK(number_text(1e-7) == "1.0e-07");
  CHECK(number_text(1.5e-7) == "1.5e-07");
  CHECK(number_text(5210) == "5210");
  CHECK(number_text(std::nan("")) == "null");
  CHECK(number_text(HUGE_VAL) == "null");
}

TEST_CASE("money is exact to the billionth") {
  CHECK(usd_text({0}) == "0");
  CHECK(usd_text({102'560'000'000}) == "102.56");
  CHECK(usd_text({1}) == "0.000000001");
  CHECK(usd_text({-500'000'000}) == "-0.5");
  CHECK(usd_text({-1'500'000'000}) == "-1.5");
  CHECK(usd_text({kMin}) == "-9223372036.854775808");
}

TEST_CASE("numbers are grouped by thousands") {
  CHECK(grouped(0) == "0");
  CHECK(grouped(999) == "999");
  CHECK(grouped(1000) == "1,000");
  CHECK(grouped(-999) == "-999");
  CHECK(grouped(-1234567) == "-1,234,567");
  CHECK(grouped(kMin) == "-9,223,372,036,854,775,808");
}

TEST_CASE("whole GiB are rounded, and a share of nothing is 0") {
  CHECK(whole_gi(kGi / 2) == 1);
  CHECK(whole_gi(kGi / 2 - 1) == 0);
  CHECK(whole_gi(-kGi / 2) == -1);
  CHECK(whole_gi(kMax) == 8589934592);
  CHECK(ratio_of({1, 4}) == .25);
  CHECK(ratio_of({1, 0}) == 0);
}

}  // namespace report_values_test
