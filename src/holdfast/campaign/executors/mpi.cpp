// The only file that uses MPI: a separate library, which mpi_plugin.cpp loads. It shares headers with the program, but no
// symbols.
#include "holdfast/campaign/executors/mpi_plugin.hpp"
#include "holdfast/campaign/executors/transport.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <list>
#include <string>
#include <utility>

namespace holdfast {
namespace {

class MpiTransport final : public Transport {
 public:
  MpiTransport() {
    // A separate communicator, so that messages of other users of MPI in this process are not received.
    MPI_Comm_dup(MPI_COMM_WORLD, &world_);
    MPI_Comm_rank(world_, &rank_);
    MPI_Comm_size(world_, &size_);
  }
  ~MpiTransport() override {
    // Without MPI_Finalize, mpirun notices the end of this process and ends the remaining ones.
    if (is_abandoned_) return;
    for (Outgoing& message : outgoing_) MPI_Wait(&message.request, MPI_STATUS_IGNORE);
    MPI_Comm_free(&world_);
    MPI_Finalize();
  }

  int rank() const override { return rank_; }
  int size() const override { return size_; }

  void send(int to, int kind, std::string bytes) override {
    Outgoing& message = outgoing_.emplace_back(Outgoing{std::move(bytes), MPI_REQUEST_NULL});
    unsent_ += message.bytes.size();
    MPI_Isend(message.bytes.data(), static_cast<int>(message.bytes.size()), MPI_BYTE, to, kind,
              world_, &message.request);
  }

  bool receive(Message& out) override {
    forget_sent();
    if (arriving_ == MPI_REQUEST_NULL && !begin_to_receive()) return false;
    int is_here = 0;
    MPI_Test(&arriving_, &is_here, MPI_STATUS_IGNORE);
    if (is_here == 0) return false;
    out = std::move(incoming_);
    return true;
  }

  std::size_t unsent() override {
    forget_sent();
    return unsent_;
  }
  void abandon() override { is_abandoned_ = true; }

 private:
  // Begins to receive a message, which may arrive in parts. It does not wait, because the sender may be dead, which must be
  // reported.
  bool begin_to_receive() {
    int is_there = 0;
    MPI_Message message{};
    MPI_Status status;
    MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, world_, &is_there, &message, &status);
    if (is_there == 0) return false;
    int count = 0;
    MPI_Get_count(&status, MPI_BYTE, &count);
    incoming_ = {.from = status.MPI_SOURCE, .kind = status.MPI_TAG, .bytes = {}};
    incoming_.bytes.resize(static_cast<std::size_t>(count));
    MPI_Imrecv(incoming_.bytes.data(), count, MPI_BYTE, &message, &arriving_);
    return true;
  }

  struct Outgoing {
    std::string bytes;  // kept until they are sent; elements of a list do not move
    MPI_Request request;
  };

  void forget_sent() {
    for (auto message = outgoing_.begin(); message != outgoing_.end();) {
      int has_left = 0;
      MPI_Test(&message->request, &has_left, MPI_STATUS_IGNORE);
      if (has_left != 0) unsent_ -= message->bytes.size();
      message = has_left != 0 ? outgoing_.erase(message) : std::next(message);
    }
  }

  MPI_Comm world_ = MPI_COMM_NULL;
  int rank_ = 0;
  int size_ = 1;
  Message incoming_;  // valid while arriving_ is not null
  MPI_Request arriving_ = MPI_REQUEST_NULL;
  std::list<Outgoing> outgoing_;
  std::size_t unsent_ = 0;
  bool is_abandoned_ = false;
};

}  // namespace
}  // namespace holdfast

extern "C" __attribute__((visibility("default"))) holdfast::Transport* holdfast_open_transport_1(
    char* message, std::size_t size) {
  int was_started = 0;
  MPI_Initialized(&was_started);
  if (was_started != 0) {
    std::snprintf(message, size, "this process has used it before, and MPI starts once");
    return nullptr;
  }
  // Other threads run cells, but only the thread that started MPI uses it.
  int level = MPI_THREAD_SINGLE;
  if (MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &level) != MPI_SUCCESS ||
      level < MPI_THREAD_FUNNELED) {
    std::snprintf(message, size, "it allows no threads beside it (level %d)", level);
    return nullptr;
  }
  return new holdfast::MpiTransport;
}
