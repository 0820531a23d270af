#pragma once

#include "holdfast/base/descriptor.hpp"
#include "holdfast/base/error.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace holdfast::arbiter {

/// Returns the answer to a request over HTTP: `page` for GET /metrics, a refusal for everything else, and nothing until the
/// request is complete or too long (8 KiB).
[[nodiscard]] std::optional<std::string> answer_to(std::string_view request,
                                                   const std::function<std::string()>& page);

/// A listening socket for GET /metrics, served by the loop of its owner. It keeps 16 connections at a time,
/// of which a new one replaces the oldest, waits 2 s for each, and gives each one answer.
class MetricsPort {
 public:
  /// @param address  "127.0.0.1:9404" or "[::1]:9404"; port 0: any that is free
  [[nodiscard]] static Result<MetricsPort> open(std::string_view address);
  MetricsPort(MetricsPort&&) noexcept = default;
  MetricsPort& operator=(MetricsPort&&) = delete;
  ~MetricsPort() = default;

  /// Returns the address with the port that is in use: "127.0.0.1:9404".
  [[nodiscard]] const std::string& address() const { return address_; }
  /// Returns false if programs on other machines can reach it.
  [[nodiscard]] bool is_local() const { return is_local_; }
  /// Returns a descriptor that can be read when attend() has something to do.
  [[nodiscard]] int get() const { return epoll_.get(); }
  /// Returns the latest date for the next call of attend().
  [[nodiscard]] double wake() const;
  void attend(double now, const std::function<std::string()>& page);

 private:
  struct Visit {
    Descriptor file;
    std::string request = {};
    std::string answer = {};
    std::size_t sent = 0;
    double deadline = 0;
  };

  MetricsPort(Descriptor socket, Descriptor epoll, std::string address, bool is_local);
  void watch(int file, std::uint64_t id, std::uint32_t events, int operation) const;
  void accept_some(double now, const std::function<std::string()>& page);
  /// Reads and answers the request of a visit. @returns false when the visit is over
  bool serve(std::uint64_t id, Visit& visit, const std::function<std::string()>& page) const;

  Descriptor socket_;
  Descriptor epoll_;
  std::string address_;
  bool is_local_ = true;
  std::map<std::uint64_t, Visit> visits_;
  std::uint64_t last_ = 0;
};

}  // namespace holdfast::arbiter
