#include "holdfast/field/journal.hpp"

#include <counted_memory.hpp>
#include <doctest/doctest.h>
#include <fcntl.h>
#include <holdfast.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <thread>
#include <vector>

namespace {

struct Made {
  explicit Made(const char* document) {
    code = hf_advisor_create(document, &advisor, message, sizeof message);
  }
  ~Made() { hf_advisor_destroy(advisor); }
  Made(const Made&) = delete;
  Made& operator=(const Made&) = delete;

  hf_advisor* advisor = nullptr;
  char message[256] = "";
  int code = HF_OK;
};

hf_advice advice_of(hf_advisor* advisor) {
  hf_advice advice{};
  advice.size = sizeof advice;
  REQUIRE(hf_advisor_advice(advisor, &advice) == HF_OK);
  return advice;
}

// Asks until a checkpoint is due; false where it takes longer than 5 s.
bool comes_due(hf_advisor* advisor) {
  const std::time_t end = std::time(nullptr) + 5;
  while (std::time(nullptr) < end) {
    if (hf_advisor_need_checkpoint(advisor) != 0) return true;
  }
  return false;
}

/// The pipes and the environment of a guard.
struct Guarded {
  Guarded() {
    std::filesystem::remove_all(folder);
    std::filesystem::create_directory(folder);
    out = make("HOLDFAST_PIPE", "pipe");
    in = make("HOLDFAST_REQUESTS", "requests");
  }
  ~Guarded() {
    for (const char* name :
         {"HOLDFAST_PIPE", "HOLDFAST_REQUESTS", "HOLDFAST_ADVISOR", "PMI_RANK", "SLURM_PROCID"}) {
      ::unsetenv(name);
    }
    ::close(out);
    ::close(in);
    std::filesystem::remove_all(folder);
  }
  Guarded(const Guarded&) = delete;
  Guarded& operator=(const Guarded&) = delete;

  [[nodiscard]] int make(const char* variable, const char* name) const {
    const std::string path = (folder / name).string();
    REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
    ::setenv(variable, path.c_str(), 1);
    return ::open(path.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC);
  }
  void write(const char* name, const std::string& text) const {
    std::ofstream(folder / name) << text;
  }
  /// What was said to the guard since the last time.
  [[nodiscard]] std::string heard() const {
    char text[4096];
    const auto count = ::read(out, text, sizeof text);
    return {text, count > 0 ? static_cast<std::size_t>(count) : 0};
  }
  void ask(const std::string& request) const {
    REQUIRE(::write(in, request.data(), request.size()) == static_cast<ssize_t>(request.size()));
  }

  std::filesystem::path folder = std::filesystem::temp_directory_path() / "holdfast_c_guarded_test";
  int out = -1;
  int in = -1;
};

/// The advisor that a guard's environment makes.
struct Opened {
  Opened() { code = hf_advisor_open(nullptr, &advisor, message, sizeof message); }
  ~Opened() { hf_advisor_destroy(advisor); }
  Opened(const Opened&) = delete;
  Opened& operator=(const Opened&) = delete;

  hf_advisor* advisor = nullptr;
  char message[256] = "";
  int code = HF_OK;
};

}  // namespace

TEST_CASE("c interface: a guard is told of every event, once, and in order") {
  const Guarded guard;
  const Opened opened;
  REQUIRE(opened.code == HF_OK);
  hf_advisor* const a = opened.advisor;
  CHECK(guard.heard().empty());
  hf_advisor_ready(a);
  hf_advisor_ready(a);  // out of order
  hf_advisor_progress(a, 1.5, 100);
  hf_advisor_progress(a, 2, 100);  // within the same second
  hf_advisor_checkpoint_begin(a, 1);
  hf_advisor_checkpoint_end(a, 1);
  hf_advisor_checkpoint_durable(a);
  hf_advisor_checkpoint_begin(a, 1);
  hf_advisor_checkpoint_end(a, 0);
  CHECK(guard.heard() == "ready\nprogress 1.5 100\nbegin\ndone\ndurable\nbegin\nfailed\n");
  hf_advisor_checkpoint_begin_async(a, 1);
  hf_advisor_checkpoint_end(a, 1);
  hf_advisor_checkpoint_durable(a);
  hf_advisor_checkpoint_durable(a);  // out of order
  CHECK(guard.heard() == "begin asynchronous\ndone\ndurable\n");
}

