#pragma once

#include "holdfast/arbiter/core.hpp"
#include "holdfast/base/error.hpp"
#include "holdfast/base/voice.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace holdfast::arbiter {

/// Where a server listens, and programs look for it, unless somebody says otherwise.
inline constexpr std::string_view kUsualSocket = "/run/holdfast/io.sock";

struct ServerOptions {
  std::string socket = std::string(kUsualSocket);  ///< path
  std::optional<std::uint32_t> group = {};         ///< whose members may connect
  std::optional<std::uint32_t> observers = {};     ///< whose members may watch everything
  std::string policy = "periodic-greedy-yield";
  std::filesystem::path record = {};  ///< what happens is written there; empty: nowhere
  Settings settings;
};

/// The arbiter on a Unix socket: one thread, one loop around a Core. It opens no file of its users, executes nothing, and waits
/// for no client: what a client does not read is kept up to a limit, and then its connection is closed.
class Server {
 public:
  Server(const ServerOptions& options, Voice voice);
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  ~Server();

  /// Serves until SIGTERM or SIGINT.
  /// @returns the exit code, or why it could not begin
  [[nodiscard]] Result<int> run();

 private:
  class Loop;
  std::unique_ptr<Loop> loop_;
};

}  // namespace holdfast::arbiter
