#include "holdfast/domains/sketch/generator.hpp"

#include "holdfast/domains/sketch/failures.hpp"

#include <cassert>

namespace holdfast::sketch {

Instance generate(const Instance& instance, const Draw& draw, double duration) {
  assert(instance.mtbf > 0 && duration > 0);
  Instance out = instance;
  out.failures.emplace();
  for (Failures failures(instance, draw); failures.next() <= duration; failures.pass()) {
    out.failures->push_back(failures.next());
  }
  return out;
}

}  // namespace holdfast::sketch
