#include "holdfast/domains/sketch/generator.hpp"

#include "holdfast/kernel/samplers.hpp"

namespace holdfast::sketch {

Instance generate(const Instance& instance, const Draw& draw) {
  Instance out = instance;
  if (out.dates) return out;
  Stream stream({.seed = draw.seed,
                 .purpose = Purpose::failures,
                 .instance = draw.instance,
                 .scenario = draw.scenario});
  out.dates.emplace();
  double date = 0;
  for (std::int64_t i = 0; i < out.failures; ++i) {
    out.dates->push_back(date += sample_exponential(stream, out.mtbf));
  }
  return out;
}

}  // namespace holdfast::sketch
