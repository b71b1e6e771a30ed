#include <catch2/catch.hpp>

#include "kube/http/client.hpp"
#include "kube/http/server_error.hpp"

namespace http_server_error_test {

using Catch::Contains;
using Catch::StartsWith;
using gpu::Error;
using gpu::ErrorKind;
using gpu::kube::error_of;

namespace {

gpu::kube::Connection lab() {
  gpu::kube::Connection connection;
  connection.server = "https://10.0.0.1:6443";
  connection.context = "lab";
  connection.cluster = "lab-cluster";
  connection.user = "alice-entry";
  return connection;
}

Error of(int status, std::string body) {
  gpu::kube::Reply reply;
  reply.status = status;
  reply.body = std::move(body);
  return error_of(reply, lab());
}

std::string status(int code, const std::string& reason, const std::string& message) {
  return R"({"kind":"Status","apiVersion":"v1","status":"Failure","reason":")" + reason +
         R"(","code":)" + std::to_string(code) + R"(,"message":")" + message + "\"}";
}

}  // namespace

TEST_CASE("401 in kubectl's words, with whose credentials they were") {
  const Error with_status = of(401, status(401, "Unauthorized", "Unauthorized"));
  CHECK(with_status.kind() == ErrorKind::unauthorized);
  CHECK(with_status.message() == "error: You must be logged in to the server (Unauthorized)");
  CHECK_THAT(with_status.help(), Contains("alice-entry") && Contains("context \"lab\"") &&
                                     Contains("cluster \"lab-cluster\"") &&
                                     Contains("https://10.0.0.1:6443"));
  CHECK(of(401, "").message() ==
        "error: You must be logged in to the server (the server has asked for the client to "
        "provide credentials)");
}

TEST_CASE("401 names what was sent where no user of the kubeconfig is") {
  gpu::kube::Reply reply;
  reply.status = 401;
  gpu::kube::Connection connection;
  connection.server = "https://10.0.0.1:6443";
  CHECK_THAT(error_of(reply, connection).help(), StartsWith("no user is configured for server"));
  connection.credentials.token = "secret";
  CHECK_THAT(error_of(reply, connection).help(), StartsWith("the token of --token,"));
  CHECK_THAT(error_of(reply, connection).help(), !Contains("secret"));
  connection.user = "alice";
  CHECK_THAT(error_of(reply, connection).help(), StartsWith("credentials of user \"alice\""));
  connection.flags.token = "secret";
  CHECK_THAT(error_of(reply, connection).help(), StartsWith("the token of --token,"));
  connection.user = "";
  connection.credentials.token_file = "/run/token";
  CHECK_THAT(error_of(reply, connection).help(), StartsWith("the token in /run/token,"));
}

TEST_CASE("403 gives the commands that would allow it") {
  const Error cluster_wide =
      of(403, status(403, "Forbidden",
                     R"(pods is forbidden: User \"jo\" cannot list resource \"pods\" in API group )"
                     R"(\"\" at the cluster scope)"));
  CHECK(cluster_wide.kind() == ErrorKind::forbidden);
  CHECK_THAT(cluster_wide.message(),
             StartsWith("Error from server (Forbidden): pods is forbidden: User \"jo\""));
  CHECK_THAT(
      cluster_wide.help(),
      Contains("\nkubectl create clusterrole kubectl-gpu-pods --verb=get,list --resource=pods\n") &&
          Contains("kubectl create clusterrolebinding kubectl-gpu-pods "
                   "--clusterrole=kubectl-gpu-pods --user=jo"));
  const Error in_namespace =
      of(403,
         status(403, "Forbidden",
                R"(x is forbidden: User \"system:serviceaccount:ci:bot\" cannot get resource )"
                R"(\"resourceslices\" in API group \"resource.k8s.io\" in the namespace \"ml\")"));
  CHECK_THAT(in_namespace.help(),
             Contains("kubectl create role kubectl-gpu-resourceslices -n ml --verb=get "
                      "--resource=resourceslices.resource.k8s.io") &&
                 Contains("--role=kubectl-gpu-resourceslices --serviceaccount=ci:bot"));
}

TEST_CASE("a hostile 403 puts nothing into a command") {
  const Error error =
      of(403, status(403, "Forbidden",
                     R"(User \"jo; rm -rf /\" cannot list resource \"pods\" in API group \"\")"));
  CHECK_THAT(error.help(), !Contains("kubectl create") && !Contains("rm -rf"));
}

TEST_CASE("other refusals of the API server") {
  CHECK(of(404, "404 page not found\n").message() ==
        "Error from server (NotFound): the server could not find the requested resource");
  CHECK_THAT(of(410, status(410, "Expired", "too old")).message(),
             StartsWith("Error from server (Expired): too old"));
  CHECK_THAT(of(429, "Too many requests, please try again later.\n").message(),
             StartsWith("Error from server (TooManyRequests): the server has received too many "
                        "requests and has asked us to try again later"));
  CHECK_THAT(of(503, "service unavailable\n").message(),
             StartsWith("Error from server (ServiceUnavailable): the server is currently unable to "
                        "handle the request"));
  CHECK(of(500, status(500, "", "boom")).message() == "Error from server: boom");
  for (const int code : {404, 410, 429, 500, 503}) CHECK(of(code, "").kind() == ErrorKind::server);
}

TEST_CASE("a page of a proxy is not Kubernetes") {
  const Error error = of(502, "\n <html>Bad Gateway</html>");
  CHECK_THAT(error.message(), Contains("answered 502 with HTML, not Kubernetes"));
  CHECK_THAT(error.help(), Contains("kubectl config get-contexts"));
  CHECK(of(403, "<html>").kind() == ErrorKind::forbidden);
}

TEST_CASE("HTTP on a TLS port") {
  const Error error = of(400, "Client sent an HTTP request to an HTTPS server.\n");
  CHECK_THAT(error.message(), StartsWith("Error from server (BadRequest): "));
  CHECK_THAT(error.help(), Contains("https://"));
}

TEST_CASE("an error of the client's own stays what it is") {
  gpu::kube::Reply reply;
  reply.error = Error(ErrorKind::unreachable, "no route", "go there");
  CHECK(error_of(reply, lab()).message() == "no route");
  CHECK(error_of(reply, lab()).help() == "go there");
}

TEST_CASE("a text of the server is quoted, not repeated whole") {
  const std::string long_text(100'000, 'x');
  CHECK(of(500, long_text).message().size() < 1200);
  CHECK(of(500, status(500, long_text, long_text)).message().size() < 2200);
  CHECK(of(401, status(401, "Unauthorized", long_text)).message().size() < 1200);
  CHECK(of(403, status(403, "Forbidden", long_text)).message().size() < 1200);
}

}  // namespace http_server_error_test
