#include "holdfast/domains/machine/running.hpp"

namespace holdfast::machine {

std::string_view name(Doing doing) {
  switch (doing) {
    case Doing::work:
      return "work";
    case Doing::downtime:
      return "downtime";
    case Doing::input:
      return "input";
    case Doing::checkpoint:
      return "checkpoint";
    case Doing::recovery:
      return "recovery";
    case Doing::output:
      return "output";
  }
  return {};
}

void RunningJob::account_until(double now, double remaining, bool is_measured) {
  const double elapsed = now - since;
  since = now;
  if (doing == Doing::work) {
    unsaved += elapsed;
    if (is_measured) measured += elapsed;
    return;
  }
  if (doing == Doing::downtime) {
    if (is_measured) account.add(Use::downtime, elapsed);
    return;
  }
  const double moving = (left - remaining) / bandwidth;
  left = remaining;
  delay += elapsed - moving;
  if (!is_measured) return;
  // An input that is read again after a failure is a recovery.
  const Use use = doing == Doing::checkpoint                 ? Use::checkpoint
                  : doing == Doing::recovery || is_restarted ? Use::recovery
                                                             : Use::regular;
  account.add(use, moving);
  account.add(Use::wait, elapsed - moving);
}

void RunningJob::settle(Use use) {
  account.add(use, measured);
  if (use == Use::kept) saved += unsaved;
  unsaved = 0;
  measured = 0;
}

double RunningJob::yield_at(double now) const {
  const double age = now - start;
  return age > 0 ? 1 - delay / age : 0;
}

}  // namespace holdfast::machine
