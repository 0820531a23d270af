#include "holdfast/field/signal_sender.hpp"

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <string>
#include <vector>

using namespace holdfast::field;

namespace {

/// A child that blocks all signals, or none, as it is told.
class Obedient {
 public:
  Obedient() {
    REQUIRE(::pipe(orders_.data()) == 0);
    REQUIRE(::pipe(answers_.data()) == 0);
    pid_ = ::fork();
    if (pid_ == 0) obey();
  }
  Obedient(const Obedient&) = delete;
  Obedient& operator=(const Obedient&) = delete;
  ~Obedient() {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
    for (const int file : {orders_[0], orders_[1], answers_[0], answers_[1]}) ::close(file);
  }

  void block(bool on) const {
    char word = on ? 'b' : 'u';
    REQUIRE(::write(orders_[1], &word, 1) == 1);
    REQUIRE(::read(answers_[0], &word, 1) == 1);
  }
  [[nodiscard]] ProcessId id() const { return state_of(pid_).value_or(ProcessState{}).id; }

 private:
  [[noreturn]] void obey() const {
    for (char word = 0; ::read(orders_[0], &word, 1) == 1;) {
      sigset_t set;
      word == 'b' ? ::sigfillset(&set) : ::sigemptyset(&set);
      ::sigprocmask(SIG_SETMASK, &set, nullptr);
      if (::write(answers_[1], &word, 1) != 1) break;
    }
    ::_exit(0);
  }

  std::array<int, 2> orders_{};
  std::array<int, 2> answers_{};
  pid_t pid_ = 0;
};

}  // namespace

TEST_CASE("signal sender: launchers are known by their words") {
  using Words = std::vector<std::string>;
  CHECK(launcher_of(Words{"/usr/bin/mpirun", "-n", "2", "./heat"}) == Launcher::mpi);
  CHECK(launcher_of(Words{"mpiexec.openmpi"}) == Launcher::mpi);
  CHECK(launcher_of(Words{"srun", "./heat"}) == Launcher::slurm);
  CHECK(launcher_of(Words{"torchrun", "train.py"}) == Launcher::torch);
  CHECK(launcher_of(Words{"/usr/bin/python3.11", "/opt/bin/torchrun", "x.py"}) == Launcher::torch);
  CHECK(launcher_of(Words{"python3", "-u", "-m", "torch.distributed.run"}) == Launcher::torch);
  CHECK(launcher_of(Words{"accelerate", "launch", "x.py"}) == Launcher::torch);
  CHECK(launcher_of(Words{"accelerate", "config"}) == Launcher::none);
  CHECK(launcher_of(Words{"python3", "train.py", "torchrun"}) == Launcher::none);
  CHECK(launcher_of(Words{"python3", "-m"}) == Launcher::none);
  CHECK(launcher_of(Words{"python3"}) == Launcher::none);
  CHECK(launcher_of(Words{}) == Launcher::none);
}

TEST_CASE("signal sender: a signal that is blocked for an instant is not sent, one for good is") {
  const Obedient child;
  SignalSender sender(SIGUSR1, false, "/none");
  double now = 0;
  const auto look = [&](int times) {
    for (int i = 0; i < times && sender.is_due(); ++i) sender.look(now += 0.02);
  };
  sender.begin(child.id(), now);
  for (int round = 0; round < 4; ++round) {
    child.block(true);
    look(40);
    CHECK(sender.is_due());
    child.block(false);
    look(1);
    CHECK(sender.is_due());
  }
  child.block(true);
  look(60);
  CHECK_FALSE(sender.is_due());
  // Nor do few looks count, however long the time between them is.
  sender.begin(child.id(), now);
  for (int i = 0; i < 5; ++i) sender.look(now += 10);
  CHECK(sender.is_due());
}
