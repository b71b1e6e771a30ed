#include <catch2/catch.hpp>
#include <fstream>
#include <sstream>

#include "base/error.hpp"
#include "cost/prices/priced.hpp"

namespace gpu::cost::prices_price_csv_test {
namespace {

const std::string kColumns =
    "EndTimestamp,InstanceID,Region,AssetClass,InstanceIDField,InstanceType,MarketPriceHourly,"
    "Version\n";

PriceRules csv(std::string_view text) { return price_file(text, "p.csv"); }

std::string csv_error(std::string_view text) {
  try {
    csv(text);
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::usage);
    return error.message();
  }
  return "none";
}

PriceBook opencost_book(const std::string& name) {
  std::ifstream in(OPENCOST_CASES "/" + name, std::ios::binary);
  REQUIRE(in);
  std::ostringstream out;
  out << in.rdbuf();
  PriceBook book;
  book.add(price_file(out.str(), name));
  return book;
}

/// A node of the cluster that these prices are for.
Asked of_cluster(std::string name, std::string type, std::string product, std::int64_t cards) {
  Asked asked = aws(std::move(type));
  asked.provider_id.clear();
  asked.labels.set("nvidia.com/gpu.product", product);
  asked.product = std::move(product);
  asked.cards = cards;
  asked.name = std::move(name);
  return asked;
}

}  // namespace

TEST_CASE("OpenCost's prices of nodes") {
  const PriceBook book = opencost_book("prices.csv");
  CHECK(book.gaps().empty());
  const Asked card = of_cluster("card-1", "p4d.24xlarge", "NVIDIA-A100-SXM4-40GB", 8);
  CHECK(told(book, card) == "21957642000 file [prices.csv:2]");
  CHECK(book.price(card.node()).as_of == parse_time("2026-11-01T00:00:00Z"));
  CHECK(told(book, of_cluster("half-1", "g6.xlarge", "NVIDIA-L4-SHARED", 1)) ==
        "804800000 file [prices.csv:3]");
  Asked plain = aws("m5.4xlarge");
  plain.name = "plain-1";
  CHECK(told(book, plain).starts_with("768000000 file"));
}

TEST_CASE("beside OpenCost's prices of nodes those of GPUs are for nodes that are not listed") {
  const PriceBook book = opencost_book("prices-gpu.csv");
  REQUIRE(book.gaps().size() == 1);
  CHECK(book.gaps()[0].what == "prices-gpu.csv has prices of nodes and of GPUs");
  CHECK(book.gaps()[0].why == "a node that has both costs its node price");
  CHECK(told(book, of_cluster("card-1", "p4d.24xlarge", "NVIDIA-A100-SXM4-40GB", 8)) ==
        "21957642000 file [prices-gpu.csv:2]");
  CHECK(told(book, of_cluster("new-1", "p4d.24xlarge", "NVIDIA-A100-SXM4-40GB", 8)) ==
        "16000000000 file [prices-gpu.csv:8]");
  // OpenCost finds no price for these two: its products must be equal to the label.
  CHECK(told(book, of_cluster("new-2", "g6.xlarge", "NVIDIA-L4-SHARED", 1)) ==
        "500000000 file [prices-gpu.csv:9]");
  CHECK(told(book, of_cluster("new-3", "p4d.24xlarge", "NVIDIA-A100-SXM4-40GB-MIG-1g.5gb", 8)) ==
        "16000000000 file [prices-gpu.csv:8]");
}

