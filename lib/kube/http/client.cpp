#include "kube/http/client.hpp"

#include <utility>

#include "kube/http/fetcher.hpp"

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
  // Everything that matters wakes us before; this is for what does not.
  constexpr std::chrono::milliseconds kLongestSleep{1000};
  Fetcher fetcher(state_->session);
  for (const Request& request : requests) fetcher.add(request);
  std::vector<Reply> replies(requests.size());
  const auto take = [&] {
    for (Fetcher::Outcome& outcome : fetcher.take_outcomes())
      replies[outcome.number] = std::move(outcome.reply);
  };
  while (!fetcher.is_idle()) {
    fetcher.turn(kLongestSleep);
    take();
  }
  take();
  return replies;
}

Reply Client::fetch(const Request& request) {
  std::vector<Reply> replies = fetch(std::vector<Request>{request});
  return std::move(replies.front());
}

const Connection& Client::connection() const { return state_->session.setup.connection; }

std::function<void()> Client::exchange_on_tick(std::function<void()> on_tick) {
  return std::exchange(state_->session.options.on_tick, std::move(on_tick));
}

Session& Client::session() { return state_->session; }

}  // namespace gpu::kube