TEST_CASE("c interface: what a guard asks for is due until it is begun") {
  const Guarded guard;
  const Opened opened;
  hf_advisor* const a = opened.advisor;
  hf_advisor_ready(a);
  CHECK(hf_advisor_need_checkpoint(a) == 0);
  guard.ask("nonsense\ncheck");
  CHECK(hf_advisor_need_checkpoint(a) == 0);
  guard.ask("point\n");
  REQUIRE(comes_due(a));
  hf_advisor_progress(a, 1, 2);
  CHECK(hf_advisor_need_checkpoint(a) == 1);
  CHECK(hf_advisor_should_stop(a) == 0);
  CHECK(hf_advisor_checkpoint_begin(a, 1) == HF_OK);
  CHECK(hf_advisor_checkpoint_end(a, 1) == HF_OK);
  CHECK(hf_advisor_need_checkpoint(a) == 0);
  guard.ask("stop\n");
  const std::time_t end = std::time(nullptr) + 5;
  while (hf_advisor_should_stop(a) == 0 && std::time(nullptr) < end) {
  }
  CHECK(hf_advisor_should_stop(a) == 1);
  CHECK(hf_advisor_need_checkpoint(a) == 0);
}

TEST_CASE(
    "c interface: of several processes the first one speaks, and of a guard's document alone") {
  const Guarded guard;
  {
    const Made made("{}");
    hf_advisor_ready(made.advisor);
  }
  ::setenv("SLURM_PROCID", "0", 1);  // as all processes of a batch step have it
  for (const char* const rank : {"PMI_RANK", "RANK", "LOCAL_RANK", "NODE_RANK"}) {
    ::setenv(rank, "1", 1);
    const Opened opened;
    REQUIRE(opened.code == HF_OK);
    guard.ask("checkpoint\n");
    hf_advisor_ready(opened.advisor);
    CHECK(hf_advisor_need_checkpoint(opened.advisor) == 0);
    ::unsetenv(rank);
  }
  CHECK(guard.heard().empty());
  ::setenv("PMI_RANK", "0", 1);
  const Opened opened;
  hf_advisor_ready(opened.advisor);
  CHECK(guard.heard() == "ready\n");
  CHECK(comes_due(opened.advisor));
}

TEST_CASE("c interface: a job goes on with what its journal remembers") {
  const Guarded guard;
  using holdfast::Value;
  const Value head =
      Value::object({{"holdfast", Value::object({{"kind", "journal"}, {"version", 1}})}, {"n", 0}});
  const Value estimate = Value::object({{"n", 1},
                                        {"time", 1e9},
                                        {"clock", 5000},
                                        {"boot", ""},
                                        {"run", 1},
                                        {"kind", "estimate"},
                                        {"interruptions", 4},
                                        {"expected", 1},
                                        {"checkpoints", Value::list(std::vector<double>{40, 40})}});
  guard.write("journal.ndjson",
              holdfast::field::sealed(head) + "\n" + holdfast::field::sealed(estimate) + "\n");
  guard.write("advisor.json", R"({"journal": "journal.ndjson", "failures": {"mtbf": "1h"}})");
  ::setenv("HOLDFAST_ADVISOR", (guard.folder / "advisor.json").c_str(), 1);
  const Opened opened;
  CAPTURE(opened.message);
  REQUIRE(opened.code == HF_OK);
  const hf_advice advice = advice_of(opened.advisor);
  CHECK(advice.checkpoint == doctest::Approx(40).epsilon(1e-12));
  CHECK(advice.theta == doctest::Approx((1.0 + 4) / (1 + 1)).epsilon(1e-3));
  guard.write("advisor.json", R"({"journal": 3})");
  const Opened wrong;
  CHECK(wrong.code == HF_INPUT);
  CHECK(std::string(wrong.message).find("/journal: found 3") != std::string::npos);
}

