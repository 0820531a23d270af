#include "holdfast/arbiter/listener.hpp"

#include "holdfast/base/text.hpp"

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

namespace holdfast::arbiter {
namespace {

constexpr mode_t kSocketMode = 0660;
constexpr int kBacklog = 1024;

tl::unexpected<Error> cannot(const std::string& path, std::string_view what, int code) {
  return fail(ErrorCode::io_failure, path,
              fmt::format("cannot {}: {}", what, std::generic_category().message(code)));
}

Descriptor new_socket() {
  return Descriptor(::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
}

const sockaddr* generic(const sockaddr_un& address) {
  return reinterpret_cast<const sockaddr*>(&address);
}

/// Removes a socket at the path if no server answers on it any more.
Status make_room(const std::string& path, const sockaddr_un& address) {
  struct stat file {};
  if (::lstat(path.c_str(), &file) != 0) return {};
  if (!S_ISSOCK(file.st_mode)) {
    return fail(ErrorCode::io_failure, path,
                "found a file that is no socket, expected a name that is free");
  }
  const Descriptor probe = new_socket();
  if (::connect(probe.get(), generic(address), sizeof address) == 0 || errno == EAGAIN) {
    return fail(ErrorCode::io_failure, path, "another server answers there");
  }
  if (errno != ECONNREFUSED) return cannot(path, "ask who answers there", errno);
  if (::unlink(path.c_str()) != 0) return cannot(path, "remove what a server left", errno);
  return {};
}

}  // namespace

Result<sockaddr_un> address_of_socket(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) {
    return fail(ErrorCode::usage, "/socket",
                fmt::format("found a path of {} bytes, expected fewer than {}", path.size(),
                            sizeof address.sun_path));
  }
  std::copy(path.begin(), path.end(), address.sun_path);
  return address;
}

Result<Listener> Listener::open(const std::string& path, std::optional<std::uint32_t> group) {
  HOLDFAST_TRY(address, address_of_socket(path));
  HOLDFAST_CHECK(make_room(path, address));
  Descriptor socket = new_socket();
  if (socket.get() < 0) return cannot(path, "make a socket", errno);
  // No client may connect before the group and the mode are set.
  const mode_t before = ::umask(0177);
  const int code = ::bind(socket.get(), generic(address), sizeof address) == 0 ? 0 : errno;
  ::umask(before);
  if (code != 0) return cannot(path, "be bound", code);
  Listener out(path, std::move(socket));
  if (group && ::chown(path.c_str(), static_cast<uid_t>(-1), *group) != 0) {
    return cannot(path, "be given to its group", errno);
  }
  if (::chmod(path.c_str(), kSocketMode) != 0) return cannot(path, "be given its mode", errno);
  if (::listen(out.get(), kBacklog) != 0) return cannot(path, "be listened on", errno);
  return out;
}

Listener::~Listener() {
  if (socket_.get() >= 0) ::unlink(path_.c_str());
}

}  // namespace holdfast::arbiter
