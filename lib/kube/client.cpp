#include "kube/client.hpp"

#include <utility>

#include "kube/fetcher.hpp"

namespace gpu::kube {

struct Client::State {
  Session session;
};

Client::Client(Connection connection, Environment environment, ClientOptions options)
    : state_(std::make_unique<State>(
          State{Session(std::move(connection), std::move(environment), std::move(options))})) {}

Client::~Client() = default;
Client::Client(Client&&) noexcept = default;
Client& Client::operator=(Client&&) noexcept = default;

std::vector<Reply> Client::fetch(const std::vector<Request>& requests) {
  return Fetcher(state_->session, requests).run();
}

Reply Client::fetch(const Request& request) {
  std::vector<Reply> replies = fetch(std::vector<Request>{request});
  return std::move(replies.front());
}

const Connection& Client::connection() const { return state_->session.setup.connection; }

bool Client::was_throttled() const { return state_->session.throttled; }

}  // namespace gpu::kube
