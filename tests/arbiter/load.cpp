// What an arbiter bears: load PROGRAM [CONNECTIONS [APPLICATIONS [SECONDS]]] starts `holdfast io serve`, posts operations and ends
// them at once, at a steady pace whether the answers come or not, and prints how long grants take, beside a server that does
// nothing but echo, and whether what an arbiter must bear is borne (exit code 1 if not). docs/arbiter.md says what it printed.
#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>
#include <wire.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

namespace {

constexpr std::size_t kEchoed = 48;

// What must hold.
constexpr double kMostTimesEcho = 3;
constexpr double kMostLatency = 0.020;    // seconds, p99
constexpr double kMostMemory = 8 * 1024;  // bytes per connection
constexpr double kMostOfCore = 0.25;      // at kCalm
constexpr double kLeastPosts = 8000;      // per second, over kActive connections
constexpr double kSteady = 2000;          // posts/s over all connections
constexpr double kCalm = 500;             // posts/s over all connections
constexpr double kEager = 8500;           // posts/s over kActive connections
constexpr std::size_t kActive = 100;

double now() {
  const std::chrono::duration<double> since = std::chrono::steady_clock::now().time_since_epoch();
  return since.count();
}

[[noreturn]] void give_up(const char* what) {
  std::perror(what);
  std::exit(4);
}

int connect_to(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path.c_str(), path.size());
  const int file = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  for (int tries = 0;
       ::connect(file, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0;) {
    if (++tries > 1000) give_up("connect");
    ::usleep(10'000);
  }
  ::fcntl(file, F_SETFL, O_NONBLOCK);
  return file;
}

/// Sends back what it gets, and does nothing else.
[[noreturn]] void echo(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path.c_str(), path.size());
  const int listener = ::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);
  if (::bind(listener, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) give_up("bind");
  ::listen(listener, 1024);
  const int poll = ::epoll_create1(0);
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.fd = listener;
  ::epoll_ctl(poll, EPOLL_CTL_ADD, listener, &event);
  std::array<epoll_event, 128> events;
  std::array<char, 4096> data;
  for (;;) {
    const int count = ::epoll_wait(poll, events.data(), static_cast<int>(events.size()), -1);
    for (int i = 0; i < count; ++i) {
      const int file = events[static_cast<std::size_t>(i)].data.fd;
      if (file == listener) {
        const int one = ::accept4(listener, nullptr, nullptr, SOCK_NONBLOCK);
        event.data.fd = one;
        if (one >= 0) ::epoll_ctl(poll, EPOLL_CTL_ADD, one, &event);
        continue;
      }
      const auto size = ::recv(file, data.data(), data.size(), 0);
      if (size <= 0) {
        ::close(file);
      } else {
        static_cast<void>(::send(file, data.data(), static_cast<std::size_t>(size), MSG_NOSIGNAL));
      }
    }
  }
}

class Child {
 public:
  explicit Child(pid_t id) : id_(id) {}
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() {
    ::kill(id_, SIGTERM);
    ::waitpid(id_, nullptr, 0);
  }
  /// Seconds of its processor time.
  [[nodiscard]] double busy() const {
    std::ifstream file("/proc/" + std::to_string(id_) + "/stat");
    std::string word;
    double ticks = 0;
    for (int i = 1; i <= 15 && file >> word; ++i) {
      if (i >= 14) ticks += std::stod(word);
    }
    return ticks / static_cast<double>(::sysconf(_SC_CLK_TCK));
  }
  /// Bytes that it has in memory.
  [[nodiscard]] double memory() const {
    std::ifstream file("/proc/" + std::to_string(id_) + "/statm");
    double all = 0;
    double resident = 0;
    file >> all >> resident;
    return resident * static_cast<double>(::sysconf(_SC_PAGESIZE));
  }

 private:
  pid_t id_;
};

struct Figures {
  std::vector<double> latencies = {};
  double asked = 0;      // per second
  double answered = 0;   // per second
  std::size_t busy = 0;  // exchanges that found their connection still waiting
  [[nodiscard]] double part(double share) {
    if (latencies.empty()) return 0;
    const auto at = static_cast<std::size_t>(share * static_cast<double>(latencies.size() - 1));
    std::nth_element(latencies.begin(), latencies.begin() + static_cast<std::ptrdiff_t>(at),
                     latencies.end());
    return latencies[at];
  }
};

/// Connections to one server, with at most one exchange each.
class Crowd {
 public:
  Crowd(const std::string& path, std::size_t count, std::size_t applications, bool is_echo)
      : is_echo_(is_echo), poll_(::epoll_create1(0)), links_(count) {
    for (std::size_t i = 0; i < count; ++i) {
      links_[i].file = connect_to(path);
      epoll_event event{};
      event.events = EPOLLIN;
      event.data.u64 = i;
      ::epoll_ctl(poll_, EPOLL_CTL_ADD, links_[i].file, &event);
      if (!is_echo) say_hello(links_[i], "application " + std::to_string(i % applications));
      if (!is_echo && i % 64 == 63) hear(0);
    }
    const double end = now() + 60;
    while (!is_echo && welcomed_ < count) {
      hear(0.1);
      if (now() > end) give_up("not all were welcomed");
    }
  }
  Crowd(const Crowd&) = delete;
  Crowd& operator=(const Crowd&) = delete;
  ~Crowd() {
    for (const Link& link : links_) ::close(link.file);
    ::close(poll_);
  }

