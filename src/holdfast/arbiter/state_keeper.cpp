#include "holdfast/arbiter/state_keeper.hpp"

#include "holdfast/base/system.hpp"
#include "holdfast/base/value.hpp"

#include <algorithm>
#include <utility>

namespace holdfast::arbiter {
namespace {

constexpr double kCadence = 1;
constexpr double kCadenceInTrouble = 60;
constexpr double kCadenceWhileBusy = 0.1;

// Ages are not compared: they grow with time, and the state has a date.
bool is_same(const Memory& a, const Memory& b) {
  return a.uid == b.uid && a.delay == b.delay && a.iteration_count == b.iteration_count &&
         a.nodes == b.nodes && a.declared == b.declared && (a.stay > 0) == (b.stay > 0) &&
         a.resume == b.resume && a.name == b.name;
}

bool says_the_same(const std::vector<Memory>& a, const std::vector<Memory>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), is_same);
}

std::string text_of(const KeptState& state) {
  return to_json(state_document(state)) + "\n";
}

}  // namespace

Result<StateKeeper> StateKeeper::open(const std::string& path, double zero) {
  StateKeeper out;
  if (path.empty()) return out;
  HOLDFAST_TRY(before, read_state_file(path));
  out.before_ = std::move(before);
  out.boot_ = boot_id();
  out.zero_ = zero;
  // It has the tokens by which an application goes on after a restart: others must not read it.
  constexpr mode_t kMode = 0640;
  out.file_ = std::make_unique<BackgroundFile>(path, kMode);
  return out;
}

void StateKeeper::restore(Core& core, double now) const {
  core.restore(before_.applications, before_.downtime(boot_, zero_ + now), now);
}

std::shared_ptr<const KeptState> StateKeeper::state_at(std::vector<Memory> applications,
                                                       double now) const {
  return std::make_shared<KeptState>(KeptState{.boot = boot_,
                                               .date = zero_ + now,
                                               .epoch = epoch(),
                                               .applications = std::move(applications)});
}

Status StateKeeper::save_now(const Core& core, double now) {
  if (!file_) return {};
  written_ = state_at(core.remember(now), now);
  next_ = now + kCadence;
  return file_->write_now(text_of(*written_));
}

void StateKeeper::keep(const Core& core, double now) {
  if (!file_ || now < next_) return;
  if (file_->is_busy()) {
    next_ = now + kCadenceWhileBusy;
    return;
  }
  next_ = now + kCadence;
  std::vector<Memory> fresh = core.remember(now);
  if (written_ && says_the_same(fresh, written_->applications)) return;
  written_ = state_at(std::move(fresh), now);
  file_->begin([state = written_] { return text_of(*state); });
}

std::optional<std::string> StateKeeper::trouble(double now) {
  if (!file_) return std::nullopt;
  auto out = file_->trouble();
  if (out) {
    next_ = now + kCadenceInTrouble;
    written_.reset();
  }
  return out;
}

}  // namespace holdfast::arbiter