TEST_CASE("c interface: a job from its start to its end") {
  Made made(R"({"holdfast": {"kind": "advisor", "version": 1}, "first": "50ms"})");
  REQUIRE(made.code == HF_OK);
  hf_advisor* const a = made.advisor;
  CHECK(hf_advisor_need_checkpoint(a) == 0);
  CHECK(hf_advisor_checkpoint_begin(a, 1) == HF_STATE);
  REQUIRE(hf_advisor_ready(a) == HF_OK);
  CHECK(hf_advisor_ready(a) == HF_STATE);
  CHECK(std::isnan(advice_of(a).checkpoint));
  CHECK(hf_advisor_need_checkpoint(a) == 0);
  CHECK(hf_advisor_progress(a, 1, 1000) == HF_OK);
  REQUIRE(comes_due(a));
  REQUIRE(hf_advisor_checkpoint_begin(a, 1) == HF_OK);
  CHECK(hf_advisor_need_checkpoint(a) == 0);
  REQUIRE(hf_advisor_checkpoint_end(a, 1) == HF_OK);
  const hf_advice advice = advice_of(a);
  CHECK(advice.checkpoints == 1);
  CHECK(advice.checkpoint >= 0);
  CHECK(advice.checkpoint < 1);
  CHECK(std::fabs(advice.rate * 100 * 86400 - 1) < 0.01);
  CHECK(hf_advisor_should_stop(a) == 0);
  CHECK(hf_advisor_time_left(a, 1) == HF_OK);
  CHECK(hf_advisor_should_stop(a) == 1);
  CHECK(hf_advisor_need_checkpoint(a) == 1);
  CHECK(hf_advisor_time_left(a, std::numeric_limits<double>::infinity()) == HF_OK);
  CHECK(hf_advisor_should_stop(a) == 0);
}

TEST_CASE("c interface: which of two levels is due") {
  Made made(R"({"checkpoint": "10ms", "local_checkpoint": "0.1ms", "local_share": 0.9,
                "failures": {"mtbf": 1}})");
  REQUIRE(made.code == HF_OK);
  hf_advisor* const a = made.advisor;
  REQUIRE(hf_advisor_ready(a) == HF_OK);
  CHECK(advice_of(a).level == 1);
  REQUIRE(comes_due(a));
  CHECK(hf_advisor_need_checkpoint(a) == 1);
  CHECK(hf_advisor_checkpoint_begin(a, 1) == HF_OK);
  CHECK(hf_advisor_checkpoint_end(a, 1) == HF_OK);
  // The last one of an allocation is of the file system.
  CHECK(hf_advisor_time_left(a, 0) == HF_OK);
  CHECK(hf_advisor_need_checkpoint(a) == 2);
  CHECK(advice_of(a).level == 2);
  CHECK(hf_advisor_checkpoint_begin(a, 2) == HF_OK);
  CHECK(hf_advisor_checkpoint_end(a, 1) == HF_OK);
  CHECK(hf_advisor_need_checkpoint(a) == 0);
  Made both(R"({"local_checkpoint": 1, "local_share": 0.9, "flush": 5})");
  CHECK(both.code == HF_INPUT);
  CHECK(std::string(both.message).substr(0, 8) == "/flush: ");
}

