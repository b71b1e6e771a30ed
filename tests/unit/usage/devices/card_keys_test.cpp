#include "usage/devices/card_keys.hpp"

#include <catch2/catch.hpp>
#include <optional>

namespace gpu::usage::devices_card_keys_test {
namespace {

Sample sample(std::string uuid, std::string address, std::optional<std::int64_t> index) {
  Sample sample{.node = "a", .uuid = std::move(uuid), .index = index};
  sample.pci_bus_id = std::move(address);
  return sample;
}

/// The card that `asked` is of among `others`.
std::string card(const Sample& asked, const std::vector<Sample>& others) {
  std::vector<const Sample*> all{&asked};
  for (const Sample& other : others) all.push_back(&other);
  return CardKeys(all).key_of(asked).card;
}

const std::string kAddress = "00000000:C1:00.0";

}  // namespace

TEST_CASE("a card is named by its UUID, else by its address, else by its index") {
  CHECK(card(sample("GPU-A", kAddress, 1), {}) == "uuid a");
  CHECK(card(sample("", kAddress, 1), {}) == "nvidia pci 0000:c1:00.0");
  CHECK(card(sample("", "", 1), {}) == "nvidia index 1");
  CHECK(card(sample("", "", {}), {}) == "nvidia unnamed ");
}

TEST_CASE("an address or an index that one UUID has stands for that card") {
  const Sample first = sample("GPU-a", kAddress, 1);
  CHECK(card(sample("", kAddress, {}), {first}) == "uuid a");
  CHECK(card(sample("", "", 1), {first}) == "uuid a");
  CHECK(card(sample("", "", 2), {first}) == "nvidia index 2");
  CHECK(card(sample("", "", 1), {first, sample("GPU-b", "", 1)}) == "nvidia index 1");
  CHECK(card(sample("", kAddress, {}), {first, sample("GPU-b", kAddress, {})}) ==
        "nvidia pci 0000:c1:00.0");
}

TEST_CASE("a card at another address is not the one whose UUID has its index") {
  const Sample here = sample("", "0000:41:00.0", 1);
  CHECK(card(here, {sample("GPU-a", kAddress, 1)}) == "nvidia pci 0000:41:00.0");
  CHECK(card(here, {sample("GPU-a", "", 1)}) == "uuid a");
}

TEST_CASE("an index without a UUID is the card of the one address it has") {
  const Sample here = sample("", kAddress, 1);
  CHECK(card(sample("", "", 1), {here}) == "nvidia pci 0000:c1:00.0");
  CHECK(card(sample("", "", 1), {here, sample("", "0000:41:00.0", 1)}) == "nvidia index 1");
  CHECK(card(sample("", "", {}), {here}) == "nvidia unnamed ");
}

TEST_CASE("cards of two makers are two") {
  Sample amd = sample("", "", 1);
  amd.vendor = Vendor::amd;
  CHECK(card(amd, {sample("GPU-a", "", 1)}) == "amd index 1");
}

TEST_CASE("addresses are compared with a domain of four digits, in lower case") {
  CHECK(pci_key("00000000:C1:00.0") == "0000:c1:00.0");
  CHECK(pci_key("0000:c1:00.0") == "0000:c1:00.0");
  CHECK(pci_key("00010000:C1:00.0") == "10000:c1:00.0");
  CHECK(pci_key("000:c1:00.0") == "000:c1:00.0");
  CHECK(pci_key("00000000") == "00000000");
}

}  // namespace gpu::usage::devices_card_keys_test
