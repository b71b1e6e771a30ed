// Price files of any text, in YAML and CSV: what is wrong with one is said by an Error that names
// the file and a line, and what is read prices a node without overflow.
#include "cost/prices/price_book.hpp"
#include "fuzz.hpp"

using gpu::fuzz::require;

namespace {

void read(std::string_view text, const std::string& file) {
  try {
    gpu::cost::PriceRules rules = gpu::cost::price_file(text, file);
    for (const gpu::cost::PriceRule& rule : rules.rules) {
      require(rule.where.starts_with(file + ":"), "a rule names its file");
      require(gpu::cost::key_of(rule) != gpu::cost::PriceKey::any, "a rule picks nodes");
      const int prices = int{rule.node_hour || rule.node_spot_hour} +
                         int{rule.gpu_hour || rule.gpu_spot_hour} + int{rule.owned.has_value()};
      require(prices == 1, "a rule has one kind of price");
    }
    gpu::cost::PriceBook book;
    book.add(std::move(rules));
    const gpu::StringMap labels = {{"node.kubernetes.io/instance-type", "p4d.24xlarge"},
                                   {"nvidia.com/gpu.product", "NVIDIA-L4"}};
    for (const std::string_view product : {"NVIDIA-L4", "NVIDIA-A100-SXM4-40GB", ""}) {
      const gpu::cost::PricedNode node{.name = "a", .labels = &labels, .product = product};
      const gpu::cost::NodePrice price = book.price(node);
      require(price.per_hour && *price.per_hour >= gpu::Money{0}, "a price is not below 0");
      std::string winner;
      for (const gpu::cost::PriceStep& step : book.steps(node))
        if (step.won) winner += step.rule;
      require(winner == price.rule, "the step that won is the price");
    }
  } catch (const gpu::Error& error) {
    require(error.kind() == gpu::ErrorKind::usage, "a wrong price file is a mistake in its use");
    require(error.message().starts_with(file + ":"), "an error names the file and line");
    require(error.message().find('\n') == std::string::npos, "an error is one line");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = gpu::fuzz::text_of(data, size);
  read(text, "p.yaml");
  read(text, "p.csv");
  return 0;
}
