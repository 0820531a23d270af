#pragma once

#include "holdfast/arbiter/core.hpp"
#include "holdfast/base/error.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/base/voice.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace holdfast::arbiter {

/// The default path of the socket, on which a server listens and programs look for it.
inline constexpr std::string_view kUsualSocket = "/run/holdfast/io.sock";

struct ServerOptions {
  std::string socket = std::string(kUsualSocket);  ///< path
  std::optional<std::uint32_t> group = {};         ///< group whose members may connect
  std::optional<std::uint32_t> observers = {};     ///< group whose members may watch everything
  std::string policy = "periodic-greedy-yield";
  std::filesystem::path record = {};  ///< file to which events are written; empty: none
  Settings settings;
  std::string state = {};           ///< file that keeps ages and delays; empty: none
  std::string metrics_file = {};    ///< file with the metrics; empty: none
  std::string metrics_listen = {};  ///< address that answers GET /metrics; empty: none
  Value given = {};                 ///< the options as they were given
  /// Reads the options again, with the file that --config names; null: there is no file.
  std::function<Result<ServerOptions>()> again = {};
};

/// The arbiter on a Unix socket: one thread with one loop around a Core. It opens no files of its users, executes nothing, and
/// waits for no client. Data that a client does not read are kept up to a limit; then its connection is closed.
class Server {
 public:
  Server(const ServerOptions& options, const Voice& voice);
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  ~Server();

  /// Serves until SIGTERM or SIGINT.
  /// @returns the exit code, or the reason why it could not start
  [[nodiscard]] Result<int> run();

 private:
  class Loop;
  std::unique_ptr<Loop> loop_;
};

}  // namespace holdfast::arbiter
