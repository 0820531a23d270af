#include "holdfast/domains/sketch/failures.hpp"

#include "holdfast/kernel/samplers.hpp"

#include <limits>

namespace holdfast::sketch {
namespace {

double date_of(const std::vector<double>& dates, std::size_t index) {
  return index < dates.size() ? dates[index] : std::numeric_limits<double>::infinity();
}

}  // namespace

Failures::Failures(const Instance& instance, const Draw& draw)
    : instance_{instance},
      stream_{{.seed = draw.seed,
               .purpose = Purpose::failures,
               .instance = draw.instance,
               .scenario = draw.scenario}} {
  next_ = instance.failures ? date_of(*instance.failures, 0)
                            : sample_exponential(stream_, instance.mtbf);
}

void Failures::pass() {
  ++passed_;
  next_ = instance_.failures ? date_of(*instance_.failures, passed_)
                             : next_ + sample_exponential(stream_, instance_.mtbf);
}

}  // namespace holdfast::sketch
