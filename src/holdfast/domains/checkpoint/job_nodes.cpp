#include "holdfast/domains/checkpoint/job_nodes.hpp"

namespace holdfast::checkpoint {

JobNodes::JobNodes(const Instance& job, Realisation& realisation)
    : job_{job},
      trace_{realisation.trace()},
      pool_{realisation.pool()},
      believed_{realisation.believed()},
      truth_{realisation.hazard()},
      origin_{start_date(job)},
      next_{job.is_elastic() ? 0 : trace_.index_at(origin_)} {
  if (pool_ == nullptr) return;
  if (realisation.belief() != nullptr) pool_believed_.emplace(*realisation.belief(), *pool_);
  if (realisation.law() != nullptr) pool_truth_.emplace(*realisation.law(), *pool_);
}

std::int64_t JobNodes::count() const {
  return job_.is_elastic() ? pool_->change(change_ - 1).in_use : 0;
}

void JobNodes::resize() {
  if (job_.is_elastic()) speed_ = job_.platform.speed_of(count(), job_.processors);
}

double JobNodes::next_failure(double until) {
  if (job_.is_elastic()) {
    while (pool_->strikes() == next_ && pool_->next_date() <= until) {
      pool_->reach(pool_->changes());
    }
    if (pool_->strikes() == next_) return Instance::kNever;
  }
  return trace_.reach(next_) ? trace_.failures()[next_].date - origin_ : Instance::kNever;
}

void JobNodes::meet() {
  if (pool_ != nullptr) change_ = pool_->strike(next_) + 1;
  ++next_;
}

bool JobNodes::fails_before(std::size_t change) {
  if (job_.is_elastic() && pool_->strikes() == next_) return false;
  return trace_.reach(next_) && pool_->strike(next_) < change;
}

void JobNodes::work(std::size_t change) {
  change_ = change;
  pool_->close();
  resize();
}

bool JobNodes::join(double now) {
  if (next_failure(now) <= now || !pool_->join(now)) return false;
  change_ = pool_->changes();
  return true;
}

checkpoints::Outlook& JobNodes::believed(double now, double lead) {
  if (pool_believed_) {
    pool_believed_->move_to(change_, now + lead);
    return *pool_believed_;
  }
  believed_.move_to(next_, origin_ + now + lead);
  return believed_;
}

checkpoints::Outlook& JobNodes::truth(double now) {
  if (pool_truth_) {
    pool_truth_->move_to(change_, now);
    return *pool_truth_;
  }
  truth_.move_to(next_, origin_ + now);
  return truth_;
}

void JobNodes::account(double end, double useful, Metrics& metrics) {
  const PoolChange sum = pool_->account(end);
  const double nodes = static_cast<double>(pool_->rules().nodes);
  const double all = nodes + static_cast<double>(pool_->rules().spares);
  const double price = job_.platform.node_price.value_or(1) / 3600;
  metrics.waiting = metrics.waiting.value_or(0);
  metrics.node_failures = sum.failures;
  metrics.shortages = sum.shortages;
  metrics.idle = sum.idle_seconds;
  metrics.repairs = sum.repairs;
  metrics.failed_repairs = sum.failed_repairs;
  metrics.cost = all * end * price;
  if (useful > 0) metrics.cost_per_useful = all * end * price * 3600 / (nodes * useful);
}

}  // namespace holdfast::checkpoint
