#include "holdfast/arbiter/metrics_port.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <limits>
#include <system_error>
#include <utility>
#include <vector>

namespace holdfast::arbiter {
namespace {

constexpr std::size_t kLongestRequest = 8192;
constexpr double kTimeOfVisit = 2;
constexpr std::size_t kVisits = 16;
constexpr std::uint64_t kDoor = 0;

std::string response(std::string_view status, std::string_view more, std::string_view type,
                     std::string_view body) {
  return fmt::format(
      "HTTP/1.1 {}\r\nContent-Type: {}\r\nContent-Length: {}\r\n{}Connection: close\r\n\r\n{}",
      status, type, body.size(), more, body);
}

std::string refusal(std::string_view status, std::string_view more = {}) {
  return response(status, more, "text/plain; charset=utf-8", fmt::format("{}\n", status));
}

/// An address of either family, in the form for system calls.
struct Endpoint {
  sockaddr_storage address{};
  socklen_t size = 0;
  bool is_local = false;
};

std::optional<Endpoint> endpoint_of(std::string_view host, std::uint16_t port) {
  Endpoint out;
  if (host.starts_with('[') && host.ends_with(']')) {
    auto& six = reinterpret_cast<sockaddr_in6&>(out.address);
    const std::string inner(host.substr(1, host.size() - 2));
    if (::inet_pton(AF_INET6, inner.c_str(), &six.sin6_addr) != 1) return std::nullopt;
    six.sin6_family = AF_INET6;
    six.sin6_port = htons(port);
    out.size = sizeof six;
    out.is_local = IN6_IS_ADDR_LOOPBACK(&six.sin6_addr);
    return out;
  }
  auto& four = reinterpret_cast<sockaddr_in&>(out.address);
  if (::inet_pton(AF_INET, std::string(host).c_str(), &four.sin_addr) != 1) return std::nullopt;
  four.sin_family = AF_INET;
  four.sin_port = htons(port);
  out.size = sizeof four;
  constexpr std::uint32_t kLoopback = 127;
  out.is_local = ntohl(four.sin_addr.s_addr) >> 24U == kLoopback;
  return out;
}

std::uint16_t port_of(const sockaddr_storage& address) {
  return ntohs(address.ss_family == AF_INET6
                   ? reinterpret_cast<const sockaddr_in6&>(address).sin6_port
                   : reinterpret_cast<const sockaddr_in&>(address).sin_port);
}

}  // namespace

std::optional<std::string> answer_to(std::string_view request,
                                     const std::function<std::string()>& page) {
  const auto end = std::min(request.find("\r\n\r\n"), request.find("\n\n"));
  if (end == std::string_view::npos) {
    if (request.size() < kLongestRequest) return std::nullopt;
    return refusal("431 Request Header Fields Too Large");
  }
  if (end > kLongestRequest) return refusal("431 Request Header Fields Too Large");
  std::string_view line = request.substr(0, request.find('\n'));
  if (line.ends_with('\r')) line.remove_suffix(1);
  const auto words = split(line, ' ');
  if (words.size() != 3 || !words[2].starts_with("HTTP/1.")) return refusal("400 Bad Request");
  if (words[0] != "GET") return refusal("405 Method Not Allowed", "Allow: GET\r\n");
  if (words[1].substr(0, words[1].find('?')) != "/metrics") return refusal("404 Not Found");
  return response("200 OK", {}, "text/plain; version=0.0.4; charset=utf-8", page());
}

MetricsPort::MetricsPort(Descriptor socket, Descriptor epoll, std::string address, bool is_local)
    : socket_(std::move(socket)),
      epoll_(std::move(epoll)),
      address_(std::move(address)),
      is_local_(is_local) {
  watch(socket_.get(), kDoor, EPOLLIN, EPOLL_CTL_ADD);
}

Result<MetricsPort> MetricsPort::open(std::string_view address) {
  const auto colon = address.rfind(':');
  const std::string_view host = address.substr(0, colon);
  const auto number = colon == std::string_view::npos ? parse_integer("")
                                                      : parse_integer(address.substr(colon + 1));
  constexpr std::int64_t kLastPort = 65535;
  const bool is_port = number && *number >= 0 && *number <= kLastPort;
  auto where = is_port ? endpoint_of(host, static_cast<std::uint16_t>(*number)) : std::nullopt;
  if (!where) {
    return fail(ErrorCode::usage, "/metrics_listen",
                fmt::format("found {}, expected an address and a port, as in 127.0.0.1:9404",
                            in_quotes(address)));
  }
  const auto cannot = [&] {
    return fail(ErrorCode::io_failure, std::string(address),
                fmt::format("cannot be listened on: {}", std::generic_category().message(errno)));
  };
  Descriptor socket(
      ::socket(where->address.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (socket.get() < 0) return cannot();
  const int yes = 1;
  ::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  auto* const raw = reinterpret_cast<sockaddr*>(&where->address);
  if (::bind(socket.get(), raw, where->size) != 0) return cannot();
  if (::listen(socket.get(), static_cast<int>(kVisits)) != 0) return cannot();
  if (::getsockname(socket.get(), raw, &where->size) != 0) return cannot();
  Descriptor epoll(::epoll_create1(EPOLL_CLOEXEC));
  if (epoll.get() < 0) return cannot();
  return MetricsPort(std::move(socket), std::move(epoll),
                     fmt::format("{}:{}", host, port_of(where->address)), where->is_local);
}

void MetricsPort::watch(int file, std::uint64_t id, std::uint32_t events, int operation) const {
  epoll_event event{};
  event.events = events;
  event.data.u64 = id;
  ::epoll_ctl(epoll_.get(), operation, file, &event);
}

double MetricsPort::wake() const {
  double out = std::numeric_limits<double>::infinity();
  for (const auto& [id, visit] : visits_) out = std::min(out, visit.deadline);
  return out;
}

void MetricsPort::attend(double now, const std::function<std::string()>& page) {
  std::array<epoll_event, kVisits + 1> events;
  const int count = ::epoll_wait(epoll_.get(), events.data(), static_cast<int>(events.size()), 0);
  for (int i = 0; i < count; ++i) {
    const std::uint64_t id = events[static_cast<std::size_t>(i)].data.u64;
    if (id == kDoor) {
      accept_some(now, page);
      continue;
    }
    const auto found = visits_.find(id);
    if (found != visits_.end() && !serve(id, found->second, page)) visits_.erase(found);
  }
  std::erase_if(visits_, [&](const auto& one) { return now >= one.second.deadline; });
}

// Accepts connections. Beyond the limit, the one that has waited longest makes room: who asks at once is answered, however many
// say nothing.
void MetricsPort::accept_some(double now, const std::function<std::string()>& page) {
  for (std::size_t i = 0; i < kVisits; ++i) {
    Descriptor file(::accept4(socket_.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
    if (file.get() < 0) return;
    if (visits_.size() >= kVisits) visits_.erase(visits_.begin());
    const std::uint64_t id = ++last_;
    watch(file.get(), id, EPOLLIN, EPOLL_CTL_ADD);
    const auto at =
        visits_.try_emplace(id, Visit{.file = std::move(file), .deadline = now + kTimeOfVisit})
            .first;
    if (!serve(id, at->second, page)) visits_.erase(at);
  }
}

bool MetricsPort::serve(std::uint64_t id, Visit& visit,
                        const std::function<std::string()>& page) const {
  if (visit.answer.empty()) {
    std::array<char, 4096> buffer;
    const auto count = ::recv(visit.file.get(), buffer.data(), buffer.size(), MSG_DONTWAIT);
    if (count < 0) return errno == EAGAIN || errno == EINTR;
    if (count == 0) return false;
    visit.request.append(buffer.data(), static_cast<std::size_t>(count));
    auto answer = answer_to(visit.request, page);
    if (!answer) return true;
    visit.answer = std::move(*answer);
  }
  while (visit.sent < visit.answer.size()) {
    const auto count = ::send(visit.file.get(), visit.answer.data() + visit.sent,
                              visit.answer.size() - visit.sent, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) {
      watch(visit.file.get(), id, EPOLLOUT, EPOLL_CTL_MOD);
      return true;
    }
    if (count <= 0) return false;
    visit.sent += static_cast<std::size_t>(count);
  }
  // The rest of the request is read, because closing a connection with unread data resets it, and the answer would be lost.
  ::shutdown(visit.file.get(), SHUT_WR);
  std::array<char, 4096> rest;
  for (std::size_t read = 0; read < kLongestRequest; read += rest.size()) {
    if (::recv(visit.file.get(), rest.data(), rest.size(), MSG_DONTWAIT) <= 0) break;
  }
  return false;
}

}  // namespace holdfast::arbiter
