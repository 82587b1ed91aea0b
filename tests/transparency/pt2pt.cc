// Messages: every kind of send to every kind of receive, and their edge cases.
#include <cstddef>

#include "messages.h"

namespace {

using namespace transparency;
constexpr char kGroup[] = "pt2pt";

// ---- kinds of send ----------------------------------------------------------

CASE(send) {
  around_the_ring([](const int* data, int n, int dest, int tag, MPI_Comm comm) {
    MPI_Send(data, n, MPI_INT, dest, tag, comm);
  });
}

CASE(ssend) {
  around_the_ring([](const int* data, int n, int dest, int tag, MPI_Comm comm) {
    MPI_Ssend(data, n, MPI_INT, dest, tag, comm);
  });
}

CASE(bsend) {
  BsendBuffer buffer(20000 * sizeof(int) * 3);
  around_the_ring([](const int* data, int n, int dest, int tag, MPI_Comm comm) {
    MPI_Bsend(data, n, MPI_INT, dest, tag, comm);
  });
}

CASE(rsend) {
  around_the_ring_ready(
      [](const int* data, int n, int dest, int tag, MPI_Comm comm) {
        MPI_Rsend(data, n, MPI_INT, dest, tag, comm);
      });
}

CASE(isend) {
  around_the_ring([](const int* data, int n, int dest, int tag, MPI_Comm comm) {
    MPI_Request request;
    MPI_Isend(data, n, MPI_INT, dest, tag, comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    line("request null: %s", yes(request == MPI_REQUEST_NULL));
  });
}

CASE(issend) {
  around_the_ring([](const int* data, int n, int dest, int tag, MPI_Comm comm) {
    MPI_Request request;
    MPI_Issend(data, n, MPI_INT, dest, tag, comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    line("request null: %s", yes(request == MPI_REQUEST_NULL));
  });
}

CASE(ibsend) {
  BsendBuffer buffer(20000 * sizeof(int) * 3);
  around_the_ring([](const int* data, int n, int dest, int tag, MPI_Comm comm) {
    MPI_Request request;
    MPI_Ibsend(data, n, MPI_INT, dest, tag, comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  });
}

CASE(irsend) {
  around_the_ring_ready(
      [](const int* data, int n, int dest, int tag, MPI_Comm comm) {
        MPI_Request request;
        MPI_Irsend(data, n, MPI_INT, dest, tag, comm, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
      });
}

CASE(send_init) { around_the_ring(persistent(MPI_Send_init)); }

CASE(ssend_init) { around_the_ring(persistent(MPI_Ssend_init)); }

CASE(bsend_init) {
  BsendBuffer buffer(20000 * sizeof(int) * 3);
  around_the_ring(persistent(MPI_Bsend_init));
}

CASE(rsend_init) { around_the_ring_ready(persistent(MPI_Rsend_init)); }

CASE(send_on_a_duplicate) {
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  around_the_ring([](const int* data, int n, int dest, int tag,
                     MPI_Comm c) { MPI_Send(data, n, MPI_INT, dest, tag, c); },
                  comm);
  MPI_Comm_free(&comm);
}

CASE(send_on_self) {
  for (int i = 0; i < 3; ++i) {
    int in = -1;
    const int out = rank() * 10 + i;
    MPI_Request request;
    MPI_Irecv(&in, 1, MPI_INT, 0, i, MPI_COMM_SELF, &request);
    MPI_Send(&out, 1, MPI_INT, 0, i, MPI_COMM_SELF);
    Status status;
    MPI_Wait(&request, &status);
    show("self", status);
    line("value %d", in);
  }
}

// ---- combined ---------------------------------------------------------------

CASE(sendrecv) {
  for (const int count : {0, 1, 50, 30000}) {
    const Ints out = numbers(count, rank());
    Ints in(static_cast<size_t>(count) + 1, -1);
    Status status;
    show("code",
         MPI_Sendrecv(out.data(), count, MPI_INT, next(), 4, in.data(), count,
                      MPI_INT, previous(), 4, MPI_COMM_WORLD, &status));
    show("status", status);
    line("checksum %u", checksum(in));
  }
}

CASE(sendrecv_different_sizes) {
  const Ints out = numbers(rank() + 1, rank());
  Ints in(static_cast<size_t>(size()) + 1, -1);
  Status status;
  MPI_Sendrecv(out.data(), rank() + 1, MPI_INT, next(), rank(), in.data(),
               size() + 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD,
               &status);
  show("status", status);
  show("data", in);
}

CASE(sendrecv_replace) {
  for (const int count : {0, 1, 50, 30000}) {
    Ints data = numbers(count, rank());
    Status status;
    MPI_Sendrecv_replace(data.data(), count, MPI_INT, next(), 4, previous(), 4,
                         MPI_COMM_WORLD, &status);
    show("status", status);
    line("checksum %u", checksum(data));
  }
}

CASE(sendrecv_status_ignored) {
  int in = -1;
  const int out = rank();
  MPI_Sendrecv(&out, 1, MPI_INT, next(), 4, &in, 1, MPI_INT, previous(), 4,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  line("value %d", in);
  MPI_Sendrecv_replace(&in, 1, MPI_INT, next(), 4, previous(), 4,
                       MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  line("value %d", in);
}

CASE(sendrecv_with_one_side) {
  // One half of the call has MPI_PROC_NULL; the other half must still work.
  int in = -1;
  const int out = rank();
  Status status;
  const bool last = rank() == size() - 1;
  MPI_Sendrecv(&out, 1, MPI_INT, last ? MPI_PROC_NULL : rank() + 1, 6, &in, 1,
               MPI_INT, rank() == 0 ? MPI_PROC_NULL : rank() - 1, 6,
               MPI_COMM_WORLD, &status);
  show("status", status);
  line("value %d", in);
  MPI_Sendrecv_replace(&in, 1, MPI_INT, last ? MPI_PROC_NULL : rank() + 1, 6,
                       rank() == 0 ? MPI_PROC_NULL : rank() - 1, 6,
                       MPI_COMM_WORLD, &status);
  show("status", status);
  line("value %d", in);
}

CASE(sendrecv_and_plain_calls) {
  // A combined call meets separate ones.
  int in = -1;
  const int out = rank();
  Status status;
  if (rank() % 2 == 0) {
    MPI_Sendrecv(&out, 1, MPI_INT, next(), 1, &in, 1, MPI_INT, previous(), 1,
                 MPI_COMM_WORLD, &status);
  } else {
    MPI_Recv(&in, 1, MPI_INT, previous(), 1, MPI_COMM_WORLD, &status);
    MPI_Send(&out, 1, MPI_INT, next(), 1, MPI_COMM_WORLD);
  }
  show("status", status);
  line("value %d", in);
}

// ---- no process -------------------------------------------------------------

CASE(proc_null_send) {
  const int value = 1;
  BsendBuffer buffer(4096);
  const MPI_Comm world = MPI_COMM_WORLD;
  const int none = MPI_PROC_NULL;
  show("send", MPI_Send(&value, 1, MPI_INT, none, 0, world));
  show("ssend", MPI_Ssend(&value, 1, MPI_INT, none, 0, world));
  show("rsend", MPI_Rsend(&value, 1, MPI_INT, none, 0, world));
  show("bsend", MPI_Bsend(&value, 1, MPI_INT, none, 0, world));
  show("send nothing", MPI_Send(nullptr, 0, MPI_INT, none, 0, world));
  MPI_Request r[8];
  MPI_Isend(&value, 1, MPI_INT, none, 0, world, &r[0]);
  MPI_Issend(&value, 1, MPI_INT, none, 0, world, &r[1]);
  MPI_Irsend(&value, 1, MPI_INT, none, 0, world, &r[2]);
  MPI_Ibsend(&value, 1, MPI_INT, none, 0, world, &r[3]);
  MPI_Send_init(&value, 1, MPI_INT, none, 0, world, &r[4]);
  MPI_Ssend_init(&value, 1, MPI_INT, none, 0, world, &r[5]);
  MPI_Rsend_init(&value, 1, MPI_INT, none, 0, world, &r[6]);
  MPI_Bsend_init(&value, 1, MPI_INT, none, 0, world, &r[7]);
  for (int round = 0; round < 3; ++round) {
    MPI_Startall(4, r + 4);
    show("wait", MPI_Waitall(8, r, MPI_STATUSES_IGNORE));
  }
  for (int i = 4; i < 8; ++i) MPI_Request_free(&r[i]);
  for (int i = 0; i < 8; ++i) line("null: %s", yes(r[i] == MPI_REQUEST_NULL));
}

CASE(proc_null_receive) {
  int value = 5;
  Status status;
  const MPI_Comm world = MPI_COMM_WORLD;
  show("recv", MPI_Recv(&value, 1, MPI_INT, MPI_PROC_NULL, 0, world, &status));
  show("status", status);
  line("tag any: %s", yes(status.MPI_TAG == MPI_ANY_TAG));
  line("proc null: %s", yes(status.MPI_SOURCE == MPI_PROC_NULL));
  MPI_Recv(nullptr, 0, MPI_INT, MPI_PROC_NULL, MPI_ANY_TAG, world,
           MPI_STATUS_IGNORE);
  MPI_Request request;
  MPI_Irecv(&value, 1, MPI_INT, MPI_PROC_NULL, MPI_ANY_TAG, world, &request);
  MPI_Wait(&request, &status);
  show("irecv", status);
  MPI_Recv_init(&value, 1, MPI_INT, MPI_PROC_NULL, 3, world, &request);
  for (int round = 0; round < 3; ++round) {
    MPI_Start(&request);
    MPI_Wait(&request, &status);
    show("persistent", status);
  }
  MPI_Request_free(&request);
  MPI_Sendrecv(&value, 1, MPI_INT, MPI_PROC_NULL, 0, &value, 1, MPI_INT,
               MPI_PROC_NULL, 0, world, &status);
  show("sendrecv", status);
  line("value %d", value);
}

CASE(proc_null_probe) {
  Status status;
  MPI_Message message = MPI_MESSAGE_NULL;
  int flag = -1;
  int value = 9;
  MPI_Probe(MPI_PROC_NULL, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
  show("probe", status);
  MPI_Iprobe(MPI_PROC_NULL, 1, MPI_COMM_WORLD, &flag, &status);
  show("iprobe", status);
  line("flag %d", flag);
  MPI_Mprobe(MPI_PROC_NULL, 1, MPI_COMM_WORLD, &message, &status);
  show("mprobe", status);
  line("no proc: %s", yes(message == MPI_MESSAGE_NO_PROC));
  MPI_Mrecv(&value, 1, MPI_INT, &message, &status);
  show("mrecv", status);
  line("null: %s", yes(message == MPI_MESSAGE_NULL));
  flag = -1;
  MPI_Improbe(MPI_PROC_NULL, 1, MPI_COMM_WORLD, &flag, &message,
              MPI_STATUS_IGNORE);
  line("flag %d, no proc: %s", flag, yes(message == MPI_MESSAGE_NO_PROC));
  MPI_Request request;
  MPI_Imrecv(&value, 1, MPI_INT, &message, &request);
  line("null: %s", yes(message == MPI_MESSAGE_NULL));
  MPI_Wait(&request, &status);
  show("imrecv", status);
  line("value %d", value);
}

// ---- edges of the arguments -----------------------------------------------

CASE(empty_messages) {
  // A buffer of no elements may be null.
  Status status;
  MPI_Request requests[2];
  MPI_Irecv(nullptr, 0, MPI_INT, previous(), 2, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(nullptr, 0, MPI_INT, next(), 2, MPI_COMM_WORLD, &requests[1]);
  MPI_Wait(&requests[0], &status);
  MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
  show("nothing", status);
  MPI_Sendrecv(nullptr, 0, MPI_DOUBLE, next(), 3, nullptr, 0, MPI_DOUBLE,
               previous(), 3, MPI_COMM_WORLD, &status);
  show("nothing", status, MPI_DOUBLE);
}

CASE(bottom) {
  int out[2] = {rank() + 1, rank() + 2};
  int in[2] = {-1, -1};
  MPI_Datatype send_type;
  MPI_Datatype receive_type;
  const int lengths[2] = {1, 1};
  MPI_Aint places[2];
  MPI_Get_address(&out[0], &places[0]);
  MPI_Get_address(&out[1], &places[1]);
  MPI_Type_create_hindexed(2, lengths, places, MPI_INT, &send_type);
  MPI_Get_address(&in[1], &places[0]);
  MPI_Get_address(&in[0], &places[1]);
  MPI_Type_create_hindexed(2, lengths, places, MPI_INT, &receive_type);
  MPI_Type_commit(&send_type);
  MPI_Type_commit(&receive_type);
  Status status;
  MPI_Sendrecv(MPI_BOTTOM, 1, send_type, next(), 1, MPI_BOTTOM, 1, receive_type,
               previous(), 1, MPI_COMM_WORLD, &status);
  show("status", status, receive_type);
  line("values %d %d", in[0], in[1]);
  MPI_Type_free(&send_type);
  MPI_Type_free(&receive_type);
}

CASE(largest_tag) {
  int* bound = nullptr;
  int found = 0;
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &bound, &found);
  line("bound %d, found %d", *bound, found);
  for (int below = 0; below < 300; below += 7) {
    const int out = below;
    int in = -1;
    Status status;
    const int tag = *bound - below;
    MPI_Sendrecv(&out, 1, MPI_INT, next(), tag, &in, 1, MPI_INT, previous(),
                 tag, MPI_COMM_WORLD, &status);
    line("tag %d below: value %d, status %d", below, in,
         *bound - status.MPI_TAG);
    MPI_Request requests[2];
    MPI_Irecv(&in, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD,
              &requests[0]);
    MPI_Issend(&out, 1, MPI_INT, next(), tag, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

CASE(many_tags) {
  // Later tags are received first.
  constexpr int kTags = 200;
  std::vector<MPI_Request> requests(kTags);
  Ints out = numbers(kTags, rank() * 1000);
  for (int t = 0; t < kTags; ++t) {
    MPI_Isend(&out[static_cast<size_t>(t)], 1, MPI_INT, next(), t,
              MPI_COMM_WORLD, &requests[static_cast<size_t>(t)]);
  }
  Ints in;
  for (int t = kTags - 1; t >= 0; --t) {
    int value = -1;
    MPI_Recv(&value, 1, MPI_INT, previous(), t, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    in.push_back(value);
  }
  MPI_Waitall(kTags, requests.data(), MPI_STATUSES_IGNORE);
  show("values", in);
}

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

CASE(pack_and_unpack) {
  char space[200];
  int place = 0;
  const int number = rank() + 7;
  const double real = rank() * 0.5;
  MPI_Pack(&number, 1, MPI_INT, space, sizeof space, &place, MPI_COMM_WORLD);
  MPI_Pack(&real, 1, MPI_DOUBLE, space, sizeof space, &place, MPI_COMM_WORLD);
  line("packed %d", place);
  char in[200];
  Status status;
  MPI_Sendrecv(space, place, MPI_PACKED, next(), 0, in, sizeof in, MPI_PACKED,
               previous(), 0, MPI_COMM_WORLD, &status);
  show("status", status, MPI_PACKED);
  int got = -1;
  double got_real = -1;
  place = 0;
  MPI_Unpack(in, sizeof in, &place, &got, 1, MPI_INT, MPI_COMM_WORLD);
  MPI_Unpack(in, sizeof in, &place, &got_real, 1, MPI_DOUBLE, MPI_COMM_WORLD);
  line("unpacked %d %g at %d", got, got_real, place);
}

CASE(struct_type) {
  struct Thing {
    char letter;
    double real;
    int number[3];
  };
  Thing out{'a', rank() + 0.5, {rank(), 2, 3}};
  Thing in{'?', 0, {0, 0, 0}};
  const int lengths[3] = {1, 1, 3};
  const MPI_Aint places[3] = {offsetof(Thing, letter), offsetof(Thing, real),
                              offsetof(Thing, number)};
  const MPI_Datatype types[3] = {MPI_CHAR, MPI_DOUBLE, MPI_INT};
  MPI_Datatype raw;
  MPI_Datatype type;
  MPI_Type_create_struct(3, lengths, places, types, &raw);
  MPI_Type_create_resized(raw, 0, sizeof(Thing), &type);
  MPI_Type_commit(&type);
  MPI_Type_free(&raw);
  Status status;
  MPI_Request requests[2];
  MPI_Irecv(&in, 1, type, previous(), 0, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(&out, 1, type, next(), 0, MPI_COMM_WORLD, &requests[1]);
  // Freed while in use.
  MPI_Datatype copy;
  MPI_Type_dup(type, &copy);
  MPI_Type_free(&type);
  MPI_Wait(&requests[0], &status);
  MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
  show("status", status, copy);
  line("%c %g %d %d %d", in.letter, in.real, in.number[0], in.number[1],
       in.number[2]);
  MPI_Type_free(&copy);
}

CASE(partial_type) {
  // Two and a half elements: the count is undefined, the elements are five.
  MPI_Datatype pair;
  MPI_Type_contiguous(2, MPI_INT, &pair);
  MPI_Type_commit(&pair);
  const Ints out = numbers(5, rank());
  Ints in(6, -1);
  Status status;
  MPI_Request request;
  MPI_Irecv(in.data(), 3, pair, previous(), 0, MPI_COMM_WORLD, &request);
  MPI_Send(out.data(), 5, MPI_INT, next(), 0, MPI_COMM_WORLD);
  MPI_Wait(&request, &status);
  show("status", status, pair);
  MPI_Count elements = -1;
  MPI_Get_elements_x(&status, pair, &elements);
  line("elements %lld", static_cast<long long>(elements));
  show("data", in);
  MPI_Type_free(&pair);
}

CASE(null_type_extent_zero) {
  MPI_Datatype empty;
  MPI_Type_contiguous(0, MPI_INT, &empty);
  MPI_Type_commit(&empty);
  int in = 4;
  Status status;
  MPI_Sendrecv(&in, 3, empty, next(), 0, &in, 3, empty, previous(), 0,
               MPI_COMM_WORLD, &status);
  line("source %d, tag %d, value %d", status.MPI_SOURCE, status.MPI_TAG, in);
  MPI_Type_free(&empty);
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