TEST_CASE("rows of OpenCost's files") {
  const PriceRules rules =
      csv(kColumns +
          "2026-11-01 23:34:22 UTC,\"gpu-\"\"1\"\"\",us-east-1,Node,metadata.name,p5,\"1.5\",v1\r\n"
          "\r\n"
          ",b,,gpu,metadata.labels.nvidia.com/gpu.product,,2,\n"
          ",,eu-west-1,node,,p5.48xlarge,3\n"
          ",disk,,pv,metadata.name,,4,\n");
  CHECK(rules.gaps.size() == 1);
  REQUIRE(rules.rules.size() == 3);
  CHECK(rules.rules[0].node == "gpu-\"1\"");
  CHECK(rules.rules[0].region == "us-east-1");
  CHECK(rules.rules[0].node_hour == usd("1.5"));
  CHECK(rules.rules[0].as_of == parse_time("2026-11-01T00:00:00Z"));
  CHECK(rules.rules[0].where == "p.csv:2");
  CHECK(rules.rules[1].labels == StringMap{{"nvidia.com/gpu.product", "b"}});
  CHECK(rules.rules[1].gpu_hour == usd("2"));
  CHECK(rules.rules[1].where == "p.csv:4");
  CHECK(rules.rules[2].instance_type == "p5.48xlarge");
  CHECK(rules.rules[2].region == "eu-west-1");
}

TEST_CASE("of two rows for a node the newer one wins, whatever their order") {
  const PriceRules rules = csv(kColumns +
                               "2026-09-01,a,,node,metadata.name,,1,\n"
                               "2026-11-01,a,,node,metadata.name,,2,\n");
  REQUIRE(rules.rules.size() == 1);
  CHECK(rules.rules[0].node_hour == usd("2"));
  REQUIRE(rules.gaps.size() == 1);
  CHECK(rules.gaps[0].what == "p.csv:2 is not used");
  CHECK(rules.gaps[0].why == "p.csv:3 picks the same nodes, and wins");
}

TEST_CASE("rows by a provider ID are said to be not used") {
  const PriceRules rules = csv(kColumns + ",i-0,,node,spec.providerID,,1,\n");
  CHECK(rules.rules.empty());
  REQUIRE(rules.gaps.size() == 1);
  CHECK(rules.gaps[0].what == "p.csv:2 and rows like it are not used");
}

TEST_CASE("what is wrong in a file of OpenCost") {
  struct Row {
    std::string text;
    const char* error;
  };
  for (const auto& [text, error] : {
           Row{"", "p.csv:1: the file is empty"},
           Row{"InstanceID,AssetClass,InstanceIDField,MarketPriceHorly\n",
               "p.csv:1: there is no column MarketPriceHourly; a similar one is "
               "`MarketPriceHorly`"},
           Row{"rules:\n",
               "p.csv:1: there is no column InstanceID: OpenCost's price files start "
               "with InstanceID, AssetClass, InstanceIDField, MarketPriceHourly"},
           Row{kColumns + ",a,,disk,metadata.name,,1,",
               "p.csv:2: AssetClass is `disk`; it is node, gpu or pv"},
           Row{kColumns + ",a,,node,metadata.name,,,", "p.csv:2: the row has no MarketPriceHourly"},
           Row{kColumns + ",a,,node,metadata.name", "p.csv:2: the row has no MarketPriceHourly"},
           Row{kColumns + ",a,,node,metadata.name,,-1,", "p.csv:2: MarketPriceHourly is below 0"},
           Row{kColumns + ",a,,gpu,x,,100001,",
               "p.csv:2: MarketPriceHourly is over 100000: `100001`"},
           Row{kColumns + ",a,,gpu,x,,1e5,",
               "p.csv:2: MarketPriceHourly is no amount in USD: `1e5`"},
           Row{kColumns + ",a,,node,,,1,", "p.csv:2: the row has no InstanceIDField"},
           Row{kColumns + ",,,node,metadata.name,,1,", "p.csv:2: the row has no InstanceID"},
           Row{kColumns + "soon,a,,node,metadata.name,,1,",
               "p.csv:2: `soon` is no date such as 2026-11-01"},
           Row{kColumns + ",a,,node,metadata.name,,1,50,1",
               "p.csv:2: the row has 9 cells, and the file 8 columns"},
           Row{"InstanceID,AssetClass,InstanceIDField,MarketPriceHourly,AssetClass\n",
               "p.csv:1: there are two columns AssetClass"},
           Row{kColumns + ",\"a,,node,metadata.name,,1,",
               "p.csv:2: a quote is not closed on its line"},
       })
    CHECK(csv_error(text) == error);
  CHECK(csv_error(std::string(5 << 20, ',')) == "p.csv:1: more than 4 MB");
}

}  // namespace gpu::cost::prices_price_csv_test
