#pragma once

#include <string>
#include <string_view>

namespace gpu {

// Servers echo what they are sent: a refusal may quote the token that it refuses. So every secret
// that this process uses is registered where it is read, and every text that leaves the process
// (an answer, an error, a log, a snapshot) is searched for them. All of it may be called from any
// thread.

/// Registers a token, password or key. Shorter than six characters it is not: it would be found in
/// half of all words.
void register_secret(std::string_view secret);

/// Registers the value of a header that somebody chose. What an object may be called ("team-a",
/// "production") is not: the answer would no longer name the object.
void register_header_value(std::string_view value);

/// Registers each line of the body of a key in PEM.
void register_pem(std::string_view pem);

/// `text` with `<masked>` in place of each registered secret, as it is or as JSON or an URL would
/// write it, and of what stands behind `Bearer` or `Basic` where that is no plain word.
std::string without_secrets(std::string_view text);

}  // namespace gpu
