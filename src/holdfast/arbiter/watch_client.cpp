#include "holdfast/arbiter/watch_client.hpp"

#include "holdfast/arbiter/listener.hpp"
#include "holdfast/base/text.hpp"

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>
#include <utility>

namespace holdfast::arbiter {
namespace {

constexpr int kPatienceOfConnect = 5;  // seconds
/// The largest number of applications in a round, which is more than any arbiter has. It limits the memory for a server that
/// never ends its round.
constexpr std::size_t kMostApplications = 200'000;

tl::unexpected<Error> lost(const std::string& path, std::string_view why) {
  return fail(ErrorCode::io_failure, path, std::string(why));
}

}  // namespace

Result<std::optional<Round>> RoundReader::next() {
  for (;;) {
    auto frame = reader_.next();
    if (!frame) return lost("", fmt::format("no arbiter answers there: {}", frame.error().text));
    if (!*frame) return std::nullopt;
    if (const auto* refusal = std::get_if<Refusal>(&**frame)) {
      return lost("", fmt::format("the arbiter refuses: {}", printable(refusal->text)));
    }
    if (const auto* welcome = std::get_if<Welcome>(&**frame)) epoch_ = welcome->epoch;
    const auto* state = std::get_if<State>(&**frame);
    if (state == nullptr) continue;
    if (state->handle == 0) {
      round_.totals = totals_of(*state, epoch_);
      return std::exchange(round_, {});
    }
    if (round_.applications.size() >= kMostApplications) {
      return lost("", "no arbiter answers there: found a round without an end");
    }
    round_.applications.push_back(standing_of(*state));
  }
}

Result<WatchClient> WatchClient::connect(const std::string& path, double interval) {
  HOLDFAST_TRY(address, address_of_socket(path));
  Descriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  // An arbiter that is stopped does not accept connections, so the wait is limited.
  const timeval patience{kPatienceOfConnect, 0};
  ::setsockopt(socket.get(), SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  if (::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    return lost(path, fmt::format("no arbiter answers there ({}); 'holdfast io serve --socket {}' "
                                  "starts one",
                                  std::generic_category().message(errno), printable(path)));
  }
  const std::string hello =
      encode(Hello{.pid = static_cast<std::uint32_t>(::getpid()), .kind = ClientKind::watcher}, 1) +
      encode(Watch{static_cast<std::uint32_t>(interval * 1e3)}, 2);
  if (::send(socket.get(), hello.data(), hello.size(), MSG_NOSIGNAL) !=
      static_cast<ssize_t>(hello.size())) {
    return lost(path, "the arbiter does not listen");
  }
  return WatchClient(path, std::move(socket));
}

Result<std::optional<Round>> WatchClient::read() {
  std::array<char, 65536> buffer;
  const auto count = ::recv(socket_.get(), buffer.data(), buffer.size(), MSG_DONTWAIT);
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return std::nullopt;
  if (count > 0) rounds_.take({buffer.data(), static_cast<std::size_t>(count)});
  std::optional<Round> out;
  for (;;) {
    auto round = rounds_.next();
    if (!round) {
      Error error = std::move(round).error();
      error.where = path_;
      return fail(std::move(error));
    }
    if (!*round) break;
    out = std::move(*round);
  }
  if (count <= 0 && !out) return lost(path_, "the arbiter has gone");
  return out;
}

}  // namespace holdfast::arbiter
