#include "cmd/cost/price_sources.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/text.hpp"
#include "cost/prices/price_rule.hpp"
#include "kube/config/files.hpp"

namespace gpu::cmd {
namespace {

constexpr const char* kVariable = "KUBECTL_GPU_PRICES";

std::string text_of_file(const std::string& path) {
  const kube::FileContent content = kube::read_file(path);
  if (content.ok()) return content.bytes;
  throw Error(ErrorKind::usage,
              fmt::format("the price file cannot be read: {}", sanitize(content.problem)));
}

}  // namespace

cost::PriceBook price_book(const CostFlags& flags, const Env& env) {
  cost::PriceBook book;
  cost::PriceRules typed;
  for (const std::string& price : flags.prices) typed.rules.push_back(cost::price_flag(price));
  book.add(std::move(typed));
  std::vector<std::string> files = flags.price_files;
  if (files.empty())
    if (const auto file = env.environment.get(kVariable); file && !file->empty())
      files.push_back(*file);
  for (const std::string& file : files)
    book.add(cost::price_file(text_of_file(file), file, env.now()));
  return book;
}

cost::PriceBook usual_prices(const Env& env) { return price_book({}, env); }

}  // namespace gpu::cmd