  /// So many exchanges a second over the first `active` connections.
  Figures run(double rate, double seconds, std::size_t active) {
    figures_ = {};
    const double begin = now();
    std::size_t next = 0;
    for (std::uint64_t k = 0; static_cast<double>(k) < rate * seconds;) {
      const double due = begin + static_cast<double>(k) / rate;
      const double wait = due - now();
      if (wait > 0) {
        hear(wait);
        continue;
      }
      Link& link = links_[next++ % active];
      ++k;
      if (link.asked_at > 0) {
        ++figures_.busy;
        continue;
      }
      // From when it was due: who sends late because it is behind has waited, too.
      ask(link, due);
    }
    figures_.asked = rate;
    const double end = now();
    figures_.answered = static_cast<double>(figures_.latencies.size()) / (end - begin);
    while (waiting_ > 0 && now() < end + 5) hear(0.1);
    return std::move(figures_);
  }

 private:
  struct Link {
    int file = -1;
    std::uint32_t said = 0;
    std::uint64_t handle = 0;
    std::uint64_t operation = 0;
    double asked_at = 0;
    std::array<unsigned char, 512> in{};
    std::size_t in_size = 0;
  };

  static void send(const Link& link, const unsigned char* data, std::size_t size) {
    if (::send(link.file, data, size, MSG_NOSIGNAL) != static_cast<ssize_t>(size)) give_up("send");
  }

  static void say_hello(Link& link, const std::string& label) {
    std::array<unsigned char, WIRE_HEADER + 104> frame{};
    unsigned char* body = wire_begin(frame.data(), WIRE_HELLO, 104, ++link.said);
    body[20] = 1;
    std::memcpy(body + 24, label.c_str(), label.size());
    send(link, frame.data(), frame.size());
  }

  void ask(Link& link, double date) {
    std::array<unsigned char, WIRE_HEADER + 32> frame{};
    if (!is_echo_) {
      unsigned char* body = wire_begin(frame.data(), WIRE_POST, 32, ++link.said);
      wire_put(body, link.handle, 8);
      wire_put(body + 8, ++link.operation, 8);
      wire_put(body + 16, 1'000'000, 8);
      wire_put(body + 24, 1, 4);
    }
    static_assert(sizeof frame == kEchoed);
    link.asked_at = date;
    ++waiting_;
    send(link, frame.data(), frame.size());
  }

  void answered(Link& link) {
    if (link.asked_at <= 0) return;
    figures_.latencies.push_back(now() - link.asked_at);
    link.asked_at = 0;
    --waiting_;
  }

  void hear(double seconds) {
    std::array<epoll_event, 128> events;
    const int wait = static_cast<int>(seconds * 1e3);
    const int count = ::epoll_wait(poll_, events.data(), static_cast<int>(events.size()), wait);
    for (int i = 0; i < count; ++i) read(links_[events[static_cast<std::size_t>(i)].data.u64]);
  }

  void read(Link& link) {
    const auto size =
        ::recv(link.file, link.in.data() + link.in_size, link.in.size() - link.in_size, 0);
    if (size <= 0) give_up("a connection was closed");
    link.in_size += static_cast<std::size_t>(size);
    std::size_t at = 0;
    while (is_echo_ && link.in_size - at >= kEchoed) {
      at += kEchoed;
      answered(link);
    }
    while (!is_echo_ && link.in_size - at >= WIRE_HEADER) {
      const unsigned char* frame = link.in.data() + at;
      const std::uint32_t body = static_cast<std::uint32_t>(wire_get(frame + 8, 4));
      if (link.in_size - at < WIRE_HEADER + body) break;
      on_frame(link, frame[5], frame + WIRE_HEADER);
      at += WIRE_HEADER + body;
    }
    std::copy(link.in.begin() + static_cast<std::ptrdiff_t>(at),
              link.in.begin() + static_cast<std::ptrdiff_t>(link.in_size), link.in.begin());
    link.in_size -= at;
  }

