#include "holdfast/domains/machine/generator.hpp"

#include "holdfast/domains/machine/realisation.hpp"

#include <memory>

namespace holdfast::machine {

Instance generate(const Instance& instance, const Draw& draw, std::int64_t count,
                  bool fixes_failures) {
  Instance out = instance;
  Realisation realisation(
      instance, instance.law ? std::make_shared<const TabulatedLaw>(*instance.law) : nullptr, draw);
  if (instance.draws_jobs()) {
    for (std::int64_t i = 0; i < count; ++i) {
      out.jobs.push_back(realisation.jobs().at(static_cast<std::size_t>(i)));
    }
  }
  out.classes.clear();
  out.mix.clear();
  if (instance.events || !fixes_failures) return out;
  out.events.emplace();
  for (std::size_t i = 0; realisation.failure_date(i) < instance.horizon; ++i) {
    out.events->push_back(
        {.date = realisation.failure_date(i), .processor = realisation.failed_node(i)});
  }
  return out;
}

}  // namespace holdfast::machine
