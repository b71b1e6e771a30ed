#pragma once

#include <string>
#include <string_view>

#include "base/environment.hpp"
#include "kube/config/url.hpp"

namespace gpu::kube {

/// What is wrong with a kubeconfig's proxy-url, in kubectl's words; empty: nothing.
std::string proxy_problem(std::string_view proxy_url);

/// A kubeconfig's proxy-url as libcurl takes it: the port always there, socks5:// as socks5h://
/// (in Go the proxy resolves names). Throws Error{config}.
std::string explicit_proxy(std::string_view proxy_url);

/// The proxy that HTTPS_PROXY, HTTP_PROXY and NO_PROXY give for `server`, by the rules of
/// golang.org/x/net/http/httpproxy, as libcurl takes it; empty: none.
/// Throws Error{config} for a scheme that is no proxy's.
std::string environment_proxy(const Url& server, const Environment& environment);

/// `url` with its password left out: what may be shown.
std::string without_password(std::string_view url);

}  // namespace gpu::kube