  void on_frame(Link& link, int type, const unsigned char* body) {
    if (type == WIRE_WELCOME) {
      link.handle = wire_get(body, 8);
      ++welcomed_;
    } else if (type == WIRE_GRANT && wire_get(body, 8) == link.operation && link.asked_at > 0) {
      answered(link);
      std::array<unsigned char, WIRE_HEADER + 32> frame{};
      unsigned char* done = wire_begin(frame.data(), WIRE_DONE, 32, ++link.said);
      wire_put(done, link.handle, 8);
      wire_put(done + 8, link.operation, 8);
      wire_put(done + 16, 1'000'000, 8);
      send(link, frame.data(), frame.size());
    } else if (type == WIRE_ERROR) {
      std::fprintf(stderr, "the arbiter said: %.120s\n", reinterpret_cast<const char*>(body + 8));
      std::exit(4);
    }
  }

  bool is_echo_;
  int poll_;
  std::vector<Link> links_;
  std::size_t welcomed_ = 0;
  std::size_t waiting_ = 0;
  Figures figures_;
};

/// Says whether a figure is within its bound, and remembers if one was not.
class Verdict {
 public:
  void at_most(const char* what, double found, double bound, const char* unit) {
    say(what, found, "at most", bound, unit, found <= bound);
  }
  void at_least(const char* what, double found, double bound, const char* unit) {
    say(what, found, "at least", bound, unit, found >= bound);
  }
  [[nodiscard]] int exit_code() const { return holds_ ? 0 : 1; }

 private:
  void say(const char* what, double found, const char* relation, double bound, const char* unit,
           bool holds) {
    std::printf("%-34s %8.2f %s, %s %g: %s\n", what, found, unit, relation, bound,
                holds ? "holds" : "DOES NOT HOLD");
    holds_ = holds_ && holds;
  }
  bool holds_ = true;
};

Figures tell(const char* what, Figures figures) {
  std::printf(
      "%-34s %6.0f/s asked, %6.0f/s answered; p50 %6.2f ms, p99 %6.2f ms, longest %6.2f ms\n", what,
      figures.asked, figures.answered, 1e3 * figures.part(0.5), 1e3 * figures.part(0.99),
      1e3 * figures.part(1));
  std::fflush(stdout);
  return figures;
}

}  // namespace

int main(int count, char** words) {
  if (count < 2) return 2;
  const auto number = [&](int place, std::size_t usual) {
    return count > place ? static_cast<std::size_t>(std::atol(words[place])) : usual;
  };
  const std::size_t connections = number(2, 10'000);
  const std::size_t applications = number(3, 1000);
  const auto seconds = static_cast<double>(number(4, 60));
  rlimit files{};
  ::getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &files);
  const std::string folder = "/tmp/holdfast-load-" + std::to_string(::getpid());
  const std::string path = folder + ".sock";
  const std::string echo_path = folder + ".echo";
  double echo_p99 = 0;
  {
    const pid_t id = ::fork();
    if (id == 0) echo(echo_path);
    const Child server(id);
    Crowd crowd(echo_path, connections, 1, true);
    echo_p99 = tell("echo, all connections", crowd.run(kSteady, seconds, connections)).part(0.99);
  }
  const pid_t id = ::fork();
  if (id == 0) {
    ::execl(words[1], "holdfast", "io", "serve", "--bandwidth", "10GB/s", "--socket", path.c_str(),
            "--connections-of-user", "100000", "--connections", "16384", "--quiet", nullptr);
    std::_Exit(127);
  }
  const Child server(id);
  { const Crowd first(path, 1, 1, false); }
  const double empty = server.memory();
  Crowd crowd(path, connections, applications, false);
  const double p99 =
      tell("arbiter, all connections", crowd.run(kSteady, seconds, connections)).part(0.99);
  const double busy = server.busy();
  const double begin = now();
  tell("arbiter, all connections", crowd.run(kCalm, seconds / 2, connections));
  const double of_core = (server.busy() - busy) / (now() - begin);
  const double posts = tell("arbiter, 100 connections",
                            crowd.run(kEager, seconds / 2, std::min(kActive, connections)))
                           .answered;
  // With what buffers have grown to.
  const double memory = (server.memory() - empty) / static_cast<double>(connections);
  Verdict verdict;
  verdict.at_most("p99 beside the echo's", p99 / echo_p99, kMostTimesEcho, "times");
  verdict.at_most("p99 from POST to GRANT", 1e3 * p99, 1e3 * kMostLatency, "ms");
  verdict.at_least("posts over 100 connections", posts, kLeastPosts, "per second");
  verdict.at_most("processor at 500 posts/s", 100 * of_core, 100 * kMostOfCore, "% of a core");
  verdict.at_most("memory of a connection", memory / 1024, kMostMemory / 1024, "KiB");
  ::unlink(path.c_str());
  ::unlink(echo_path.c_str());
  return verdict.exit_code();
}
