#pragma once

#include <set>
#include <string>
#include <vector>

#include "kube/exporters.hpp"
#include "kube/reading.hpp"

namespace gpu::kube {

/// What came of reading one exporter.
struct Scraped {
  Exporter exporter;
  std::size_t devices = 0;  ///< that its text tells of
  std::string problem;      ///< why there are none; empty: all is well
  int status = 0;           ///< of HTTP; 0: no answer
};

/// Reads all `exporters` through the pod proxy into the snapshot: at most 32 in flight, 5 s each,
/// 15 s in all. The answers, in the order given.
std::vector<Scraped> scrape(Reading& reading, const std::vector<Exporter>& exporters);

}  // namespace gpu::kube
