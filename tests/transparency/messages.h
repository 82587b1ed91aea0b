// Messages around the ring, sent and received in every way.
#ifndef POPRT_TESTS_TRANSPARENCY_MESSAGES_H_
#define POPRT_TESTS_TRANSPARENCY_MESSAGES_H_

#include "transparency.h"

namespace transparency {

enum class Receive {
  kRecv,
  kIrecv,
  kTest,
  kAny,
  kProbe,
  kIprobe,
  kMprobe,
  kImprobe,
  kPersistent,
  kSendrecv,
  kLast = kSendrecv
};

inline void receive_by(Receive how, int* data, int count, int source, int tag,
                       MPI_Comm comm, MPI_Status* status) {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Message message = MPI_MESSAGE_NULL;
  int flag = 0;
  switch (how) {
    case Receive::kRecv:
      MPI_Recv(data, count, MPI_INT, source, tag, comm, status);
      break;
    case Receive::kIrecv:
      MPI_Irecv(data, count, MPI_INT, source, tag, comm, &request);
      MPI_Wait(&request, status);
      break;
    case Receive::kTest:
      MPI_Irecv(data, count, MPI_INT, source, MPI_ANY_TAG, comm, &request);
      while (flag == 0) MPI_Test(&request, &flag, status);
      break;
    case Receive::kAny:
      MPI_Recv(data, count, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, status);
      break;
    case Receive::kProbe:
      MPI_Probe(source, tag, comm, status);
      MPI_Recv(data, count, MPI_INT, status->MPI_SOURCE, status->MPI_TAG, comm,
               MPI_STATUS_IGNORE);
      break;
    case Receive::kIprobe:
      while (flag == 0) MPI_Iprobe(source, MPI_ANY_TAG, comm, &flag, status);
      MPI_Recv(data, count, MPI_INT, status->MPI_SOURCE, status->MPI_TAG, comm,
               MPI_STATUS_IGNORE);
      break;
    case Receive::kMprobe:
      MPI_Mprobe(MPI_ANY_SOURCE, tag, comm, &message, status);
      MPI_Mrecv(data, count, MPI_INT, &message, status);
      break;
    case Receive::kImprobe:
      while (flag == 0) {
        MPI_Improbe(source, tag, comm, &flag, &message, MPI_STATUS_IGNORE);
      }
      MPI_Imrecv(data, count, MPI_INT, &message, &request);
      MPI_Wait(&request, status);
      break;
    case Receive::kPersistent:
      MPI_Recv_init(data, count, MPI_INT, source, tag, comm, &request);
      MPI_Start(&request);
      MPI_Wait(&request, status);
      MPI_Request_free(&request);
      break;
    case Receive::kSendrecv:
      MPI_Sendrecv(nullptr, 0, MPI_INT, MPI_PROC_NULL, 0, data, count, MPI_INT,
                   source, tag, comm, status);
  }
}

// Every process sends to the next one with `send`(data, count, dest, tag,
// comm), which completes when the message is received.
template <class Send>
void around_the_ring(Send send, MPI_Comm comm = MPI_COMM_WORLD) {
  for (int how = 0; how <= static_cast<int>(Receive::kLast); ++how) {
    for (const int count : {0, 1, 100, 20000}) {
      const int tag = how * 10 + 3;
      const Ints out = numbers(count + 1, rank() * 1000 + count);
      Ints in(static_cast<size_t>(count) + 1, -1);
      Status status;
      const auto receive = [&] {
        receive_by(static_cast<Receive>(how), in.data(), count + 1, previous(),
                   tag, comm, &status);
      };
      if (size() == 1) {
        // A blocking send to oneself needs its receive first.
        MPI_Request request;
        MPI_Irecv(in.data(), count + 1, MPI_INT, 0, tag, comm, &request);
        send(out.data(), count, 0, tag, comm);
        MPI_Wait(&request, &status);
      } else if (rank() % 2 == 0) {
        send(out.data(), count, next(), tag, comm);
        receive();
      } else {
        receive();
        send(out.data(), count, next(), tag, comm);
      }
      show(("received by " + std::to_string(how)).c_str(), status);
      line("  checksum %u", checksum(in));
    }
  }
}

// The same for sends that need a posted receive.
template <class Send>
void around_the_ring_ready(Send send, MPI_Comm comm = MPI_COMM_WORLD) {
  for (const int count : {0, 1, 100, 20000}) {
    const Ints out = numbers(count + 1, rank() * 1000 + count);
    Ints in(static_cast<size_t>(count) + 1, -1);
    MPI_Request request;
    MPI_Irecv(in.data(), count + 1, MPI_INT, previous(), 8, comm, &request);
    MPI_Sendrecv(nullptr, 0, MPI_INT, previous(), 9, nullptr, 0, MPI_INT,
                 next(), 9, comm, MPI_STATUS_IGNORE);
    send(out.data(), count, next(), 8, comm);
    Status status;
    MPI_Wait(&request, &status);
    show("received", status);
    line("  checksum %u", checksum(in));
  }
}

// Ways to send for these: what `call` needs besides.
template <class Call>
auto blocking(Call call) {
  return [call](const int* data, int count, int dest, int tag, MPI_Comm comm) {
    call(data, count, MPI_INT, dest, tag, comm);
  };
}

template <class Call>
auto nonblocking(Call call) {
  return [call](const int* data, int count, int dest, int tag, MPI_Comm comm) {
    MPI_Request request;
    call(data, count, MPI_INT, dest, tag, comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    line("request null: %s", yes(request == MPI_REQUEST_NULL));
  };
}

// Starts a persistent send three times.
template <class Init>
auto persistent(Init init) {
  return [init](const int* data, int count, int dest, int tag, MPI_Comm comm) {
    MPI_Request request;
    init(data, count, MPI_INT, dest, tag, comm, &request);
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
  };
}

// A buffer for MPI_Bsend while it lives.
class BsendBuffer {
 public:
  explicit BsendBuffer(size_t bytes) : space_(bytes) {
    MPI_Buffer_attach(space_.data(), static_cast<int>(bytes));
  }
  ~BsendBuffer() {
    void* where = nullptr;
    int bytes = 0;
    MPI_Buffer_detach(&where, &bytes);
    line("detached: mine %s, all %s", yes(where == space_.data()),
         yes(bytes == static_cast<int>(space_.size())));
  }
  BsendBuffer(const BsendBuffer&) = delete;
  BsendBuffer& operator=(const BsendBuffer&) = delete;

 private:
  std::vector<char> space_;
};

}  // namespace transparency

#endif  // POPRT_TESTS_TRANSPARENCY_MESSAGES_H_
