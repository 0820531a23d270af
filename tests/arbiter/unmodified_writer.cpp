// Programs that know nothing of the arbiter: unmodified_writer HOW FROM TO copies one file to another, and prints the seconds that
// writing took, or times its calls.
#include <fcntl.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace {

constexpr std::size_t kPiece = 10'000;
constexpr std::size_t kRecord = 3'000'000;

std::string contents(const char* path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

void fail_unless(bool good, const char* what) {
  if (good) return;
  std::perror(what);
  std::exit(3);
}

int open_new(const char* path, int flags = 0) {
  const int file = ::open(path, O_WRONLY | O_CREAT | flags, 0600);
  fail_unless(file >= 0, "open");
  return file;
}

void write_all(int file, std::string_view data) {
  fail_unless(::write(file, data.data(), data.size()) == static_cast<ssize_t>(data.size()),
              "write");
}

void by_stream(const std::string& data, const char* to) {
  std::ofstream file(to, std::ios::binary);
  for (std::size_t at = 0; at < data.size(); at += kPiece) file << data.substr(at, kPiece);
  fail_unless(static_cast<bool>(file.flush()), "stream");
}

// In every way that a stream of the C library has, by turns.
void by_stdio(const std::string& data, const char* to) {
  std::FILE* file = std::fopen(to, "wb");
  fail_unless(file != nullptr, "fopen");
  int turn = 0;
  for (std::size_t at = 0; at < data.size(); ++turn) {
    const std::size_t size = std::min(turn % 3 == 0 ? 8 * kPiece : kPiece, data.size() - at);
    if (turn % 3 == 2) {
      fail_unless(std::fputc(static_cast<unsigned char>(data[at]), file) != EOF, "fputc");
      ++at;
      continue;
    }
    if (turn % 3 == 1 && data.find('\0', at) >= at + size) {
      fail_unless(std::fprintf(file, "%.*s", static_cast<int>(size), data.data() + at) ==
                      static_cast<int>(size),
                  "fprintf");
    } else {
      fail_unless(std::fwrite(data.data() + at, 1, size, file) == size, "fwrite");
    }
    at += size;
  }
  fail_unless(std::fclose(file) == 0, "fclose");
}

void by_vectors(const std::string& data, const char* to) {
  const int file = open_new(to);
  for (std::size_t at = 0; at < data.size(); at += kRecord) {
    const std::string part = data.substr(at, kRecord);
    std::string first = part.substr(0, part.size() / 3);
    std::string second = part.substr(part.size() / 3);
    const iovec parts[] = {{first.data(), first.size()}, {second.data(), second.size()}};
    fail_unless(::writev(file, parts, 2) == static_cast<ssize_t>(part.size()), "writev");
  }
  ::close(file);
}

void by_threads(const std::string& data, const char* to) {
  constexpr std::size_t kThreads = 4;
  const int file = open_new(to);
  std::vector<std::thread> threads;
  for (std::size_t k = 0; k < kThreads; ++k) {
    threads.emplace_back([&, k] {
      for (std::size_t at = k * kPiece; at < data.size(); at += kThreads * kPiece) {
        const std::size_t size = std::min(kPiece, data.size() - at);
        fail_unless(::pwrite(file, data.data() + at, size, static_cast<off_t>(at)) ==
                        static_cast<ssize_t>(size),
                    "pwrite");
      }
    });
  }
  for (std::thread& one : threads) one.join();
  ::close(file);
}

// Two processes append records of one letter each, which must not be torn.
void by_two(const std::string& data, const char* to) {
  const std::size_t records = data.size() / (2 * kRecord);
  const pid_t child = ::fork();
  const int file = open_new(to, O_APPEND);
  for (std::size_t i = 0; i < records; ++i) {
    write_all(file, std::string(kRecord, child == 0 ? 'c' : 'p'));
  }
  ::close(file);
  if (child == 0) std::exit(0);
  int status = 0;
  fail_unless(::waitpid(child, &status, 0) == child && status == 0, "child");
}

// In the middle of its writing the child of a vfork, which shares its memory, closes and duplicates what it likes.
void by_vfork(const std::string& data, const char* to) {
  const int file = open_new(to);
  for (std::size_t at = 0; at < data.size(); at += kRecord) {
    const pid_t child = ::vfork();
    if (child == 0) {
      ::dup2(STDERR_FILENO, file);
      ::close(STDIN_FILENO);
      ::execl("/bin/true", "true", nullptr);
      ::_exit(9);
    }
    int status = 0;
    fail_unless(::waitpid(child, &status, 0) == child && status == 0, "vfork");
    write_all(file, std::string_view(data).substr(at, kRecord));
  }
  ::close(file);
}

std::atomic<int> handled{0};
int handlers_file = -1;

void on_alarm(int /*signal*/) {
  if (::write(handlers_file, "!", 1) == 1) ++handled;
}

// A handler writes to a governed file, wherever the program is just then.
void by_handler(const std::string& data, const char* to) {
  handlers_file = open_new((std::string(to) + ".signals").c_str());
  struct sigaction action {};
  action.sa_handler = on_alarm;
  action.sa_flags = SA_RESTART;
  ::sigaction(SIGALRM, &action, nullptr);
  const itimerval often{{0, 1000}, {0, 1000}};
  ::setitimer(ITIMER_REAL, &often, nullptr);
  const int file = open_new(to);
  for (std::size_t at = 0; at < data.size(); at += kPiece) {
    write_all(file, std::string_view(data).substr(at, kPiece));
  }
  ::close(file);
  const itimerval never{};
  ::setitimer(ITIMER_REAL, &never, nullptr);
  fail_unless(handled > 0, "signals");
}

// Nanoseconds of one call of write(2) with 64 bytes.
void time_calls(const char* to) {
  constexpr int kCalls = 200'000;
  const int file = open_new(to);
  const std::string data(64, 'x');
  double best = 1e9;
  for (int round = 0; round < 7; ++round) {
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < kCalls; ++i) {
      if (::pwrite(file, data.data(), data.size(), 0) < 0) std::exit(3);
    }
    const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - begin;
    best = std::min(best, took.count() / kCalls);
  }
  std::printf("%.1f\n", best);
}

}  // namespace

int main(int count, char** words) {
  if (count != 4) return 2;
  const std::string_view how = words[1];
  if (how == "time") {
    time_calls(words[3]);
    return 0;
  }
  const std::string data = contents(words[2]);
  const char* to = words[3];
  const auto begin = std::chrono::steady_clock::now();
  if (how == "stream") by_stream(data, to);
  if (how == "stdio") by_stdio(data, to);
  if (how == "vectors") by_vectors(data, to);
  if (how == "threads") by_threads(data, to);
  if (how == "two") by_two(data, to);
  if (how == "vfork") by_vfork(data, to);
  if (how == "handler") by_handler(data, to);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  std::printf("%.3f\n", took.count());
  return 0;
}
