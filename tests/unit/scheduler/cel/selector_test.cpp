#include "scheduler/cel/selector.hpp"

#include <catch2/catch.hpp>
#include <string>

namespace cel_selector_test {

namespace {

using gpu::AttributeType;
using gpu::Device;
using gpu::Quantity;
using gpu::scheduler::CelOutcome;
using gpu::scheduler::CelSelector;

Device card() {
  Device device{.name = "gpu-0"};
  device.attributes = {{"type", "gpu"},
                       {"productName", "NVIDIA H100"},
                       {"index", "3"},
                       {"healthy", "true"},
                       {"driverVersion", "560.35.3"},
                       {"resource.kubernetes.io/pcieRoot", "pci0000:17"}};
  device.attribute_types = {{"index", AttributeType::integer},
                            {"healthy", AttributeType::boolean},
                            {"driverVersion", AttributeType::version}};
  device.capacity = {{"memory", *Quantity::parse("80Gi")}};
  return device;
}

/// "yes", "no", "not checked", or the error. `own` stands for the driver's attributes.
std::string asked(std::string expression) {
  for (std::size_t at = expression.find("own."); at != std::string::npos;
       at = expression.find("own.", at + 1))
    expression.replace(at, 4, "device.attributes['gpu.nvidia.com'].");
  const Device device = card();
  const CelOutcome outcome = CelSelector(expression).evaluate({"gpu.nvidia.com", device});
  switch (outcome.kind) {
    case CelOutcome::Kind::yes:
      return "yes";
    case CelOutcome::Kind::no:
      return "no";
    case CelOutcome::Kind::error:
      return outcome.text;
    case CelOutcome::Kind::not_checked:
      return "not checked";
  }
  return {};
}

}  // namespace

TEST_CASE("selectors look at driver, attributes and capacity") {
  CHECK(asked("device.driver == 'gpu.nvidia.com' && own.type == 'gpu'") == "yes");
  CHECK(asked("own.type == 'mig'") == "no");
  CHECK(asked("device.attributes['resource.kubernetes.io'].pcieRoot == 'pci0000:17'") == "yes");
  CHECK(asked("device.capacity['gpu.nvidia.com'].memory.compareTo(quantity('40Gi')) > 0") == "yes");
  CHECK(asked("own.driverVersion.isLessThan(semver('560.35.4'))") == "yes");
  CHECK(asked("own.index < 5 && own.healthy") == "yes");
}

TEST_CASE("a missing key is a run-time error, unless the other side decides") {
  CHECK(asked("own.missing == 1") == "no such key: missing");
  CHECK(asked("own.missing == 1 || true") == "yes");
  CHECK(asked("true || own.missing == 1") == "yes");
  CHECK(asked("own.missing == 1 && false") == "no");
  CHECK(asked("own.missing == 1 && true") == "no such key: missing");
  CHECK(asked("own.missing == 1 && own.gone == 1") == "no such key: missing");
  CHECK(asked("has(own.missing) && own.missing == 1") == "no");
  CHECK(asked("'type' in device.attributes['gpu.nvidia.com']") == "yes");
  CHECK(asked("'x' in device.attributes['no.such']") == "no");
}

TEST_CASE("values of two types are not equal, and have no order") {
  CHECK(asked("own.index == '3'") == "no");
  CHECK(asked("own.driverVersion == '560.35.3'") == "no such overload");
  CHECK(asked("own.driverVersion != '560.35.3'") == "yes");
  CHECK(asked("own.type < 5") == "no such overload");
  CHECK(asked("own.driverVersion < 5") == "no such overload: _<_");
  CHECK(asked("own.driverVersion.isLessThan(quantity('1'))") ==
        "no such overload: isLessThan(kubernetes.Semver, kubernetes.Quantity)");
  CHECK(asked("own.type && true") == "no such overload");
}

TEST_CASE("strings, lists, arithmetic, bindings") {
  CHECK(asked("own.productName.lowerAscii().matches('h[12]00$')") == "yes");
  CHECK(asked("own.productName.startsWith('NVIDIA') && own.productName.contains('H1')") == "yes");
  CHECK(asked("own.type in ['gpu', 'mig'] && !(own.index in [1, 2])") == "yes");
  CHECK(asked("['H100', 'H200'].exists(m, own.productName.endsWith(m))") == "yes");
  CHECK(asked("cel.bind(a, device.attributes['gpu.nvidia.com'], a.type == 'gpu')") == "yes");
  CHECK(asked("cel.bind(a, own.missing, true)") == "yes");
  CHECK(asked("1 + 2 * 3 - 4 % 3 == 6 && -7 / 2 == -3") == "yes");
  CHECK(asked("own.index * 9223372036854775807 == 1") == "integer overflow");
  CHECK(asked("own.index / 0 == 1") == "division by zero");
  CHECK(asked("'\\u0041' + r'\\n' == 'A\\\\n'") == "yes");
  CHECK(asked("own.index > 2 ? own.healthy : own.missing") == "yes");
}

TEST_CASE("what is not understood is said to be, never guessed") {
  for (const char* expression :
       {"", "(", "own.", "1.5 < 2.0", "{'a': 1}['a'] == 1", "own.?type == 'gpu'",
        "own.productName.split(' ')[1] == 'H100'", "type(own.index) == int", "b'a' == b'a'",
        "own.driverVersion in ['560.35.3']", "own.type.matches('(')", "unknown == 1"})
    CHECK(asked(expression) == "not checked");
}

TEST_CASE("a version that is looked for in a list makes all of the expression not understood") {
  CHECK(asked("own.driverVersion in ['560.35.3'] || true") == "not checked");
  CHECK(asked("own.driverVersion in device.attributes['gpu.nvidia.com'] || true") == "yes");
}

TEST_CASE("deep and long expressions are given up") {
  std::string deep;
  for (int i = 0; i < 3000; ++i) deep += "(";
  CHECK(asked(deep) == "not checked");
  CHECK(asked(std::string(200, '(') + "true" + std::string(200, ')')) == "not checked");
  CHECK(asked(std::string(20'000, ' ') + "true") == "not checked");
  std::string chain = "1";
  for (int i = 0; i < 3000; ++i) chain += "+1";
  CHECK(asked(chain + " == 3001") == "not checked");
}

TEST_CASE("lists that double again and again are given up") {
  const auto doubled = [](int times) {
    std::string expression;
    for (int i = 0; i < times; ++i) {
      const std::string inner = i == 0 ? "1" : "v" + std::to_string(i - 1);
      expression += "cel.bind(v" + std::to_string(i) + ", [" + inner + ", " + inner + "], ";
    }
    const std::string last = "v" + std::to_string(times - 1);
    return expression + last + " == " + last + std::string(static_cast<std::size_t>(times), ')');
  };
  CHECK(asked(doubled(5)) == "yes");
  CHECK(asked(doubled(40)) == "not checked");
}

TEST_CASE("expressions that loop are given up when they took too much together") {
  const gpu::Device device{.name = "0"};
  const gpu::scheduler::CelDevice asked_of{"gpu.nvidia.com", device};
  std::string numbers = "[0";
  for (int i = 1; i < 100; ++i) numbers += ", " + std::to_string(i);
  numbers += "]";
  const gpu::scheduler::CelSelector loop(numbers + ".all(a, " + numbers +
                                         ".exists(b, a + b > 50))");
  const gpu::scheduler::CelSelector plain("device.driver == 'gpu.nvidia.com'");
  using Kind = gpu::scheduler::CelOutcome::Kind;
  gpu::scheduler::CelEffort effort;
  CHECK(loop.evaluate(asked_of, effort).kind == Kind::yes);
  const std::int64_t once = effort.steps;
  CHECK(once > 1'000);
  CHECK(plain.evaluate(asked_of, effort).kind == Kind::yes);
  CHECK(effort.steps == once);
  effort.steps = 1'000'000'000;
  CHECK(loop.evaluate(asked_of, effort).kind == Kind::not_checked);
  CHECK(plain.evaluate(asked_of, effort).kind == Kind::yes);
}

TEST_CASE("what may be missing is asked for with a question mark") {
  CHECK(asked("own.?index.orValue(5) > 4") == "no");
  CHECK(asked("own.?missing.orValue(5) > 4") == "yes");
  CHECK(asked("device.attributes[?'no.such'].type.hasValue()") == "no");
  CHECK(asked("own.?missing.or(own.?index).orValue(0) == 3") == "yes");
  CHECK(asked("own.?index.orValue(own.missing) == 3") == "yes");
  CHECK(asked("own.?missing.value() == 3") == "optional.none() dereference");
}

}  // namespace cel_selector_test
