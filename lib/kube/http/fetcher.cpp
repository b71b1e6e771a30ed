#include "kube/http/fetcher.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "kube/process/signals.hpp"

namespace gpu::kube {
namespace {

using std::chrono::milliseconds;

/// How often somebody who shows progress is called while nothing comes.
constexpr milliseconds kTick{100};
/// The longest limit that is kept: Go's longest, 292 years, would overflow the clock's nanoseconds.
constexpr milliseconds kLongestLimit = std::chrono::hours{24 * 365};
/// Connections that stay open for the next request, whoever sends it.
constexpr std::size_t kMostKept = 32;

void start_libcurl() {
  static const CURLcode started = curl_global_init(CURL_GLOBAL_DEFAULT);
  if (started != CURLE_OK) throw Error(ErrorKind::internal, "libcurl could not start");
}

RequestSetup make_setup(Connection connection, const Environment& environment,
                        milliseconds timeout) {
  start_libcurl();
  RequestSetup setup;
  setup.endpoint = endpoint_of(connection);
  if (connection.ca_pem.empty()) setup.roots = system_roots(environment);
  setup.connection = std::move(connection);
  setup.connect_timeout = timeout;
  return setup;
}

/// A multi handle that fails would leave requests without an answer and the loop without an end.
void check(CURLMcode code) {
  if (code == CURLM_OK) return;
  throw Error(ErrorKind::internal, std::string("libcurl: ") + curl_multi_strerror(code));
}

std::size_t most_in_flight(const ClientOptions& options) {
  return std::max<std::size_t>(options.in_flight, 1);
}

/// Over all attempts at `request`; zero: none.
milliseconds whole_limit(const Request& request, const Connection& connection) {
  if (request.lifetime == Lifetime::stream) return milliseconds::zero();
  const milliseconds all = connection.request_timeout.value_or(milliseconds::zero());
  const milliseconds own = request.limit.value_or(milliseconds::zero());
  const bool both = all > milliseconds::zero() && own > milliseconds::zero();
  return std::min(both ? std::min(all, own) : std::max(all, own), kLongestLimit);
}

milliseconds until(Clock::time_point time, Clock::time_point now) {
  return std::chrono::ceil<milliseconds>(time - now);
}

}  // namespace

Session::Session(Connection connection, Environment environment, ClientOptions given)
    : options(std::move(given)),
      setup(make_setup(std::move(connection), environment, options.connect_timeout)),
      source(setup.connection.credentials, std::move(environment)),
      budget(options.retry_budget),
      trace(options.log, options.verbosity),
      share(curl_share_init()),
      multi(curl_multi_init()) {
  if (!share || !multi) throw Error(ErrorKind::internal, "libcurl could not start");
  // A libcurl that cannot share them costs whole handshakes, no more.
  static_cast<void>(curl_share_setopt(share.get(), CURLSHOPT_SHARE, CURL_LOCK_DATA_SSL_SESSION));
  const auto connections = static_cast<long>(std::max(most_in_flight(options), kMostKept));
  check(curl_multi_setopt(multi.get(), CURLMOPT_MAXCONNECTS, connections));
  check(curl_multi_setopt(multi.get(), CURLMOPT_PIPELINING, static_cast<long>(CURLPIPE_NOTHING)));
}

void load_credentials(Session& session) {
  RequestSetup& setup = session.setup;
  // A plugin may talk to the user on stderr.
  if (session.options.before_plugin) session.options.before_plugin();
  // Without TLS nothing secret is sent, so no plugin needs to run either.
  if (setup.endpoint.tls)
    setup.credentials = session.source.get(
        {.limit = setup.connection.request_timeout,
         .on_slow = [&](const std::string& plugin) { session.trace.waiting_for_plugin(plugin); }});
  setup.headers = request_headers(setup.connection, setup.endpoint, setup.credentials,
                                  session.options.user_agent);
  session.has_credentials = true;
}

bool renew_credentials(Session& session) {
  if (!session.setup.endpoint.tls || !session.source.refresh()) return false;
  load_credentials(session);
  ++session.generation;
  return true;
}

Fetcher::~Fetcher() {
  for (const JobPointer& job : active_) {
    const CURL* const handle = job->transfer->handle();
    curl_multi_remove_handle(session_.multi.get(), job->transfer->handle());
    // The next handle may get the same address.
    std::erase_if(session_.ended, [&](const auto& one) { return one.first == handle; });
  }
}

std::size_t Fetcher::add(const Request& request, Clock::time_point not_before) {
  waiting_.push_back(std::make_unique<Job>());
  waiting_.back()->number = added_;
  waiting_.back()->request = &request;
  waiting_.back()->not_before = not_before;
  waiting_.back()->deadline = request.deadline;
  return added_++;
}

void Fetcher::turn(milliseconds longest, int descriptor) {
  throw_if_interrupted();
  drop_late();
  start_ready();
  // Before, not after: what comes is then told at once. A new handle does not let libcurl sleep.
  sleep(longest, descriptor);
  throw_if_interrupted();
  int running = 0;
  check(curl_multi_perform(session_.multi.get(), &running));
  collect_finished();
  collect_silent();
  tick();
}

void Fetcher::tick() {
  if (!session_.options.on_tick) return;
  const Clock::time_point now = Clock::now();
  if (now - session_.last_tick < kTick) return;
  session_.last_tick = now;
  session_.options.on_tick();
}

void Fetcher::start_ready() {
  while (has_room()) {
    JobPointer job = take_ready(Clock::now());
    if (!job) return;
    start(std::move(job));
  }
}

/// Streams do not count: they stay open for hours, and who opens them knows how many.
bool Fetcher::has_room() const {
  const auto answers = std::count_if(active_.begin(), active_.end(), [](const JobPointer& job) {
    return job->request->lifetime == Lifetime::answer;
  });
  const std::size_t most = in_flight_ > 0 ? in_flight_ : most_in_flight(session_.options);
  return static_cast<std::size_t>(answers) < most;
}

Fetcher::JobPointer Fetcher::take_ready(Clock::time_point now) {
  if (now < hold_until_) return nullptr;
  const auto found = std::find_if(waiting_.begin(), waiting_.end(),
                                  [&](const JobPointer& job) { return job->not_before <= now; });
  if (found == waiting_.end()) return nullptr;
  JobPointer job = std::move(*found);
  waiting_.erase(found);
  return job;
}

void Fetcher::start(JobPointer job) {
  if (!session_.has_credentials) load_credentials(session_);
  const milliseconds time = time_for(*job, Clock::now());
  job->generation = session_.generation;
  job->transfer = std::make_unique<Transfer>(*job->request, session_.setup, session_.share,
                                             session_.trace, time);
  check(curl_multi_add_handle(session_.multi.get(), job->transfer->handle()));
  active_.push_back(std::move(job));
}

/// What this attempt may take, zero: as long as it likes. The first one sets the job's deadline.
milliseconds Fetcher::time_for(Job& job, Clock::time_point now) const {
  const milliseconds whole = whole_limit(*job.request, session_.setup.connection);
  if (whole > milliseconds::zero() && !std::exchange(job.is_timed, true))
    job.deadline = std::min(job.deadline.value_or(now + whole), now + whole);
  // libcurl takes zero for no limit.
  return job.deadline ? std::max(until(*job.deadline, now), milliseconds(1)) : milliseconds::zero();
}

/// Nobody waits any longer for what was not even sent.
void Fetcher::drop_late() {
  const Clock::time_point now = Clock::now();
  std::erase_if(waiting_, [&](const JobPointer& job) {
    const auto& deadline = job->request->deadline;
    if (!deadline || *deadline > now) return false;
    Reply reply;
    reply.error = Error(ErrorKind::unreachable, "there was no time left for the request");
    reply.is_late = true;
    outcomes_.push_back({job->number, std::move(reply)});
    return true;
  });
}

Fetcher::JobPointer Fetcher::take_active(const CURL* handle) {
  const auto found = std::find_if(active_.begin(), active_.end(), [&](const JobPointer& job) {
    return job->transfer->handle() == handle;
  });
  if (found == active_.end()) return nullptr;
  JobPointer job = std::move(*found);
  active_.erase(found);
  curl_multi_remove_handle(session_.multi.get(), job->transfer->handle());
  return job;
}

void Fetcher::read_messages() {
  int left = 0;
  while (const CURLMsg* const message = curl_multi_info_read(session_.multi.get(), &left))
    if (message->msg == CURLMSG_DONE)
      session_.ended.emplace_back(message->easy_handle, message->data.result);
}

void Fetcher::collect_finished() {
  read_messages();
  // Those of other Fetchers stay until these look.
  const std::vector<std::pair<const CURL*, CURLcode>> ended = std::exchange(session_.ended, {});
  std::vector<std::pair<JobPointer, CURLcode>> mine;
  for (const auto& [handle, code] : ended) {
    if (JobPointer job = take_active(handle))
      mine.emplace_back(std::move(job), code);
    else
      session_.ended.emplace_back(handle, code);
  }
  for (auto& [job, code] : mine) {
    Reply reply = job->transfer->finish(code);
    conclude(std::move(job), std::move(reply));
  }
}

milliseconds Fetcher::silence_limit(const Job& job) const {
  return job.request->lifetime == Lifetime::stream ? session_.options.stream_silence_timeout
                                                   : session_.options.silence_timeout;
}

void Fetcher::collect_silent() {
  const Clock::time_point now = Clock::now();
  std::vector<const CURL*> silent;
  for (const JobPointer& job : active_) {
    const auto last = job->transfer->last_byte();
    const bool is_silent = last && now - *last >= silence_limit(*job);
    // A watch says little for hours, and an answer does not.
    const bool trickles = job->request->lifetime == Lifetime::answer &&
                          job->transfer->is_trickling(now, silence_limit(*job));
    if (is_silent || trickles) silent.push_back(job->transfer->handle());
  }
  for (const CURL* const handle : silent) {
    JobPointer job = take_active(handle);
    Reply reply = job->transfer->give_up(silence_limit(*job));
    conclude(std::move(job), std::move(reply));
  }
}

void Fetcher::conclude(JobPointer job, Reply reply) {
  const bool is_own = job->request->answerer == Answerer::api_server;
  if (is_own && reply.status == 401) {
    if (retried_after_refusal(job)) return;
    session_.is_refused = true;
  }
  const bool may_wait = job->request->on_throttle == OnThrottle::wait;
  const bool is_busy = is_own || reply.status == 429;
  if (may_wait && is_busy && !reply.error && retried_when_busy(job, reply)) return;
  if (is_own && !may_wait && reply.status == 429) spare_the_server(reply);
  outcomes_.push_back({job->number, std::move(reply)});
}

/// The caller knows a cheaper way, so what has not been sent of the dear one is not sent any more.
void Fetcher::spare_the_server(const Reply& refusal) {
  std::erase_if(waiting_, [&](const JobPointer& job) {
    if (job->request->on_throttle == OnThrottle::wait) return false;
    outcomes_.push_back({job->number, refusal});
    return true;
  });
}

/// After a 401 the credentials are renewed once, by whichever request meets it first; the others
/// only go again with what it got.
bool Fetcher::retried_after_refusal(JobPointer& job) {
  if (!session_.setup.endpoint.tls || std::exchange(job->was_refused, true)) return false;
  if (job->generation == session_.generation && !renew_credentials(session_)) return false;
  job->transfer.reset();
  waiting_.push_front(std::move(job));
  return true;
}

bool Fetcher::retried_when_busy(JobPointer& job, const Reply& reply) {
  const Clock::time_point now = Clock::now();
  const std::string& retry_after = job->transfer->retry_after();
  const auto wait = asked_wait(reply.status, retry_after, job->busy_answers);
  const auto again =
      session_.budget.retry_at(reply.status, retry_after, now, job->deadline, job->busy_answers);
  ++job->busy_answers;
  if (!wait || !again) return false;
  session_.trace.waiting(*wait, reply.status);
  if (reply.status == 429 && job->request->answerer == Answerer::api_server)
    hold_until_ = std::max(hold_until_, *again);
  job->not_before = *again;
  job->transfer.reset();
  waiting_.push_front(std::move(job));
  return true;
}

milliseconds Fetcher::sleep_time(milliseconds longest) const {
  if (!outcomes_.empty()) return milliseconds::zero();
  const Clock::time_point now = Clock::now();
  milliseconds time = session_.options.on_tick ? std::min(longest, kTick) : longest;
  const auto shorten = [&](Clock::time_point wake) {
    time = std::clamp(until(wake, now), milliseconds(0), time);
  };
  const bool may_start = has_room();
  for (const JobPointer& job : waiting_)
    if (may_start) shorten(std::max(job->not_before, hold_until_));
  for (const JobPointer& job : waiting_)
    if (job->request->deadline) shorten(*job->request->deadline);
  for (const JobPointer& job : active_)
    if (const auto last = job->transfer->last_byte()) shorten(*last + silence_limit(*job));
  return time;
}

void Fetcher::sleep(milliseconds longest, int descriptor) {
  std::array<curl_waitfd, 3> extra{};
  unsigned int count = 0;
  for (const int fd : {interrupt_descriptor(), notice_descriptor(), descriptor}) {
    if (fd < 0) continue;
    extra[count].fd = fd;
    extra[count].events = CURL_WAIT_POLLIN;
    ++count;
  }
  check(curl_multi_poll(session_.multi.get(), extra.data(), count,
                        static_cast<int>(sleep_time(longest).count()), nullptr));
}

}  // namespace gpu::kube
