// Target of the arbiter's C library: an arbiter that says what it likes, when it likes, to a program that does the same. The
// library is compiled with a clock of this program, which moves on while it sleeps.
#include <client.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "fuzz/fuzz_target.hpp"
#include "fuzz/script.hpp"
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <string>
#include <string_view>

namespace holdfast::fuzz {
namespace {

/// Longest wait of a call that may last as long as it takes: a pause of 120 s, a debt of ten seconds and a bucket at the slowest
/// rate, and some steps of sleep.
constexpr double kLongestWait = 160;
constexpr std::size_t kLongestScript = 4096;

/// The other end of a client's socket.
class Arbiter {
 public:
  Arbiter(hf_io& io, Script& script) : io_(io), script_(script) {}
  Arbiter(const Arbiter&) = delete;
  Arbiter& operator=(const Arbiter&) = delete;
  ~Arbiter() { hang_up(); }

  /// As if the client had found it.
  void answer_call() {
    std::array<int, 2> ends{};
    if (io_.stage != HF_CLIENT_AWAY || clock_of_client < io_.retry_at) return;
    hang_up();
    promise(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends.data()) == 0, "sockets");
    end_ = ends[0];
    io_.file = ends[1];
    io_.stage = HF_CLIENT_GREETING;
    io_.since = clock_of_client;
    io_.said = 0;
    io_.heard = 0;
    io_.heard_at = 0;
    io_.operation = 0;
    said_ = 0;
  }

  void act() {
    std::array<char, 4096> heard;
    if (end_ >= 0) {
      while (::recv(end_, heard.data(), heard.size(), MSG_DONTWAIT) > 0) continue;
    }
    switch (script_.byte() % 16) {
      case 0:
        hang_up();
        break;
      case 1:
        answer_call();
        break;
      case 2:
        talk_nonsense();
        break;
      case 3:
      case 4:
        say(WIRE_WELCOME, 48);
        break;
      case 5:
        say(WIRE_PING, 8);
        break;
      case 6:
      case 7:
        say(WIRE_ERROR, 128);
        break;
      default:
        say(WIRE_GRANT, 32);
    }
  }

  static double clock_of_client;

 private:
  void hang_up() {
    if (end_ >= 0) ::close(end_);
    end_ = -1;
  }

  void send(const unsigned char* data, std::size_t size) const {
    if (end_ >= 0) static_cast<void>(::send(end_, data, size, MSG_DONTWAIT | MSG_NOSIGNAL));
  }

  void talk_nonsense() {
    std::array<unsigned char, 64> bytes;
    const std::size_t size = script_.byte() % bytes.size();
    for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<unsigned char>(script_.byte());
    send(bytes.data(), size);
  }

  void say(unsigned char type, std::uint32_t size) {
    std::array<unsigned char, WIRE_LONGEST> frame{};
    unsigned char* body = wire_begin(frame.data(), type, size, ++said_);
    if (type == WIRE_WELCOME) {
      wire_put(body, script_.number(), 8);
      wire_put(body + 8, script_.byte() % 4, 4);
      wire_put(body + 12, script_.number(), 4);
      wire_put(body + 16, script_.number(), 4);
      wire_put(body + 24, script_.number(), 8);
    } else if (type == WIRE_GRANT) {
      wire_put(body, script_.byte() % 8 == 0 ? script_.number() : io_.operation, 8);
      wire_put(body + 8, script_.byte() % 2 == 0 ? 0 : script_.number(), 8);
      wire_put(body + 16, script_.byte() % 4, 4);
      wire_put(body + 20, script_.number(), 4);
      wire_put(body + 24, script_.number(), 8);
    } else {
      wire_put(body, script_.byte() % 10, 4);
    }
    if (script_.byte() % 32 == 0) frame[script_.byte() % 16] ^= 1;
    send(frame.data(), WIRE_HEADER + size);
  }

  hf_io& io_;
  Script& script_;
  int end_ = -1;
  std::uint32_t said_ = 0;
};

double Arbiter::clock_of_client = 0;
Arbiter* present = nullptr;
Script* present_script = nullptr;

}  // namespace
}  // namespace holdfast::fuzz

extern "C" int fuzz_clock_gettime(clockid_t /*clock*/, timespec* out) {
  const double now = holdfast::fuzz::Arbiter::clock_of_client;
  out->tv_sec = static_cast<time_t>(now);
  out->tv_nsec = static_cast<long>(1e9 * (now - std::floor(now)));
  return 0;
}

// The arbiter may act while the client sleeps, and wakes it by that.
extern "C" int fuzz_ppoll(pollfd* /*ends*/, nfds_t /*count*/, const timespec* time,
                          const void* /*mask*/) {
  using namespace holdfast::fuzz;
  double seconds = static_cast<double>(time->tv_sec) + 1e-9 * static_cast<double>(time->tv_nsec);
  if (!present_script->is_over() && present_script->byte() % 2 == 0) {
    seconds *= static_cast<double>(present_script->byte()) / 256;
    present->act();
  }
  Arbiter::clock_of_client += std::max(seconds, 1e-6);
  return 0;
}

namespace holdfast::fuzz {
namespace {

void feed_client(std::string_view bytes) {
  if (bytes.size() > kLongestScript) return;
  Script script(bytes, 1000);
  hf_io* io = nullptr;
  hf_io_options options{};
  options.size = sizeof options;
  Arbiter::clock_of_client = 1000;
  promise(hf_io_open(&io, &options) == HF_IO_OK, "a client can be made");
  Arbiter arbiter(*io, script);
  present = &arbiter;
  present_script = &script;
  arbiter.answer_call();
  while (!script.is_over()) {
    switch (script.byte() % 8) {
      case 0:
        static_cast<void>(
            hf_io_begin(io, script.number(), 1 + static_cast<int>(script.byte() % 2)));
        break;
      case 1: {
        const std::uint64_t most = 1 + script.number() % (std::uint64_t{1} << 50U);
        const int timeout = script.byte() % 2 == 0 ? -1 : static_cast<int>(script.byte()) * 10;
        const double before = Arbiter::clock_of_client;
        const std::int64_t may = hf_io_wait(io, most, timeout);
        const double took = Arbiter::clock_of_client - before;
        promise(may <= static_cast<std::int64_t>(most), "no more may move than was asked for");
        promise(may != 0 || timeout >= 0, "a wait without an end ends with something to do");
        promise(took <= kLongestWait, "no wait is longer than a pause, a debt and a chunk");
        promise(timeout < 0 || took <= 1e-3 * timeout + 1, "a wait ends when it was told to");
        break;
      }
      case 2:
        static_cast<void>(hf_io_moved(io, script.number()));
        break;
      case 3:
        static_cast<void>(hf_io_end(io));
        break;
      case 4:
        Arbiter::clock_of_client += static_cast<double>(script.byte()) / 8;
        break;
      case 5: {
        hf_io_state state{};
        state.size = sizeof state;
        promise(hf_io_get_state(io, &state) == HF_IO_OK, "a client says where it stands");
        break;
      }
      default:
        arbiter.act();
    }
    promise(io->in_size <= sizeof io->in && io->out_size <= sizeof io->out, "buffers have an end");
  }
  hf_io_close(io);
}

}  // namespace

std::span<const Target> targets() {
  static constexpr std::array<Target, 1> kTargets = {{{"arbiter_client", feed_client}}};
  return kTargets;
}

}  // namespace holdfast::fuzz
