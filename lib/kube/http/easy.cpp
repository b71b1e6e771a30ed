#include "kube/http/easy.hpp"

#include <string_view>

namespace gpu::kube {
namespace {

/// Copied, as credentials may be renewed while a request is under way.
void set_blob(const Easy& easy, CURLoption option, const std::string& text) {
  curl_blob blob{};
  blob.data = const_cast<char*>(text.data());  // NOLINT(*-const-cast): libcurl only reads it
  blob.len = text.size();
  blob.flags = CURL_BLOB_COPY;
  set_option(easy, option, &blob);
}

void set_path(const Easy& easy, CURLoption option, const std::string& path) {
  set_option(easy, option, path.empty() ? nullptr : path.c_str());
}

/// The kubeconfig's authorities replace the system's; an https proxy is held to the same ones, as
/// in Go, where one TLS configuration serves both.
void set_roots(const Easy& easy, const RequestSetup& setup) {
  const std::string& pem =
      setup.connection.ca_pem.empty() ? setup.roots.pem : setup.connection.ca_pem;
  if (!pem.empty()) {
    set_blob(easy, CURLOPT_CAINFO_BLOB, pem);
    set_blob(easy, CURLOPT_PROXY_CAINFO_BLOB, pem);
    // Debian's libcurl has a default folder that would be added.
    set_option(easy, CURLOPT_CAPATH, static_cast<const char*>(nullptr));
    set_option(easy, CURLOPT_PROXY_CAPATH, static_cast<const char*>(nullptr));
    return;
  }
  set_path(easy, CURLOPT_CAINFO, setup.roots.file);
  set_path(easy, CURLOPT_CAPATH, setup.roots.folder);
  set_path(easy, CURLOPT_PROXY_CAINFO, setup.roots.file);
  set_path(easy, CURLOPT_PROXY_CAPATH, setup.roots.folder);
}

void set_tls(const Easy& easy, const RequestSetup& setup) {
  set_option(easy, CURLOPT_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2));
  set_option(easy, CURLOPT_PROXY_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2));
  set_roots(easy, setup);
  const bool verify = setup.connection.verify_tls;
  set_option(easy, CURLOPT_SSL_VERIFYPEER, verify ? 1L : 0L);
  set_option(easy, CURLOPT_SSL_VERIFYHOST, verify ? 2L : 0L);
  set_option(easy, CURLOPT_PROXY_SSL_VERIFYPEER, verify ? 1L : 0L);
  set_option(easy, CURLOPT_PROXY_SSL_VERIFYHOST, verify ? 2L : 0L);
  if (!setup.credentials.client_certificate_pem.empty()) {
    set_blob(easy, CURLOPT_SSLCERT_BLOB, setup.credentials.client_certificate_pem);
    set_blob(easy, CURLOPT_SSLKEY_BLOB, setup.credentials.client_key_pem);
    set_option(easy, CURLOPT_SSLCERTTYPE, "PEM");
    set_option(easy, CURLOPT_SSLKEYTYPE, "PEM");
  }
}

void set_route(const Easy& easy, const RequestSetup& setup, const StringList& connect_to) {
  set_option(easy, CURLOPT_PROTOCOLS_STR, "http,https");
  // Always both: the environment was resolved by Go's rules already, and libcurl's NO_PROXY would
  // undo the kubeconfig's proxy-url.
  set_option(easy, CURLOPT_PROXY, setup.connection.proxy.c_str());
  set_option(easy, CURLOPT_NOPROXY, "");
  set_option(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
  if (connect_to) set_option(easy, CURLOPT_CONNECT_TO, connect_to.get());
  set_option(easy, CURLOPT_FOLLOWLOCATION, 0L);
  set_option(easy, CURLOPT_PATH_AS_IS, 1L);
}

}  // namespace

StringList string_list(const std::vector<std::string>& entries) {
  StringList list;
  for (const std::string& entry : entries) {
    curl_slist* const longer = curl_slist_append(list.get(), entry.c_str());
    if (longer == nullptr) throw Error(ErrorKind::internal, "out of memory");
    static_cast<void>(list.release());
    list.reset(longer);
  }
  return list;
}

Easy connected_handle(const RequestSetup& setup, const StringList& connect_to, const Share& share) {
  Easy easy(curl_easy_init());
  if (!easy) throw Error(ErrorKind::internal, "libcurl could not start");
  set_option(easy, CURLOPT_NOSIGNAL, 1L);
  // Else a cancelled request waits for the resolver's thread.
  set_option(easy, CURLOPT_QUICK_EXIT, 1L);
  // For one big list HTTP/1.1 was 30 % faster than HTTP/2, for many small ones the same.
  set_option(easy, CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
  set_option(easy, CURLOPT_TCP_KEEPALIVE, 1L);
  set_option(easy, CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(setup.connect_timeout.count()));
  set_option(easy, CURLOPT_SHARE, share.get());
  if (setup.connection.compression) set_option(easy, CURLOPT_ACCEPT_ENCODING, "gzip");
  set_route(easy, setup, connect_to);
  if (setup.endpoint.tls || setup.connection.proxy.starts_with("https")) set_tls(easy, setup);
  return easy;
}

}  // namespace gpu::kube
