#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "kube/config/connection.hpp"

namespace gpu::kube {

/// `context "lab", cluster "lab", server https://10.0.0.1:6443`: which kubeconfig entries an error
/// is about; names that are not known are left out.
std::string described(const Connection& connection);

/// `tried context "lab", ...` and the proxy, if there is one.
std::string tried(const Connection& connection);

/// Help for a server that does not answer: what was tried, VPN, another context.
std::string reach_help(const Connection& connection, std::string_view first = {});

/// Help for 403: the role that is missing, from the server's own sentence
/// (`pods is forbidden: User "x" cannot list resource "pods" in API group "" at the cluster
/// scope`), as commands for whoever administers the cluster.
std::string role_help(std::string_view message, const Connection& connection);

/// A server's message, cut to 1,000 bytes so that it fits in a line.
std::string quotation(std::string_view text);

/// Whether role_help() has commands for `message`; otherwise it can only refer to an administrator.
bool names_role(std::string_view message);

/// The same for several kinds that are refused at once, for reading one or a list of them: one role
/// called `name`, in the only namespace of `namespaces` or in all.
std::string role_help(const std::vector<std::string>& messages,
                      const std::set<std::string>& namespaces, const std::string& name,
                      const Connection& connection);

/// Adds help to a decoder's Error{data}: the decoder does not know which server sent the answer.
/// Other errors are returned unchanged.
Error with_origin(const Error& error, const Connection& connection);

}  // namespace gpu::kube
