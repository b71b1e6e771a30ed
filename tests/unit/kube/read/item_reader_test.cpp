#include "kube/read/item_reader.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "base/error.hpp"

namespace gpu::kube::read_item_reader_test {

using Catch::Contains;
namespace {

ItemReader reader_of(const std::string& list_kind, int& count) {
  return ItemReader::of_objects(list_kind, [&count](const nlohmann::json&) { ++count; });
}

/// The token of the page after one of `items` that names `token`.
std::string next_after(ItemReader& reader, const std::string& token, int items) {
  std::string text = R"({"kind":"NodeList","metadata":{"continue":")" + token + R"("},"items":[)";
  for (int i = 0; i < items; ++i) text += i == 0 ? "{}" : ",{}";
  reader.start("application/json");
  reader.feed(text + "]}");
  reader.finish();
  return reader.next_page();
}

std::string problem_of(const std::function<void()>& act) {
  try {
    act();
  } catch (const Error& error) {
    return error.message();
  }
  return {};
}

}  // namespace

TEST_CASE("a list has an end: no page is named twice, and few are almost empty") {
  int count = 0;
  ItemReader reader = reader_of("NodeList", count);
  CHECK(next_after(reader, "a", 1) == "a");
  CHECK(next_after(reader, "b", 1) == "b");
  CHECK_THAT(problem_of([&] { next_after(reader, "a", 1); }), Contains("the same next page twice"));
  ItemReader sparse = reader_of("NodeList", count);
  int pages = 0;
  const std::string problem = problem_of([&] {
    for (; pages < 1000; ++pages) next_after(sparse, std::to_string(pages), 1);
  });
  CHECK(pages == 99);
  CHECK_THAT(problem, Contains("100 items came in 100 pages"));
  ItemReader full = reader_of("NodeList", count);
  for (int i = 0; i < 200; ++i) next_after(full, std::to_string(i), 20);
  CHECK(next_after(full, "", 1).empty());
  // The next list of a watch begins anew.
  CHECK(next_after(full, "0", 20) == "0");
}

TEST_CASE("a name of a page that is no token is not sent") {
  int count = 0;
  ItemReader reader = reader_of("NodeList", count);
  CHECK_THAT(problem_of([&] { next_after(reader, std::string(70'000, 't'), 1); }),
             Contains("by 70,000 bytes"));
}

TEST_CASE("more nodes than a cluster has are not read, over all pages") {
  int count = 0;
  ItemReader reader = reader_of("NodeList", count);
  CHECK(next_after(reader, "a", 100'000) == "a");
  CHECK_THAT(problem_of([&] { next_after(reader, "b", 60'000); }),
             Contains("NodeList has more than 150,000 items"));
  CHECK(count == 150'000);
}

TEST_CASE("a Status in place of a list is told with its words") {
  int count = 0;
  ItemReader reader = reader_of("NodeList", count);
  reader.start("application/json");
  reader.feed(R"({"kind":"Status","apiVersion":"v1","status":"Failure","message":"boom"})");
  CHECK(problem_of([&] { reader.finish(); }) ==
        "the API server sent a Status, a NodeList was expected: boom");
  CHECK(count == 0);
}

}  // namespace gpu::kube::read_item_reader_test
