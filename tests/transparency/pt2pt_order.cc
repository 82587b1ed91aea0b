// Messages: in which order they arrive, and where they are until then.
#include "messages.h"

namespace {

using namespace transparency;
constexpr char kGroup[] = "pt2pt";

CASE(order_of_messages) {
  // Messages of one pair do not overtake, whatever receives them.
  constexpr int kMessages = 60;
  std::vector<MPI_Request> requests;
  Ints out = numbers(kMessages, 0);
  for (int i = 0; i < kMessages; ++i) {
    MPI_Request request;
    MPI_Isend(&out[static_cast<size_t>(i)], 1, MPI_INT, next(), i % 3,
              MPI_COMM_WORLD, &request);
    requests.push_back(request);
  }
  for (int i = 0; i < kMessages; ++i) {
    int value = -1;
    Status status;
    const int tag = i % 2 == 0 ? MPI_ANY_TAG : -2;
    if (tag == MPI_ANY_TAG) {
      MPI_Recv(&value, 1, MPI_INT, previous(), tag, MPI_COMM_WORLD, &status);
    } else {
      MPI_Probe(previous(), MPI_ANY_TAG, MPI_COMM_WORLD, &status);
      MPI_Recv(&value, 1, MPI_INT, previous(), status.MPI_TAG, MPI_COMM_WORLD,
               &status);
    }
    line("value %d, tag %d", value, status.MPI_TAG);
  }
  MPI_Waitall(kMessages, requests.data(), MPI_STATUSES_IGNORE);
}

CASE(bsend_buffer_of_exact_size) {
  // The attached buffer has just enough room for the program's messages: the
  // tool must not use it.
  int packed = 0;
  MPI_Pack_size(100, MPI_INT, MPI_COMM_WORLD, &packed);
  constexpr int kMessages = 5;
  BsendBuffer buffer(
      static_cast<size_t>(kMessages * (packed + MPI_BSEND_OVERHEAD)));
  for (int round = 0; round < 3; ++round) {
    const Ints out = numbers(100, rank() + round);
    for (int i = 0; i < kMessages; ++i) {
      MPI_Bsend(out.data(), 100, MPI_INT, next(), i, MPI_COMM_WORLD);
    }
    Ints in(100);
    for (int i = kMessages - 1; i >= 0; --i) {
      MPI_Recv(in.data(), 100, MPI_INT, previous(), i, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
      line("checksum %u", checksum(in));
    }
    // Freed for certain when all have received and the buffer was detached.
    MPI_Barrier(MPI_COMM_WORLD);
    void* where = nullptr;
    int bytes = 0;
    MPI_Buffer_detach(&where, &bytes);
    MPI_Buffer_attach(where, bytes);
  }
}

#if !defined(OPEN_MPI)  // 4.1 may wait for room for ever
CASE(bsend_without_room) {
  ErrorsReturn errors(MPI_COMM_WORLD);
  Ints out(10000, 1);
  {
    BsendBuffer buffer(1000);
    const int code =
        MPI_Bsend(out.data(), 10000, MPI_INT, next(), 7, MPI_COMM_WORLD);
    show("no room", code);
    MPI_Request request = MPI_REQUEST_NULL;
    show("no room", MPI_Ibsend(out.data(), 10000, MPI_INT, next(), 7,
                               MPI_COMM_WORLD, &request));
  }
  use("afterwards", MPI_COMM_WORLD);
  // The stream continues.
  MPI_Request requests[2];
  int in = -1;
  MPI_Irecv(&in, 1, MPI_INT, previous(), 7, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(out.data(), 1, MPI_INT, next(), 7, MPI_COMM_WORLD, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  line("value %d", in);
}
#endif

CASE(detach_waits_for_delivery) {
  std::vector<char> space(100000);
  MPI_Buffer_attach(space.data(), static_cast<int>(space.size()));
  const Ints out = numbers(5000, rank());
  MPI_Bsend(out.data(), 5000, MPI_INT, next(), 1, MPI_COMM_WORLD);
  Ints in(5000);
  MPI_Recv(in.data(), 5000, MPI_INT, previous(), 1, MPI_COMM_WORLD,
           MPI_STATUS_IGNORE);
  void* where = nullptr;
  int bytes = 0;
  MPI_Buffer_detach(&where, &bytes);
  line("detached %d, mine %s, checksum %u", bytes, yes(where == space.data()),
       checksum(in));
}

CASE(huge_message) {
  const int count = 3000000;
  Ints out = numbers(count, rank());
  Ints in(static_cast<size_t>(count));
  Status status;
  MPI_Sendrecv(out.data(), count, MPI_INT, next(), 0, in.data(), count, MPI_INT,
               previous(), 0, MPI_COMM_WORLD, &status);
  show("huge", status);
  line("checksum %u", checksum(in));
}

CASE(unexpected_messages) {
  // Thousands of messages that wait for their receives.
  constexpr int kMessages = 3000;
  std::vector<MPI_Request> requests(kMessages);
  Ints out = numbers(kMessages, rank());
  for (int i = 0; i < kMessages; ++i) {
    MPI_Isend(&out[static_cast<size_t>(i)], 1, MPI_INT, next(), i % 5,
              MPI_COMM_WORLD, &requests[static_cast<size_t>(i)]);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  Ints in(kMessages, -1);
  for (int t = 4; t >= 0; --t) {
    for (int i = t; i < kMessages; i += 5) {
      MPI_Recv(&in[static_cast<size_t>(i)], 1, MPI_INT, previous(), t,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
  }
  MPI_Waitall(kMessages, requests.data(), MPI_STATUSES_IGNORE);
  line("checksum %u", checksum(in));
}

CASE(receives_posted_first) {
  constexpr int kMessages = 500;
  std::vector<MPI_Request> requests(2 * kMessages);
  Ints out = numbers(kMessages, rank());
  Ints in(kMessages, -1);
  for (size_t i = 0; i < kMessages; ++i) {
    MPI_Irecv(&in[i], 1, MPI_INT, i % 2 == 0 ? previous() : MPI_ANY_SOURCE,
              static_cast<int>(i % 7), MPI_COMM_WORLD, &requests[i]);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  for (size_t i = 0; i < kMessages; ++i) {
    MPI_Isend(&out[i], 1, MPI_INT, next(), static_cast<int>(i % 7),
              MPI_COMM_WORLD, &requests[kMessages + i]);
  }
  std::vector<Status> statuses(2 * kMessages);
  MPI_Waitall(2 * kMessages, requests.data(), statuses.data());
  for (size_t i = 0; i < kMessages; i += 50) show("status", statuses[i]);
  show("values", in);
}

CASE(star_of_any_source) {
  // All processes send to rank 0, which receives in the order of arrival.
  constexpr int kEach = 50;
  if (rank() == 0) {
    Ints counts(static_cast<size_t>(size()), 0);
    Ints sums(static_cast<size_t>(size()), 0);
    bool ordered = true;
    for (int i = 0; i < kEach * (size() - 1); ++i) {
      int value = -1;
      Status status;
      MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD,
               &status);
      const auto source = static_cast<size_t>(status.MPI_SOURCE);
      ordered = ordered && value == counts[source] * 10 + status.MPI_SOURCE;
      ++counts[source];
      sums[source] += value;
    }
    show("messages", counts);
    show("sums", sums);
    line("in order: %s", yes(ordered));
  } else {
    for (int i = 0; i < kEach; ++i) {
      const int value = i * 10 + rank();
      if (i % 2 == 0) {
        MPI_Send(&value, 1, MPI_INT, 0, i % 4, MPI_COMM_WORLD);
      } else {
        MPI_Ssend(&value, 1, MPI_INT, 0, i % 4, MPI_COMM_WORLD);
      }
    }
  }
}

CASE(ssend_and_irecv_mixed_order) {
  // The receives complete in another order than they were posted.
  if (rank() > 1) return;
  if (size() < 2) return;
  constexpr int kMessages = 20;
  if (rank() == 0) {
    Ints out = numbers(kMessages);
    std::vector<MPI_Request> requests(kMessages);
    for (size_t i = 0; i < kMessages; ++i) {
      MPI_Issend(&out[i], 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &requests[i]);
    }
    for (size_t i = kMessages; i-- > 0;) {
      MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
    }
    line("sent");
  } else {
    Ints in(kMessages, -1);
    std::vector<MPI_Request> requests(kMessages);
    for (size_t i = 0; i < kMessages; ++i) {
      MPI_Irecv(&in[i], 1, MPI_INT, 0, i % 2 == 0 ? MPI_ANY_TAG : 0,
                MPI_COMM_WORLD, &requests[i]);
    }
    for (size_t i = kMessages; i-- > 0;) {
      Status status;
      MPI_Wait(&requests[i], &status);
      show("status", status);
    }
    show("values", in);
  }
}

CASE(ping_pong_of_all_sizes) {
  if (rank() > 1 || size() < 2) return;
  Ints data(1 << 18);
  for (int count = 1; count <= 1 << 18; count *= 2) {
    for (int i = 0; i < 3; ++i) {
      if (rank() == i % 2) {
        MPI_Send(data.data(), count, MPI_INT, 1 - rank(), count % 1000,
                 MPI_COMM_WORLD);
      } else {
        Status status;
        MPI_Recv(data.data(), count, MPI_INT, 1 - rank(), count % 1000,
                 MPI_COMM_WORLD, &status);
        show("status", status);
        for (int k = 0; k < count; ++k) data[static_cast<size_t>(k)] += k;
      }
    }
  }
  line("checksum %u", checksum(data));
}

}  // namespace
