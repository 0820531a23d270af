// The client with an arbiter that comes and goes, and threads that share a handle.
#include <doctest/doctest.h>
#include <holdfast_io.h>
#include <poll.h>
#include <process.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>
#include <wire.h>

#include <atomic>
#include <cstdint>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr std::uint64_t kMegabyte = 1'000'000;

/// An arbiter that grants 200 MB/s, takes it back, closes operations, and hangs up now and then.
class Moody {
 public:
  Moody() : path_("/tmp/hf-client-test-" + std::to_string(::getpid())) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, path_.c_str(), path_.size());
    ::unlink(path_.c_str());
    listener_ = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    REQUIRE(::bind(listener_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
    REQUIRE(::listen(listener_, 64) == 0);
    thread_ = std::thread([this] { serve(); });
  }
  Moody(const Moody&) = delete;
  Moody& operator=(const Moody&) = delete;
  ~Moody() {
    is_over_ = true;
    thread_.join();
    for (const Link& link : links_) ::close(link.file);
    ::close(listener_);
    ::unlink(path_.c_str());
  }
  [[nodiscard]] const char* path() const { return path_.c_str(); }
  [[nodiscard]] int posts() const { return posts_; }

 private:
  struct Link {
    int file;
    std::uint32_t said;
    std::uint32_t heard;
  };

  static void say(Link& link, unsigned char type, std::uint32_t size, std::uint64_t first,
                  std::uint64_t second) {
    unsigned char frame[WIRE_LONGEST] = {};
    unsigned char* body = wire_begin(frame, type, size, ++link.said);
    wire_put(body, first, 8);
    if (type == WIRE_WELCOME) {
      wire_put(body + 12, 10'000, 4);
      wire_put(body + 16, 100, 4);
      wire_put(body + 24, kMegabyte, 8);
    }
    if (type == WIRE_GRANT) {
      wire_put(body + 8, second, 8);
      wire_put(body + 20, 10'000, 4);
      wire_put(body + 24, kMegabyte, 8);
    }
    static_cast<void>(::send(link.file, frame, WIRE_HEADER + size, MSG_NOSIGNAL));
  }

  // Whether the connection goes on.
  bool hear(Link& link) {
    unsigned char header[WIRE_HEADER];
    unsigned char body[512];
    if (::recv(link.file, header, sizeof header, MSG_WAITALL) != WIRE_HEADER) return false;
    const std::uint64_t size = wire_get(header + 8, 4);
    if (size > sizeof body) return false;
    if (::recv(link.file, body, size, MSG_WAITALL) != static_cast<ssize_t>(size)) return false;
    CHECK(wire_get(header + 12, 4) == ++link.heard);
    if (header[5] == WIRE_HELLO) say(link, WIRE_WELCOME, 48, 7, 0);
    if (header[5] == WIRE_POST) {
      ++posts_;
      say(link, WIRE_GRANT, 32, wire_get(body + 8, 8), 200 * kMegabyte);
    }
    if (header[5] == WIRE_REPORT) {
      const std::uint64_t operation = wire_get(body + 8, 8);
      if (++reports_ % 7 == 0) say(link, WIRE_ERROR, 128, WIRE_IDLE_OPERATION, 0);
      if (reports_ % 5 == 0) say(link, WIRE_GRANT, 32, operation, 0);
      say(link, WIRE_GRANT, 32, operation, (100 + 50 * (reports_ % 3)) * kMegabyte);
      if (reports_ % 23 == 0) return false;
    }
    return true;
  }

  void serve() {
    while (!is_over_) {
      std::vector<pollfd> ends = {{listener_, POLLIN, 0}};
      for (const Link& link : links_) ends.push_back({link.file, POLLIN, 0});
      if (::poll(ends.data(), ends.size(), 10) <= 0) continue;
      for (std::size_t i = ends.size(); --i > 0;) {
        if (ends[i].revents == 0 || hear(links_[i - 1])) continue;
        ::close(links_[i - 1].file);
        links_.erase(links_.begin() + static_cast<std::ptrdiff_t>(i - 1));
      }
      if (ends[0].revents != 0) {
        links_.push_back({::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC), 0, 0});
      }
    }
  }

  std::string path_;
  int listener_ = -1;
  std::atomic<bool> is_over_ = false;
  std::atomic<int> posts_ = 0;
  std::uint64_t reports_ = 0;
  std::vector<Link> links_;
  std::thread thread_;
};

hf_io* open_at(const char* path) {
  hf_io_options options{};
  options.size = sizeof options;
  options.socket = path;
  options.label = "test";
  hf_io* out = nullptr;
  REQUIRE(hf_io_open(&out, &options) == HF_IO_OK);
  return out;
}

std::uint64_t moved_of(const hf_io* io) {
  hf_io_state state{};
  state.size = sizeof state;
  REQUIRE(hf_io_get_state(io, &state) == HF_IO_OK);
  return state.moved;
}

/// As much as a program would write. @returns whether every call was in order
bool move(hf_io* io, std::uint64_t bytes) {
  while (bytes > 0) {
    const std::int64_t may = hf_io_wait(io, bytes, -1);
    if (may <= 0 || hf_io_moved(io, static_cast<std::uint64_t>(may)) != HF_IO_OK) return false;
    bytes -= static_cast<std::uint64_t>(may);
  }
  return true;
}

}  // namespace

