#include "kube/watch/reflector.hpp"

#include <algorithm>

#include "kube/read/list_path.hpp"

namespace gpu::kube {
namespace {

using std::chrono::milliseconds;

constexpr int kGone = 410;
constexpr milliseconds kFirstPause{1000};
constexpr milliseconds kLongestPause{30'000};
/// No watch is asked for more often; one that ends sooner, and said nothing, only after a pause.
constexpr milliseconds kShortestWatch{1000};
/// After one that lasted so long all is well again, whatever there was before.
constexpr milliseconds kSteadyWatch{30'000};

bool is_expired(const decode::WatchEvent& event) {
  return event.status && (event.status->code == kGone || event.status->reason == "Expired" ||
                          event.status->reason == "Gone");
}

}  // namespace

const Request& Reflector::next_request() {
  due_.reset();
  started_ = Clock::now();
  request_ = {};
  request_.accept = source_.accept;
  request_.on_throttle = OnThrottle::report;
  if (phase_ == Phase::list)
    prepare_list();
  else
    prepare_watch();
  return request_;
}

void Reflector::prepare_list() {
  auto query = source_.query;
  query.insert(query.begin(), {"resourceVersion", next_page_.empty() ? version_ : ""});
  query.emplace_back("continue", next_page_);
  request_.path = query_path(source_.path, query);
  // The first list is waited for as any other; later there are old numbers to show meanwhile.
  if (!has_listed_) request_.on_throttle = OnThrottle::wait;
  request_.on_start = [this](std::string_view type) {
    if (next_page_.empty()) {
      reader_.emplace(source_.make_reader());
      source_.on_list_begin();
    }
    reader_->start(type);
  };
  request_.on_data = [this](std::string_view bytes) { reader_->feed(bytes); };
}

void Reflector::prepare_watch() {
  auto query = source_.query;
  query.insert(query.begin(),
               {{"watch", "1"}, {"allowWatchBookmarks", "true"}, {"resourceVersion", version_}});
  request_.path = query_path(source_.path, query);
  request_.lifetime = Lifetime::stream;
  is_expired_ = is_broken_ = had_events_ = false;
  problem_ = "the server ended a watch at once";
  framer_.reset();
  request_.on_success = [this] { on_success(); };
  request_.on_start = [this](std::string_view type) {
    framer_.emplace(decode::wire_of(type),
                    [this](const decode::WatchEvent& event) { on_event(event); });
  };
  request_.on_data = [this](std::string_view bytes) { framer_->feed(bytes); };
}

void Reflector::on_success() { lost_since_.reset(); }

void Reflector::on_event(const decode::WatchEvent& event) {
  if (event.type == decode::WatchEventType::error) {
    (kube::is_expired(event) ? is_expired_ : is_broken_) = true;
    if (event.status && !event.status->message.empty()) problem_ = event.status->message;
    return;
  }
  if (event.type != decode::WatchEventType::bookmark) source_.on_event(event);
  // Not before: what could not be read has to come again.
  had_events_ = true;
  if (!event.resource_version.empty()) version_ = event.resource_version;
}

bool Reflector::take(const Reply& reply, Clock::time_point now) {
  const bool is_well = phase_ == Phase::list ? take_list(reply, now) : take_watch(reply, now);
  if (!is_well) lose(now);
  return is_well;
}

void Reflector::lose(Clock::time_point now) {
  if (!lost_since_) lost_since_ = now;
  pause_ = std::clamp(pause_ * 2, kFirstPause, kLongestPause);
  due_ = now + pause_;
  // A list cannot be gone on with, as its reader has part of what will come again.
  next_page_.clear();
}

bool Reflector::take_list(const Reply& reply, Clock::time_point now) {
  if (reply.status == kGone) {
    list_again();
    // A page whose continue token is too old; a server that says it of a fresh list is not well.
    return false;
  }
  if (!reply.ok() || !reader_) return false;
  reader_->finish();
  next_page_ = reader_->next_page();
  due_ = now;
  if (!next_page_.empty()) return true;
  version_ = reader_->resource_version();
  reader_.reset();
  source_.on_list_end();
  has_listed_ = true;
  lost_since_.reset();
  // The pause stays: it is the watch after the list that shows whether all is well.
  phase_ = Phase::watch;
  return true;
}

bool Reflector::take_watch(const Reply& reply, Clock::time_point now) {
  // It may deliver a last event.
  if (reply.ok() && framer_) framer_->finish();
  is_expired_ = is_expired_ || reply.status == kGone;
  const bool was_steady = now - started_ >= kSteadyWatch;
  const bool needs_list = is_expired_ || is_broken_;
  // A server that ends each watch so must not be asked for list after list.
  if (was_steady || (had_events_ && !needs_list)) pause_ = milliseconds::zero();
  if (needs_list) list_again();
  if (is_expired_ && pause_ == milliseconds::zero()) {
    // It happens now and then, and is no problem to tell.
    if (!was_steady) pause_ = kFirstPause;
    due_ = now + pause_;
    return true;
  }
  const bool was_short = !had_events_ && now - started_ < kShortestWatch;
  if (needs_list || !reply.ok() || was_short) return false;
  due_ = std::max(now, started_ + kShortestWatch);
  return true;
}

/// From the newest version: what the server has cached may be older than what we have seen.
void Reflector::list_again() {
  phase_ = Phase::list;
  version_.clear();
  next_page_.clear();
}

}  // namespace gpu::kube
