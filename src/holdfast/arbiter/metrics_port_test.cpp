#include "holdfast/arbiter/metrics_port.hpp"

#include "holdfast/base/descriptor.hpp"
#include "holdfast/base/units.hpp"

#include <arpa/inet.h>
#include <doctest/doctest.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <limits>
#include <string>
#include <vector>

using namespace holdfast;
using namespace holdfast::arbiter;

namespace {

std::string page() {
  return "up 1\n";
}

std::string status_of(const std::string& request) {
  const auto answer = answer_to(request, page);
  REQUIRE(answer);
  return answer->substr(9, answer->find("\r\n") - 9);
}

Descriptor visit(const MetricsPort& port) {
  const std::string& address = port.address();
  sockaddr_in where{};
  where.sin_family = AF_INET;
  where.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  where.sin_port = htons(
      static_cast<std::uint16_t>(parse_integer(address.substr(address.rfind(':') + 1)).value()));
  Descriptor out(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  REQUIRE(::connect(out.get(), reinterpret_cast<sockaddr*>(&where), sizeof where) == 0);
  return out;
}

void say(const Descriptor& to, const std::string& text) {
  REQUIRE(::send(to.get(), text.data(), text.size(), MSG_NOSIGNAL) ==
          static_cast<ssize_t>(text.size()));
}

bool can_be_read(int file, int milliseconds) {
  pollfd one{file, POLLIN, 0};
  return ::poll(&one, 1, milliseconds) == 1;
}

/// Serves the port until the visitor has received everything, which it returns.
std::string hear(MetricsPort& port, const Descriptor& visitor, double now) {
  std::string out;
  std::array<char, 4096> buffer;
  for (;;) {
    while (can_be_read(port.get(), 0)) port.attend(now, page);
    if (!can_be_read(visitor.get(), 10)) continue;
    const auto count = ::recv(visitor.get(), buffer.data(), buffer.size(), 0);
    if (count <= 0) return out;
    out.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

}  // namespace

TEST_CASE("GET /metrics is answered, and nothing else") {
  CHECK(status_of("GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n") == "200 OK");
  CHECK(status_of("GET /metrics HTTP/1.0\n\n") == "200 OK");
  CHECK(status_of("GET /metrics?x=1 HTTP/1.1\r\n\r\n") == "200 OK");
  CHECK(status_of("POST /metrics HTTP/1.1\r\n\r\n") == "405 Method Not Allowed");
  CHECK(status_of("HEAD /metrics HTTP/1.1\r\n\r\n") == "405 Method Not Allowed");
  CHECK(status_of("GET /other HTTP/1.1\r\n\r\n") == "404 Not Found");
  CHECK(status_of("GET /metrics/../etc HTTP/1.1\r\n\r\n") == "404 Not Found");
  CHECK(status_of("GET  /metrics HTTP/1.1\r\n\r\n") == "400 Bad Request");
  CHECK(status_of("GET /metrics\r\n\r\n") == "400 Bad Request");
  CHECK(status_of("GET /metrics HTTP/2\r\n\r\n") == "400 Bad Request");
  CHECK(status_of("\r\n\r\n") == "400 Bad Request");
  CHECK(!answer_to("GET /metrics HTTP/1.1\r\nHost: x\r\n", page));
  CHECK(!answer_to("", page));
  CHECK(!answer_to(std::string(8191, 'x'), page));
  CHECK(status_of(std::string(8192, 'x')) == "431 Request Header Fields Too Large");
  CHECK(status_of("GET /metrics HTTP/1.1\r\nx: " + std::string(9000, 'x') + "\r\n\r\n") ==
        "431 Request Header Fields Too Large");
  const auto whole = answer_to("GET /metrics HTTP/1.1\r\n\r\n", page);
  CHECK(whole->find("Content-Length: 5\r\n") != std::string::npos);
  CHECK(whole->ends_with("\r\n\r\nup 1\n"));
}

TEST_CASE("visitors are answered, and those who say nothing are sent away after 2 s") {
  auto port = MetricsPort::open("127.0.0.1:0");
  REQUIRE(port);
  CHECK(port->is_local());
  CHECK(port->wake() == std::numeric_limits<double>::infinity());
  const Descriptor silent = visit(*port);
  const Descriptor asks = visit(*port);
  say(asks, "GET /metrics HTTP/1.1\r\n");
  REQUIRE(can_be_read(port->get(), 60'000));
  port->attend(10, page);
  CHECK(port->wake() == 12);
  say(asks, "\r\n");
  CHECK(hear(*port, asks, 11).ends_with("up 1\n"));
  port->attend(11.9, page);
  CHECK(!can_be_read(silent.get(), 0));
  port->attend(12, page);
  CHECK(can_be_read(silent.get(), 60'000));
  CHECK(port->wake() == std::numeric_limits<double>::infinity());
}

TEST_CASE("a crowd of silent visitors keeps nobody out") {
  auto port = MetricsPort::open("127.0.0.1:0");
  REQUIRE(port);
  std::vector<Descriptor> crowd;
  for (int i = 0; i < 100; ++i) {
    crowd.push_back(visit(*port));
    REQUIRE(can_be_read(port->get(), 60'000));
    port->attend(0, page);
    // Of those who say nothing, the last 16 are kept.
    if (i >= 16) CHECK(can_be_read(crowd[static_cast<std::size_t>(i) - 16].get(), 60'000));
  }
  const Descriptor asks = visit(*port);
  say(asks, "GET /metrics HTTP/1.1\r\n\r\n");
  CHECK(hear(*port, asks, 0).ends_with("up 1\n"));
  port->attend(2, page);
  CHECK(port->wake() == std::numeric_limits<double>::infinity());
}

TEST_CASE("a wrong address is refused, and one that others can reach is recognised") {
  for (const std::string text : {"", "9404", "localhost:9404", "127.0.0.1:", "127.0.0.1:65536",
                                 "127.0.0.1:-1", "127.0.0.1:x", "[::1:9404", "::1:9404"}) {
    const auto port = MetricsPort::open(text);
    REQUIRE(!port);
    CHECK(port.error().where == "/metrics_listen");
  }
  const auto everywhere = MetricsPort::open("0.0.0.0:0");
  REQUIRE(everywhere);
  CHECK(!everywhere->is_local());
  auto first = MetricsPort::open("127.0.0.1:0");
  REQUIRE(first);
  const auto second = MetricsPort::open(first->address());
  REQUIRE(!second);
  CHECK(exit_code(second.error().code) == 4);
}
