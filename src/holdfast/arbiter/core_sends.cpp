// What a Core tells its clients.
#include "holdfast/arbiter/core.hpp"
#include "holdfast/arbiter/core_parts.hpp"

#include <string>
#include <utility>
#include <variant>

namespace holdfast::arbiter {
namespace {

std::uint32_t milliseconds(double seconds) {
  return static_cast<std::uint32_t>(seconds * 1e3);
}

}  // namespace

void Core::send(const Connection& to, Frame frame, double now) {
  tell(Sent{type_of(frame)}, now);
  if (const auto* refusal = std::get_if<Refusal>(&frame)) tell(Refused{refusal->code}, now);
  effects_.frames.push_back({to.id, std::move(frame)});
}

// Sends WELCOME. For a watcher, which has no application, it contains only the epoch and the intervals.
void Core::welcome(const Connection& to, double now) {
  const Application* own = to.application;
  send(to,
       Welcome{.handle = own == nullptr ? 0 : own->handle,
               .epoch = settings_.epoch,
               .lease_ms = milliseconds(settings_.lease),
               .report_ms = milliseconds(settings_.report),
               .floor = own == nullptr ? 0 : floor_of(to),
               .resume = own == nullptr ? Token{} : own->resume},
       now);
}

void Core::send_grant(Connection& to, double now) {
  to.is_granted = true;
  to.sent_at = now;
  send(to,
       Grant{.operation = to.operation,
             .rate = to.rate,
             .epoch = settings_.epoch,
             .lease_ms = milliseconds(settings_.lease),
             .floor = floor_of(to)},
       now);
}

void Core::send_states(const Connection& to, double now) {
  for (const auto& [key, one] : applications_) {
    if (!to.peer.sees_all && key.first != to.peer.uid) continue;
    send(to, state_of(standing_of(*one, now)), now);
  }
  send(to, state_of(totals()), now);
}

void Core::end(Connection& which, FaultCode code, std::string text, double now) {
  if (which.is_ended) return;
  detach(which, now);
  which.is_ended = true;
  send(which, Refusal{.code = code, .sequence = answering_, .text = std::move(text)}, now);
  effects_.closes.push_back(which.id);
}

}  // namespace holdfast::arbiter
