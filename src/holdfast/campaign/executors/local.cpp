#include "holdfast/campaign/executors/local.hpp"

#include "holdfast/campaign/executors/pool.hpp"

#include <algorithm>
#include <chrono>
#include <thread>

namespace holdfast {
namespace {

/// The sink is called at most this often, or when many cells wait: each call is a transaction.
constexpr auto kSinkTime = std::chrono::milliseconds(20);

class LocalExecutor final : public Executor {
 public:
  Status run(const Workload& workload, const Control& control, const Sink& sink) override {
    return run_local(workload, control, sink);
  }
};

}  // namespace

unsigned count_threads(unsigned asked, std::uint64_t groups) {
  const auto most = static_cast<unsigned>(std::clamp<std::uint64_t>(groups, 1, 1024));
  const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
  return std::min(asked == 0 ? cores : asked, most);
}

Status run_local(const Workload& workload, const Control& control, const Sink& sink) {
  return run_groups(workload, {0, workload.groups()}, control, sink);
}

Status run_groups(const Workload& workload, GroupRange range, const Control& control,
                  const Sink& sink) {
  if (range.begin >= range.end) return {};
  Pool pool(workload, control);
  HOLDFAST_CHECK(pool.start(count_threads(control.threads, range.size())));
  pool.give(range);
  pool.close();
  Batch batch;
  for (bool is_last = false; !is_last;) {
    is_last = pool.ended();  // before take(), which then takes all remaining cells
    pool.take(batch, Pool::Clock::now() + kSinkTime);
    HOLDFAST_CHECK(sink(batch));
  }
  if (const Pool::Failure* failure = pool.failure()) return fail(failure->error);
  return {};
}

Result<std::unique_ptr<Executor>> start_local(const ExecutorSetup& /*setup*/) {
  return std::make_unique<LocalExecutor>();
}

}  // namespace holdfast
