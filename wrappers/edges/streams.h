// The streams (peer, tag) of a communicator whose clocks go by message, as far
// as something has gone wrong with them: clocks that did not come, messages
// that MPI has refused.
#ifndef POPRT_WRAPPERS_EDGES_STREAMS_H_
#define POPRT_WRAPPERS_EDGES_STREAMS_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "base/mutex.h"
#include "clocks/clock_message.h"
#include "wrappers/edges/stream_set.h"

namespace poprt::mpi {

struct CommInfo;
struct MpiThread;

// Clocks of a message whose receive has not completed yet, received early
// because a later message of the stream completed first.
struct EarlyClocks {
  int source;
  int tag;
  std::unique_ptr<ClockMessage> message;
};

// What a communicator keeps of its streams.  Where nothing has gone wrong each
// question is one load.
struct Streams {
  // Whether no clocks are sent any more.
  bool is_stopped(int dest, int tag) {
    return !stopped.empty() && has(stopped, dest, tag);
  }
  // Whether no clocks are expected any more.
  bool is_given_up(int source, int tag) {
    return !given_up.empty() && has(given_up, source, tag);
  }
  // A refused message has left clocks that this message uses.
  bool take_owed(int dest, int tag) {
    return !owed.empty() && take_one_owed(dest, tag);
  }
  // Whether to look for the receivers' notices: now and then.
  bool count_message() {
    constexpr uint32_t kEvery = 64;
    const uint32_t sent = sent_by_message.load(std::memory_order_relaxed) + 1;
    sent_by_message.store(sent, std::memory_order_relaxed);
    return sent % kEvery == 0;
  }

  bool has(const GivenUpStreams& set, int peer, int tag);
  bool take_one_owed(int dest, int tag);

  // Under MPI_THREAD_MULTIPLE: held for a non-blocking send and its clocks, so
  // that both streams have the same order.
  Mutex send_mutex;

  std::mutex mutex;
  // Protected by the mutex, except whether they are empty: streams on which
  // clocks did not come, so that none are expected any more, and streams that
  // are given up, so that none are sent.
  GivenUpStreams given_up;
  GivenUpStreams stopped;
  // Streams whose last clocks belong to a message that MPI has refused: the
  // next message uses them.
  StreamCounts owed;

  std::atomic<uint32_t> sent_by_message{0};
  // How long to wait for late clocks.  Halved by each wait in vain, so that all
  // waits of a communicator together are bounded.
  std::atomic<int64_t> patience_ns{1'000'000'000};
  std::vector<EarlyClocks> early;  // not kept under MPI_THREAD_MULTIPLE
};

// Takes the notices of receivers that have given up streams on this
// communicator.
void take_stops(CommInfo& comm);
// No more clocks are expected.  Returns what the sender must be told: the tag,
// or GivenUpStreams::kAllTags.
int note_given_up(CommInfo& comm, int source, int tag);
// MPI has refused the message whose clocks were just sent.  The next message of
// the stream will use these clocks.
void owe_message(CommInfo& comm, int dest, int tag);
// The order of the stream's messages and clocks is lost: sends no more clocks.
// The receiver gives the stream up when it has waited for them in vain.
void stop_stream(MpiThread& thread, CommInfo& comm, int dest, int tag);

}  // namespace poprt::mpi

#endif  // POPRT_WRAPPERS_EDGES_STREAMS_H_