TEST_CASE("threads share a handle, and each byte is counted once, whatever the arbiter does") {
  Moody arbiter;
  hf_io* io = open_at(arbiter.path());
  REQUIRE(hf_io_begin(io, HF_IO_UNKNOWN, HF_IO_WRITE) == HF_IO_OK);
  std::atomic<int> good = 0;
  std::vector<std::thread> threads;
  for (int k = 0; k < 4; ++k) {
    threads.emplace_back([&] { good += move(io, 20 * kMegabyte) ? 1 : 0; });
  }
  threads.emplace_back([&] {  // one that looks on
    for (int i = 0; i < 200; ++i) static_cast<void>(moved_of(io));
  });
  for (std::thread& one : threads) one.join();
  CHECK(good == 4);
  CHECK(moved_of(io) == 80 * kMegabyte);
  CHECK(hf_io_end(io) == HF_IO_OK);
  CHECK(arbiter.posts() > 0);
  hf_io_close(io);
}

TEST_CASE("threads with a handle each") {
  Moody arbiter;
  std::atomic<int> good = 0;
  std::vector<std::thread> threads;
  for (int k = 0; k < 4; ++k) {
    threads.emplace_back([&] {
      hf_io* io = open_at(arbiter.path());
      for (int round = 0; round < 5; ++round) {
        const bool is_begun = hf_io_begin(io, 2 * kMegabyte, HF_IO_WRITE) == HF_IO_OK;
        const bool is_moved = move(io, 2 * kMegabyte);
        good += is_begun && is_moved && hf_io_end(io) == HF_IO_OK ? 1 : 0;
      }
      hf_io_close(io);
    });
  }
  for (std::thread& one : threads) one.join();
  CHECK(good == 20);
}

TEST_CASE("an operation that one thread ends wakes those that wait in it") {
  Moody arbiter;
  hf_io* io = open_at(arbiter.path());
  REQUIRE(hf_io_begin(io, HF_IO_UNKNOWN, HF_IO_WRITE) == HF_IO_OK);
  std::thread other([&] {
    while (move(io, 10 * kMegabyte)) continue;
  });
  while (moved_of(io) < kMegabyte) std::this_thread::yield();
  CHECK(hf_io_end(io) == HF_IO_OK);
  other.join();
  hf_io_close(io);
}

TEST_CASE("the child of a fork is another process, that of a vfork is not") {
  hf_process_prepare();
  const std::uint64_t own = hf_process_number();
  CHECK(own != 0);
  CHECK(hf_process_number() == own);
  auto* seen = static_cast<std::uint64_t*>(
      ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  REQUIRE(seen != MAP_FAILED);
  pid_t child = ::fork();
  if (child == 0) {
    seen[0] = hf_process_number();
    const pid_t grandchild = ::fork();
    if (grandchild == 0) {
      seen[1] = hf_process_number();
      ::_exit(0);
    }
    ::waitpid(grandchild, nullptr, 0);
    ::_exit(0);
  }
  ::waitpid(child, nullptr, 0);
  CHECK(seen[0] != own);
  CHECK(seen[1] != own);
  CHECK(seen[1] != seen[0]);
  child = ::vfork();
  if (child == 0) {
    seen[2] = hf_process_number();
    ::_exit(0);
  }
  ::waitpid(child, nullptr, 0);
#ifdef __SANITIZE_THREAD__
  MESSAGE("skipped: under the thread sanitizer vfork is fork");
#else
  CHECK(seen[2] == own);
#endif
  ::munmap(seen, 4096);
}