TEST_CASE("c interface: what is refused says where, and what was expected") {
  struct Row {
    const char* document;
    std::string place;
  };
  const Row rows[] = {
      {R"({"checkpoint": -1})", "/checkpoint: "},
      {R"({"max_overhead": 7})", "/max_overhead: "},
      {R"({"holdfast": {"kind": "io-instance"}})", "/holdfast/kind: "},
      {R"({"interval": 7})", "/interval: "},
  };
  for (const Row& row : rows) {
    CAPTURE(row.document);
    Made made(row.document);
    CHECK(made.code == HF_INPUT);
    CHECK(made.advisor == nullptr);
    CHECK(std::string(made.message).substr(0, row.place.size()) == row.place);
  }
  Made torn("{\"checkpoint\": ");
  CHECK(torn.code == HF_INPUT);
  Made list("[1]");
  CHECK(list.code == HF_INPUT);
  hf_advisor* advisor = nullptr;
  char few[8];
  CHECK(hf_advisor_create("{\"first\": 0}", &advisor, few, sizeof few) == HF_INPUT);
  CHECK(std::string(few) == "/first:");
  CHECK(hf_advisor_create("{\"first\": 0}", &advisor, nullptr, 0) == HF_INPUT);
  CHECK(hf_advisor_create(nullptr, &advisor, nullptr, 0) == HF_USAGE);
}

TEST_CASE("c interface: a null advisor is an answer too") {
  CHECK(hf_advisor_ready(nullptr) == HF_USAGE);
  CHECK(hf_advisor_need_checkpoint(nullptr) == 0);
  CHECK(hf_advisor_should_stop(nullptr) == 0);
  CHECK(hf_advisor_check_after(nullptr) == 1);
  CHECK(hf_advisor_skip(nullptr) == 0);
  hf_advisor_destroy(nullptr);
}

TEST_CASE("c interface: the file that the environment names") {
  hf_advisor* advisor = nullptr;
  char message[256] = "";
  unsetenv("HOLDFAST_ADVISOR");
  REQUIRE(hf_advisor_open(nullptr, &advisor, message, sizeof message) == HF_OK);
  hf_advisor_destroy(advisor);
  const auto file = std::filesystem::temp_directory_path() /
                    ("holdfast-advisor-" + std::to_string(std::rand()) + ".json");
  std::ofstream(file) << R"({"checkpoint": "40s", "strategy": "fixed:1h"})";
  setenv("HOLDFAST_ADVISOR", file.c_str(), 1);
  REQUIRE(hf_advisor_open(nullptr, &advisor, message, sizeof message) == HF_OK);
  hf_advisor_ready(advisor);
  CHECK(advice_of(advisor).interval == 3600);
  hf_advisor_destroy(advisor);
  std::filesystem::remove(file);
  CHECK(hf_advisor_open(nullptr, &advisor, message, sizeof message) == HF_INPUT);
  CHECK(std::string(message).find(file.string()) != std::string::npos);
  unsetenv("HOLDFAST_ADVISOR");
}

TEST_CASE("c interface: named nodes, and a caller with an older advice") {
  Made made(R"({"nodes": ["n1", "n2"], "checkpoint": 10, "failures": {"distribution": "weibull",
                "shape": 0.5, "mtbf": "1d"}, "platform_age": "1d"})");
  REQUIRE(made.code == HF_OK);
  hf_advisor_ready(made.advisor);
  const double before = advice_of(made.advisor).rate;
  CHECK(hf_advisor_failure(made.advisor, "n2") == HF_OK);
  CHECK(advice_of(made.advisor).rate > 1.5 * before);
  // A node that has been up for two days takes its place: less likely to fail than before.
  const double young = advice_of(made.advisor).rate;
  CHECK(hf_advisor_replaced(made.advisor, "n2", "n9", 2 * 86400) == HF_OK);
  const double old_rate = advice_of(made.advisor).rate;
  CHECK(old_rate < young / 2);
  CHECK(hf_advisor_replaced(made.advisor, nullptr, nullptr, std::nan("")) == HF_OK);
  CHECK(hf_advisor_replaced(made.advisor, "n9", "n2", -1) == HF_USAGE);
  CHECK(hf_advisor_failure(made.advisor, "n9") == HF_OK);
  CHECK(advice_of(made.advisor).rate > 2 * old_rate);
  CHECK(hf_advisor_failure(made.advisor, "somewhere else") == HF_OK);
  CHECK(hf_advisor_failure(made.advisor, nullptr) == HF_OK);
  CHECK(advice_of(made.advisor).failures == 4);
  hf_advice old{};
  old.size = offsetof(hf_advice, checkpoint);
  REQUIRE(hf_advisor_advice(made.advisor, &old) == HF_OK);
  CHECK(old.interval > 0);
  CHECK(old.checkpoint == 0);
  CHECK(old.size == offsetof(hf_advice, checkpoint));
}

