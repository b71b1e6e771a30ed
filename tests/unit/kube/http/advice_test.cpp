#include "kube/http/advice.hpp"

#include <catch2/catch.hpp>

namespace gpu::kube::http_advice_test {

using Catch::Contains;
namespace {

const std::string kServices =
    "services is forbidden: User \"ana\" cannot list resource \"services\" in API group \"\" at "
    "the cluster scope";
const std::string kEvents =
    "events is forbidden: User \"ana\" cannot list resource \"events\" in API group \"\" at the "
    "cluster scope";

}  // namespace

TEST_CASE("a role is known by the server's own sentence") {
  CHECK(names_role(kServices));
  CHECK(names_role("Error from server (Forbidden): " + kServices));
  CHECK_FALSE(names_role("go away"));
  CHECK_FALSE(names_role("x is forbidden: User \"$(id)\" cannot list resource \"x\""));
  CHECK_THAT(role_help(kServices, {}), Contains("--verb=get,list --resource=services"));
  CHECK_THAT(role_help("go away", {}), !Contains("--verb="));
}

TEST_CASE("one role of the name that is given allows all that was refused") {
  CHECK_THAT(role_help({kServices, kEvents}, {}, "kubectl-gpu-all", {}),
             Contains("create clusterrole kubectl-gpu-all --verb=get,list "
                      "--resource=services,events\n"
                      "kubectl create clusterrolebinding kubectl-gpu-all "
                      "--clusterrole=kubectl-gpu-all --user=ana"));
  CHECK_THAT(role_help({kServices}, {"ml"}, "one", {}), Contains("create role one -n ml "));
  CHECK_THAT(role_help({kServices, "go away"}, {}, "one", {}), !Contains("--verb="));
}

}  // namespace gpu::kube::http_advice_test
