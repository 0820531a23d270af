#include "holdfast/arbiter/top.hpp"

#include "holdfast/arbiter/run_program.hpp"
#include "holdfast/arbiter/terminal.hpp"
#include "holdfast/arbiter/top_page.hpp"
#include "holdfast/arbiter/top_view.hpp"
#include "holdfast/arbiter/watch_client.hpp"
#include "holdfast/base/clock.hpp"
#include "holdfast/base/reader.hpp"
#include "holdfast/contract/field.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <pwd.h>

#include <array>
#include <cerrno>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace holdfast::arbiter {
namespace {

/// Seconds without an answer, in addition to the interval, after which `top` gives up.
constexpr double kPatienceOfTop = 10;

struct TopOptions {
  std::string socket = {};
  double interval = 1;
  TopOrder order = TopOrder::yield;
  bool once = false;
  bool json = false;
  std::string page = {};
};

constexpr auto kTopRows = std::to_array<Field<TopOptions>>({
    {.name = "socket",
     .summary = "socket of the arbiter (default: HOLDFAST_IO_SOCKET, else /run/holdfast/io.sock)",
     .member = member<&TopOptions::socket>,
     .value_name = "PATH"},
    {.name = "interval",
     .summary = "time between two updates",
     .member = member<&TopOptions::interval>,
     .unit = Unit::seconds,
     .range = between(0.1, 60)},
    {.name = "order",
     .summary = "order of the applications",
     .member = choice<&TopOptions::order, kTopOrders>},
    {.name = "once",
     .summary = "print the state once, and end",
     .member = member<&TopOptions::once>},
    {.name = "json",
     .summary = "print JSON, one line per update",
     .member = member<&TopOptions::json>},
    {.name = "page",
     .summary =
         "also write what is seen as a page, again and again; it reloads itself in a browser",
     .member = member<&TopOptions::page>,
     .value_name = "FILE",
     .heading = "Output"},
});

/// The names of users, each looked up once.
class UserNames {
 public:
  const std::string& operator()(std::uint32_t uid) {
    const auto [place, is_new] = names_.try_emplace(uid);
    if (!is_new) return place->second;
    std::array<char, 16384> buffer;
    passwd entry{};
    passwd* found = nullptr;
    ::getpwuid_r(uid, &entry, buffer.data(), buffer.size(), &found);
    return place->second = found != nullptr ? std::string(found->pw_name) : fmt::to_string(uid);
  }

 private:
  std::map<std::uint32_t, std::string> names_;
};

class Top {
 public:
  Top(TopOptions options, const std::function<void(std::string_view)>& print)
      : options_(std::move(options)), print_(&print) {
    view_.order = options_.order;
    if (!options_.page.empty()) {
      page_.emplace(options_.page, fmt::format("holdfast io top --socket {} --page {}",
                                               options_.socket, options_.page));
    }
  }

  Result<int> run() {
    HOLDFAST_TRY(client, WatchClient::connect(options_.socket, options_.interval));
    const StopSignals signals;
    if (Screen::is_there() && !options_.once && !options_.json) screen_.emplace(*print_);
    heard_ = time_on(CLOCK_MONOTONIC);
    while (!code_) HOLDFAST_CHECK(turn(client, signals));
    if (round_) HOLDFAST_CHECK(write(true));
    return *code_;
  }

 private:
  Status turn(WatchClient& client, const StopSignals& signals) {
    std::array<pollfd, 3> files = {{{client.get(), POLLIN, 0},
                                    {signals.get(), POLLIN, 0},
                                    {screen_ ? screen_->keys() : -1, POLLIN, 0}}};
    const double left = heard_ + options_.interval + kPatienceOfTop - time_on(CLOCK_MONOTONIC);
    if (left <= 0) {
      return fail(ErrorCode::io_failure, options_.socket,
                  fmt::format("the arbiter does not answer for {} s; it is stopped, or overloaded",
                              kPatienceOfTop));
    }
    if (::poll(files.data(), files.size(), static_cast<int>(1e3 * left) + 1) < 0) return {};
    if (files[1].revents != 0) {
      if (signals.read()) {
        code_ = exit_code(ErrorCode::interrupted);
        return {};
      }
      show();  // the size of the window has changed
    }
    if (files[2].revents != 0) press();
    if (files[0].revents == 0 || code_) return {};
    HOLDFAST_TRY(round, client.read());
    if (!round) return {};
    heard_ = time_on(CLOCK_MONOTONIC);
    if (view_.is_paused) return {};
    take(std::move(*round));
    return code_ ? Status() : write(false);
  }

  Status write(bool is_last) {
    if (!page_) return {};
    const auto user = [this](std::uint32_t uid) { return users_(uid); };
    return page_->take(*round_, view_, user, heard_, is_last);
  }

  void take(Round round) {
    if (round_ && round.totals.decisions >= round_->totals.decisions && heard_ > taken_) {
      const auto more = static_cast<double>(round.totals.decisions - round_->totals.decisions);
      view_.decisions_per_second = more / (heard_ - taken_);
    }
    round_ = std::move(round);
    taken_ = heard_;
    show();
    if (options_.once) code_ = 0;
  }

  void show() {
    if (!round_) return;
    const auto user = [this](std::uint32_t uid) { return users_(uid); };
    if (options_.json) {
      const Value document = top_document(*round_, view_, user);
      return (*print_)((options_.once ? to_json(document) : to_compact_json(document)) + "\n");
    }
    view_.lines = screen_ ? Screen::lines() : 0;
    view_.width = screen_ ? Screen::width() : 0;
    const std::string text = top_text(*round_, view_, user);
    if (screen_) return screen_->draw(text);
    (*print_)(options_.once ? text : text + "\n");
  }

  void press() {
    const auto keys = screen_->read_keys();
    if (!keys) return;
    for (const char key : *keys) {
      if (key == 'q') code_ = 0;
      if (key == 'p') view_.is_paused = !view_.is_paused;
      if (key == 's') {
        view_.order =
            static_cast<TopOrder>((static_cast<std::size_t>(view_.order) + 1) % kTopOrders.size());
      }
    }
    show();
  }

  TopOptions options_;
  const std::function<void(std::string_view)>* print_;
  TopView view_;
  UserNames users_;
  std::optional<Screen> screen_;
  std::optional<TopPage> page_;
  std::optional<Round> round_;
  double heard_ = 0;  // when the arbiter last sent something
  double taken_ = 0;  // when it sent the round that is shown
  std::optional<int> code_;
};

}  // namespace

std::span<const Parameter> top_parameters() {
  return fields_of<kTopRows>().parameters();
}

Result<int> run_top(const Value& options, const std::function<void(std::string_view)>& print) {
  Value known = options.is_null() ? Value::object() : options;
  ObjectReader read(known, "");
  TopOptions out;
  fields_of<kTopRows>().read(read, out);
  HOLDFAST_CHECK(read.finish());
  out.socket = arbiter_socket(out.socket);
  return Top(std::move(out), print).run();
}

}  // namespace holdfast::arbiter
