// Writes as JSON what the program asks Prometheus: for now, for a window, and for ages.
// Usage: metrics_queries SECONDS OF THE WINDOW
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "telemetry/dialects/queries.hpp"

int main(int argc, char** argv) {
  const long window = argc > 1 ? std::atol(argv[1]) : 0;
  if (window <= 0) return std::fputs("see the head of metrics_queries.cpp\n", stderr), 2;
  const nlohmann::json queries = {
      {"instant", gpu::telemetry::instant_queries()},
      {"window", gpu::telemetry::window_queries(std::chrono::seconds(window))},
      {"age", gpu::telemetry::age_query()},
  };
  return std::puts(queries.dump().c_str()) < 0 ? 1 : 0;
}