TEST_CASE("c interface: calls that need not ask, and one that decides for all") {
  // As many as it knows the time of; fewer where something else had the processor meanwhile.
  long most = 0;
  for (int round = 0; round < 200 && most < 1000; ++round) {
    Made made(R"({"checkpoint": 10, "min_interval": "1h"})");
    hf_advisor_ready(made.advisor);
    CHECK(hf_advisor_check_after(made.advisor) == 1);
    for (int i = 0; i < 1000; ++i) hf_advisor_need_checkpoint(made.advisor);
    most = std::max(most, hf_advisor_check_after(made.advisor));
  }
  CHECK(most == 1000);
  Made made(R"({"checkpoint": 10, "min_interval": "1h"})");
  hf_advisor* const a = made.advisor;
  hf_advisor_ready(a);
  CHECK(hf_advisor_follow(a, 0, 1, 2) == HF_OK);
  CHECK(hf_advisor_told_to_stop(a) == 1);
  CHECK(hf_advisor_skip(a) == 1);
  CHECK(hf_advisor_skip(a) == 1);
  CHECK(hf_advisor_skip(a) == 0);
}

#ifdef HOLDFAST_COUNTS_MEMORY
TEST_CASE("c interface: asking allocates nothing, and neither do checkpoints after the first") {
  Made made(R"({"checkpoint": 0.001, "processors": 100000, "failures": {"distribution": "weibull",
                "shape": 0.7, "mtbf": "1y"}, "platform_age": "100d"})");
  hf_advisor* const a = made.advisor;
  hf_advisor_ready(a);
  long before = allocations;
  int due = 0;
  for (int i = 0; i < 1'000'000; ++i) {
    due += hf_advisor_need_checkpoint(a) + hf_advisor_should_stop(a);
  }
  CHECK(hf_advisor_check_after(a) >= 1);
  CHECK(allocations == before);
  const auto cycle = [&] {
    hf_advisor_checkpoint_begin(a, 1);
    hf_advisor_checkpoint_end(a, 1);
    hf_advisor_progress(a, 1, 2);
  };
  cycle();
  before = allocations;
  for (int i = 0; i < 300; ++i) cycle();
  CHECK(allocations == before);
}
#endif

TEST_CASE("c interface: eight threads ask while one saves") {
  Made made(R"({"checkpoint": 0.0001, "max_interval": 0.001})");
  hf_advisor* const a = made.advisor;
  hf_advisor_ready(a);
  std::atomic<bool> is_over{false};
  std::atomic<long> answers{0};
  std::vector<std::thread> askers;
  for (int i = 0; i < 8; ++i) {
    askers.emplace_back([&] {
      while (!is_over) {
        answers += hf_advisor_need_checkpoint(a) + hf_advisor_should_stop(a);
        answers += hf_advisor_check_after(a) > 0 ? 1 : 0;
        hf_advisor_progress(a, 1, 2);
      }
    });
  }
  for (int i = 0; i < 50; ++i) {
    while (hf_advisor_need_checkpoint(a) == 0) std::this_thread::yield();
    CHECK(hf_advisor_checkpoint_begin(a, 1) == HF_OK);
    CHECK(hf_advisor_checkpoint_end(a, 1) == HF_OK);
  }
  is_over = true;
  for (std::thread& asker : askers) asker.join();
  CHECK(answers > 0);
  CHECK(advice_of(a).checkpoints == 50);
}
