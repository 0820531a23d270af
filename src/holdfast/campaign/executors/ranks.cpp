#include "holdfast/campaign/executors/ranks.hpp"

#include "holdfast/campaign/executors/rank_helper.hpp"
#include "holdfast/campaign/executors/rank_leader.hpp"

#include <utility>

namespace holdfast {
namespace {

class RanksExecutor final : public Executor {
 public:
  RanksExecutor(std::unique_ptr<Transport> transport, unsigned threads)
      : transport_(std::move(transport)), threads_(threads) {}
  ~RanksExecutor() override {
    // The leader failed before it could begin, and the other processes wait for it.
    if (leads() && !has_run_) dismiss(*transport_);
  }

  [[nodiscard]] bool leads() const override { return transport_->rank() == 0; }
  [[nodiscard]] unsigned workers(const Control& /*control*/) const override {
    return threads_ * static_cast<unsigned>(transport_->size());
  }
  Status run(const Workload& workload, const Control& control, const Sink& sink) override {
    has_run_ = true;
    return lead(*transport_, threads_, workload, control, sink);
  }
  Status help(const Campaign& campaign, const Control& control) override {
    return holdfast::help(*transport_, threads_, campaign, control);
  }

 private:
  std::unique_ptr<Transport> transport_;
  unsigned threads_;
  bool has_run_ = false;
};

}  // namespace

std::unique_ptr<Executor> make_ranks_executor(std::unique_ptr<Transport> transport,
                                              unsigned threads) {
  return std::make_unique<RanksExecutor>(std::move(transport), threads);
}

}  // namespace holdfast
