#pragma once

#include <string>

#include "base/error.hpp"

namespace gpu::decode {

/// The message of the Error{data} that `run` throws; "no error" when it throws none.
template <class Run>
std::string error_of(Run run) {
  try {
    run();
  } catch (const Error& error) {
    return error.kind() == ErrorKind::data ? error.message() : "another kind: " + error.message();
  }
  return "no error";
}

}  // namespace gpu::decode
