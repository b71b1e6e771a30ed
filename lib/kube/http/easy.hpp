#pragma once

#include <curl/curl.h>

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "kube/auth/credentials.hpp"
#include "kube/http/endpoint.hpp"
#include "kube/http/headers.hpp"
#include "kube/http/request.hpp"
#include "kube/http/trust.hpp"

namespace gpu::kube {

/// The deleter for libcurl's handles.
struct EasyCleanup {
  void operator()(CURL* handle) const { curl_easy_cleanup(handle); }
};
struct MultiCleanup {
  void operator()(CURLM* handle) const { curl_multi_cleanup(handle); }
};
struct ShareCleanup {
  void operator()(CURLSH* handle) const { curl_share_cleanup(handle); }
};
struct ListCleanup {
  void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};
/// libcurl's handles, each owned.
using Easy = std::unique_ptr<CURL, EasyCleanup>;
using Multi = std::unique_ptr<CURLM, MultiCleanup>;
using Share = std::unique_ptr<CURLSH, ShareCleanup>;
using StringList = std::unique_ptr<curl_slist, ListCleanup>;

/// What every request of a client has in common.
struct RequestSetup {
  Connection connection;
  Endpoint endpoint;
  SystemRoots roots;
  ResolvedCredentials credentials;
  std::vector<Header> headers;  ///< all but Accept and Accept-Encoding
  std::chrono::milliseconds connect_timeout{};
};

/// A list for libcurl. Throws Error{internal} when memory runs out.
StringList string_list(const std::vector<std::string>& entries);

/// A handle with everything set that does not differ from request to request: TLS, certificates,
/// proxy, where to connect, limits. `connect_to` and `share` have to outlive it. Throws
/// Error{internal} when libcurl does not know an option.
Easy connected_handle(const RequestSetup& setup, const StringList& connect_to, const Share& share);

/// curl_easy_setopt that throws Error{internal} instead of failing unseen.
template <typename Value>
void set_option(const Easy& easy, CURLoption option, Value value) {
  const CURLcode code = curl_easy_setopt(easy.get(), option, value);
  if (code != CURLE_OK)
    throw Error(ErrorKind::internal, "libcurl does not take option " + std::to_string(option) +
                                         ": " + curl_easy_strerror(code));
}

}  // namespace gpu::kube
