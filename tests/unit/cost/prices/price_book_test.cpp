#include "cost/prices/price_book.hpp"

#include <catch2/catch.hpp>

#include "cost/prices/priced.hpp"

namespace gpu::cost::prices_price_book_test {
namespace {

PriceBook flags(const std::vector<std::string_view>& texts) {
  PriceBook book;
  for (const std::string_view text : texts) book.add({.rules = {price_flag(text)}, .gaps = {}});
  return book;
}

PriceBook file(std::string_view rules) {
  PriceBook book;
  book.add(price_file("rules:\n" + std::string(rules), "p.yaml"));
  return book;
}

const PriceBook kTable;

}  // namespace

TEST_CASE("the table prices an instance type in its region") {
  CHECK(told(kTable, aws("p4d.24xlarge")) == "21957642000 table [aws p4d.24xlarge us-east-1]");
  CHECK(told(kTable, aws("P4D.24XLARGE")) == "21957642000 table [aws p4d.24xlarge us-east-1]");
  const NodePrice price = kTable.price(aws("p4d.24xlarge").node());
  CHECK(price.cards == 8);
  CHECK(price.as_of == parse_time("2026-07-20T00:00:00Z"));
  CHECK(price.capacity.evidence == "karpenter.sh/capacity-type=on-demand");
}

TEST_CASE("among rules by labels the first in the file wins, whatever the labels are called") {
  const PriceBook book = file(
      "- {labels: {z: '1'}, nodePerHour: 1}\n"
      "- {labels: {a: '1'}, nodePerHour: 2}\n"
      "- {labels: {a: '2', z: '1'}, nodePerHour: 3}\n");
  Asked asked;
  asked.labels = {{"a", "1"}, {"z", "1"}};
  CHECK(told(book, asked) == "1000000000 file [p.yaml:2]");
  asked.labels = {{"a", "1"}};
  CHECK(told(book, asked) == "2000000000 file [p.yaml:3]");
  asked.labels = {{"a", "2"}, {"z", "2"}};
  CHECK(told(book, asked) == "- none []");
}

TEST_CASE("a rule by a product's label picks its slices and shares, too") {
  const PriceBook book =
      file("- {labels: {nvidia.com/gpu.product: NVIDIA-L4, a: '1'}, nodePerHour: 1}\n");
  Asked asked;
  asked.labels = {{"a", "1"}, {"nvidia.com/gpu.product", "NVIDIA-L4-SHARED"}};
  CHECK(told(book, asked) == "1000000000 file [p.yaml:2]");
}

TEST_CASE("without a provider ID the type's name is enough") {
  Asked asked = aws("g4dn.xlarge");
  asked.provider_id.clear();
  CHECK(told(kTable, asked) == "526000000 table [aws g4dn.xlarge us-east-1]");
  asked.provider_id = "kwok://gpu-a1";
  CHECK(told(kTable, asked) == "526000000 table [aws g4dn.xlarge us-east-1]");
  asked.provider_id = "gce://project/us-east1-b/gpu-a1";
  CHECK(told(kTable, asked) == "- none []");
}

TEST_CASE("another region's price is an estimate, and so is one for an unknown region") {
  Asked asked = aws("g4dn.xlarge");
  asked.labels.set(kRegion, "eu-west-1");
  CHECK(told(kTable, asked) == "526000000 other-region [aws g4dn.xlarge us-east-1] estimate");
  asked.labels = {{kType, "g4dn.xlarge"}};
  CHECK(told(kTable, asked) == "526000000 table [aws g4dn.xlarge us-east-1]");  // by its zone
  asked.provider_id.clear();
  CHECK(told(kTable, asked) == "526000000 other-region [aws g4dn.xlarge us-east-1] estimate");
  const Asked everywhere{.labels = {{kType, "BM.GPU.H100.8"}}, .provider_id = "ocid1.instance.x"};
  CHECK(told(kTable, everywhere) == "80000000000 table [oci BM.GPU.H100.8 global]");
}

TEST_CASE("spot capacity has the spot price, or at most the on-demand price") {
  CHECK(told(kTable, aws("p4d.24xlarge", "spot")) ==
        "8000100000 table [aws p4d.24xlarge us-east-1 spot] estimate");
  CHECK_FALSE(kTable.price(aws("p4d.24xlarge", "spot").node()).as_of);
  CHECK(told(kTable, aws("g5.xlarge", "spot")) ==
        "1006000000 table [aws g5.xlarge us-east-1] bound");
  CHECK(told(kTable, aws("g5.xlarge", "reserved")) == "1006000000 table [aws g5.xlarge us-east-1]");
  const Asked gcp{.labels = {{kType, "g2-standard-4"},
                             {kRegion, "us-central1"},
                             {"cloud.google.com/gke-spot", "true"}}};
  CHECK(told(kTable, gcp) == "397336000 table [gcp g2-standard-4 us-central1 spot]");
  CHECK(kTable.price(gcp.node()).as_of == parse_time("2026-08-03T00:00:00Z"));
}

TEST_CASE("a slice of a GPU counts as one") {
  const NodePrice price = kTable.price(aws("g6f.large").node());
  CHECK(told(price) == "202000000 table [aws g6f.large us-east-1]");
  CHECK(price.cards == 1);
  Asked asked = aws("g6f.large");
  asked.cards = 0;  // as EC2 says
  CHECK(told(flags({"L4=0.1"}), asked) == "100000000 flag [--price L4=0.1]");
}

TEST_CASE("an unknown instance type has no price, and no zero") {
  CHECK(told(kTable, aws("p9.48xlarge")) == "- none []");
  CHECK(told(kTable, Asked{.labels = {}}) == "- none []");
  const Asked crusoe{.labels = {{kType, "H100-SXM-80GB"}}};
  CHECK(told(kTable, crusoe) == "- none []");
  const Asked tpu{.labels = {{kType, "tpu-v6e-4"}}};
  CHECK(told(kTable, tpu) == "- none []");
}

TEST_CASE("an N1 host costs itself and its GPUs") {
  Asked asked{.labels = {{kType, "n1-standard-8"},
                         {kRegion, "us-central1"},
                         {"cloud.google.com/gke-accelerator", "nvidia-tesla-t4"}},
              .provider_id = "gce://p/us-central1-a/gpu-a1"};
  CHECK(told(kTable, asked) ==
        "- none ["
        "]");
  asked.cards = 2;
  CHECK(told(kTable, asked) ==
        "1079998000 table [gcp n1-standard-8 us-central1 + 2 x nvidia-tesla-t4]");
  CHECK_FALSE(kTable.price(asked.node()).as_of);
  CHECK_FALSE(kTable.price(asked.node()).cards);
  asked.labels.set("cloud.google.com/gke-spot", "true");
  CHECK(told(kTable, asked) ==
        "484020000 table [gcp n1-standard-8 us-central1 spot + 2 x nvidia-tesla-t4]");
  asked.labels = {{kType, "n1-standard-8"}, {kRegion, "us-central1"}};
  asked.product = "Tesla-V100-SXM2-16GB";
  asked.cards = 1;
  CHECK(told(kTable, asked) ==
        "2859998000 table [gcp n1-standard-8 us-central1 + 1 x nvidia-tesla-v100]");
  asked.product.clear();
  asked.cards.reset();
  CHECK(told(kTable, asked) == "379998000 table [gcp n1-standard-8 us-central1]");
}

TEST_CASE("a model that no type tells has the median of the providers") {
  Asked asked{
      .labels = {{kType, "hgx-a100"}}, .product = "NVIDIA-A100-SXM4-80GB-SHARED", .cards = 4};
  // aws 3.430881, gcp 5.068798, azure 4.09625, oci 4, lambda 2.79, coreweave 2.7, crusoe 2.3
  CHECK(told(kTable, asked) ==
        "13723525000 model [median of 7 providers for A100-SXM4-80GB] estimate");
  asked.labels.set(kCapacity, "spot");
  CHECK(told(kTable, asked) ==
        "13723525000 model [median of 7 providers for A100-SXM4-80GB] estimate bound");
  asked.cards.reset();
  CHECK(told(kTable, asked) == "- none []");
  const Asked sold_by_reservation{.labels = {{kType, "a4-highgpu-8g"}, {kRegion, "us-central1"}},
                                  .provider_id = "gce://p/us-central1-a/x"};
  const NodePrice price = kTable.price(sold_by_reservation.node());
  CHECK(price.source == PriceSource::model);
  CHECK(price.cards == 8);
}

TEST_CASE("a flag wins over a file, a file over an annotation, an annotation over the table") {
  Asked asked = aws("p4d.24xlarge");
  asked.annotations = {{"kubectl-gpu/price-per-hour", "20.5"}};
  CHECK(told(kTable, asked) == "20500000000 annotation [annotation kubectl-gpu/price-per-hour]");
  PriceBook book = file("- {instanceType: p4d.24xlarge, nodePerHour: 19.00}\n");
  CHECK(told(book, asked) == "19000000000 file [p.yaml:2]");
  book.add({.rules = {price_flag("2.5")}, .gaps = {}});
  CHECK(told(book, asked) == "20000000000 flag [--price 2.5]");
}

TEST_CASE("annotations and labels with a price") {
  Asked asked = aws("p4d.24xlarge");
  asked.labels.set("eks-node-viewer/instance-price", "17.25");
  CHECK(told(kTable, asked) == "17250000000 annotation [label eks-node-viewer/instance-price]");
  asked.annotations = {{"eks-node-viewer/instance-price", "16"}};
  CHECK(told(kTable, asked) ==
        "16000000000 annotation [annotation eks-node-viewer/instance-price]");
  for (const char* const wrong : {"-3", "much", "1e3", "", "10000001", "NaN"}) {
    CAPTURE(wrong);
    asked = aws("p4d.24xlarge");
    asked.annotations = {{"kubectl-gpu/price-per-hour", wrong}};
    CHECK(told(kTable, asked) == "21957642000 table [aws p4d.24xlarge us-east-1]");
  }
  asked.annotations = {{"kubectl-gpu/price-per-hour", "0"}};  // owned, and free
  CHECK(told(kTable, asked) == "0 annotation [annotation kubectl-gpu/price-per-hour]");
  CHECK(told(kTable, {.labels = {}, .annotations = asked.annotations}) ==
        "0 annotation [annotation kubectl-gpu/price-per-hour]");
}

TEST_CASE("among rules of a file node, labels, instance type and model win in this order") {
  Asked asked = aws("p4d.24xlarge");
  asked.labels.set("pool", "reserved");
  asked.product = "NVIDIA-A100-SXM4-40GB";
  std::string rules = "- {model: A100, gpuPerHour: 1}\n";
  CHECK(told(file(rules), asked) == "8000000000 file [p.yaml:2]");
  rules += "- {instanceType: P4D.24xlarge, nodePerHour: 7}\n";
  CHECK(told(file(rules), asked) == "7000000000 file [p.yaml:3]");
  rules += "- {labels: {pool: reserved}, nodePerHour: 6}\n";
  CHECK(told(file(rules), asked) == "6000000000 file [p.yaml:4]");
  rules += "- {node: gpu-a1, nodePerHour: 5}\n";
  CHECK(told(file(rules), asked) == "5000000000 file [p.yaml:5]");
  rules += "- {node: gpu-a1, region: us-east-1, nodePerHour: 4}\n";
  CHECK(told(file(rules), asked) == "5000000000 file [p.yaml:5]");  // the first
  asked.name = "gpu-a2";
  CHECK(told(file(rules), asked) == "6000000000 file [p.yaml:4]");
}

TEST_CASE("a node is all that a rule says of it") {
  const PriceBook book = file(
      "- {instanceType: p4d.24xlarge, region: eu-west-1, nodePerHour: 9}\n"
      "- {instanceType: p4d.24xlarge, labels: {pool: a, team: b}, nodePerHour: 8}\n"
      "- {model: H100, labels: {pool: a}, nodePerHour: 7}\n"
      "- {instanceType: p4d.24xlarge, region: US-EAST-1, nodePerHour: 6}\n");
  Asked asked = aws("p4d.24xlarge");
  asked.labels.set("pool", "a");
  CHECK(told(book, asked) == "6000000000 file [p.yaml:5]");
  asked.labels.set("team", "b");
  CHECK(told(book, asked) == "8000000000 file [p.yaml:3]");
}

TEST_CASE("a GPU price is for all GPUs that the node has or was sold with") {
  const PriceBook book = flags({"2"});
  Asked asked = aws("p4d.24xlarge");
  asked.cards = 7;  // one has failed
  CHECK(told(book, asked) == "16000000000 flag [--price 2]");
  asked = {.labels = {}, .cards = 7};
  CHECK(told(book, asked) == "14000000000 flag [--price 2]");
  asked.cards.reset();
  CHECK(told(book, asked) == "- none []");
}

TEST_CASE("spot capacity and prices of the user") {
  Asked asked = aws("p4d.24xlarge", "spot");
  asked.product = "NVIDIA-A100-SXM4-40GB";
  const std::string type = "- {instanceType: p4d.24xlarge, nodePerHour: 9";
  CHECK(told(file(type + "}\n"), asked) == "9000000000 file [p.yaml:2] bound");
  CHECK(told(file(type + ", nodePerHourSpot: 3}\n"), asked) == "3000000000 file [p.yaml:2]");
  CHECK(told(file("- {model: A100, gpuPerHour: 1}\n"), asked) ==
        "8000000000 file [p.yaml:2] bound");
  CHECK(told(file("- {model: A100, gpuPerHour: 1, gpuPerHourSpot: 0.5}\n"), asked) ==
        "4000000000 file [p.yaml:2]");
  CHECK(told(file("- {node: gpu-a1, nodePerHour: 9}\n"), asked) == "9000000000 file [p.yaml:2]");
  CHECK(told(flags({"A100=1"}), asked) == "8000000000 flag [--price A100=1]");
  const PriceBook spot_only = file("- {model: A100, gpuPerHourSpot: 0.5}\n");
  CHECK(told(spot_only, asked) == "4000000000 file [p.yaml:2]");
  CHECK(told(spot_only, aws("p4d.24xlarge")) == "21957642000 table [aws p4d.24xlarge us-east-1]");
}

TEST_CASE("models are called as people and labels call them") {
  const auto price_of = [](std::string_view rule, std::string product,
                           std::optional<std::int64_t> memory = {}) {
    const Asked asked{
        .labels = {}, .product = std::move(product), .memory_mib = memory, .cards = 1};
    return flags({std::string(rule) + "=2"}).price(asked.node()).source == PriceSource::flag;
  };
  CHECK(price_of("H100", "NVIDIA-H100-80GB-HBM3"));
  CHECK(price_of("h100", "NVIDIA-H100-PCIe"));
  CHECK(price_of("H100-80G", "NVIDIA-H100-80GB-HBM3"));  // as we print it
  CHECK(price_of("A100", "NVIDIA-A100-SXM4-40GB-MIG-1g.5gb", 4864));
  CHECK(price_of("L4", "NVIDIA-L4-SHARED"));
  CHECK(price_of("A100-80GB", "A100", 81920));
  CHECK_FALSE(price_of("A100-80GB", "A100", 40960));
  CHECK_FALSE(price_of("L4", "NVIDIA-L40"));
  CHECK(price_of("RTX-3090", "NVIDIA-GeForce-RTX-3090"));  // in no table
  CHECK_FALSE(price_of("RTX-309", "NVIDIA-GeForce-RTX-3090"));
  CHECK(price_of("A100", "NVIDIA-A100-120GB-custom"));
}

TEST_CASE("among flags a node wins over a type, a type over a model, a model over all") {
  Asked asked = aws("p4d.24xlarge");
  asked.product = "NVIDIA-A100-SXM4-40GB";
  CHECK(told(flags({"9", "A100=2", "type/p4d.24xlarge=7", "node/gpu-a1=6"}), asked) ==
        "6000000000 flag [--price node/gpu-a1=6]");
  CHECK(told(flags({"9", "A100=2", "type/p4d.24xlarge=7"}), asked) ==
        "7000000000 flag [--price type/p4d.24xlarge=7]");
  CHECK(told(flags({"9", "A100=2"}), asked) == "16000000000 flag [--price A100=2]");
  CHECK(told(flags({"9", "3"}), asked) == "72000000000 flag [--price 9]");
  CHECK(flags({"H1000=2"}).gaps().at(0).help == "a similar one is `H100`");
}

}  // namespace gpu::cost::prices_price_book_test
