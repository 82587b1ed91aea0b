// Probes that find nothing, or one message twice. (pt2pt receives by each kind
// of probe.)
#include "messages.h"

namespace {

using namespace transparency;
constexpr char kGroup[] = "probe";

void send_to_next(int count, int tag, std::vector<MPI_Request>& requests,
                  const Ints& data) {
  requests.emplace_back();
  MPI_Isend(data.data(), count, MPI_INT, next(), tag, MPI_COMM_WORLD,
            &requests.back());
}

void complete(std::vector<MPI_Request>& requests) {
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(),
              MPI_STATUSES_IGNORE);
  requests.clear();
}

CASE(iprobe_finds_nothing) {
  int flag = -1;
  Status status;
  for (int i = 0; i < 100; ++i) {
    MPI_Iprobe(MPI_ANY_SOURCE, 12345, MPI_COMM_WORLD, &flag, &status);
    if (flag != 0) line("found %d", flag);
  }
  MPI_Message message = MPI_MESSAGE_NULL;
  for (int i = 0; i < 100; ++i) {
    MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &message,
                &status);
    if (flag != 0) line("found %d", flag);
  }
  line("flag %d, null: %s", flag, yes(message == MPI_MESSAGE_NULL));
}

CASE(iprobe_sees_only_the_programs_messages) {
  // All calls for which a tool sends messages of its own come before this.
  MPI_Barrier(MPI_COMM_WORLD);
  int sum = 0;
  const int one = 1;
  MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Barrier(comm);
  for (const MPI_Comm c : {MPI_COMM_WORLD, comm, MPI_COMM_SELF}) {
    int found = 0;
    for (int i = 0; i < 300; ++i) {
      int flag = 0;
      MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, c, &flag, MPI_STATUS_IGNORE);
      found += flag;
    }
    line("found %d", found);
  }
  MPI_Comm_free(&comm);
}

CASE(mprobe_takes_the_message_away) {
  std::vector<MPI_Request> requests;
  const Ints first = numbers(3, 10);
  const Ints second = numbers(4, 20);
  send_to_next(3, 1, requests, first);
  send_to_next(4, 1, requests, second);
  MPI_Message message;
  Status status;
  MPI_Mprobe(previous(), 1, MPI_COMM_WORLD, &message, &status);
  show("matched", status);
  Ints in(10, -1);
  // A plain receive gets the second one.
  MPI_Recv(in.data(), 10, MPI_INT, previous(), 1, MPI_COMM_WORLD, &status);
  show("received", status);
  show("data", in);
  MPI_Mrecv(in.data(), 10, MPI_INT, &message, &status);
  show("matched receive", status);
  show("data", in);
  line("null: %s", yes(message == MPI_MESSAGE_NULL));
  complete(requests);
}

CASE(messages_received_in_reverse) {
  constexpr int kMessages = 10;
  std::vector<MPI_Request> requests;
  const Ints data = numbers(kMessages, rank() * 100);
  for (int i = 0; i < kMessages; ++i) send_to_next(i + 1, 4, requests, data);
  MPI_Message messages[kMessages];
  for (MPI_Message& message : messages) {
    Status status;
    MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &message, &status);
    show("matched", status);
  }
  for (int i = kMessages - 1; i >= 0; --i) {
    Ints in(kMessages, -1);
    Status status;
    if (i % 2 == 0) {
      MPI_Mrecv(in.data(), kMessages, MPI_INT, &messages[i], &status);
    } else {
      MPI_Request request;
      MPI_Imrecv(in.data(), kMessages, MPI_INT, &messages[i], &request);
      MPI_Wait(&request, &status);
    }
    show("received", status);
    show("data", in);
  }
  complete(requests);
}

CASE(matched_truncation) {
  ErrorsReturn errors(MPI_COMM_WORLD);
  std::vector<MPI_Request> requests;
  const Ints data = numbers(50, 0);
  send_to_next(50, 1, requests, data);
  MPI_Message message;
  Status status;
  MPI_Mprobe(previous(), 1, MPI_COMM_WORLD, &message, &status);
  Ints in(50, -1);
  const int code = MPI_Mrecv(in.data(), 10, MPI_INT, &message, &status);
  show("too short", code);
  line("null: %s, source %d, tag %d", yes(message == MPI_MESSAGE_NULL),
       status.MPI_SOURCE, status.MPI_TAG);
  complete(requests);
  use("afterwards", MPI_COMM_WORLD);
}

CASE(imrecv_truncation) {
  ErrorsReturn errors(MPI_COMM_WORLD);
  std::vector<MPI_Request> requests;
  const Ints data = numbers(50, 0);
  send_to_next(50, 1, requests, data);
  MPI_Message message;
  MPI_Mprobe(previous(), 1, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
  Ints in(50, -1);
  MPI_Request request;
  Status status;
  const int posted = MPI_Imrecv(in.data(), 10, MPI_INT, &message, &request);
  show("post", posted);
  if (posted == MPI_SUCCESS) show("wait", MPI_Wait(&request, &status));
  complete(requests);
  use("afterwards", MPI_COMM_WORLD);
}

CASE(matched_message_outlives_communicator) {
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  const int out = rank() + 40;
  MPI_Request request;
  MPI_Isend(&out, 1, MPI_INT, next(), 5, comm, &request);
  MPI_Message message;
  MPI_Mprobe(previous(), 5, comm, &message, MPI_STATUS_IGNORE);
  int in = -1;
  MPI_Request receive;
  MPI_Imrecv(&in, 1, MPI_INT, &message, &receive);
  MPI_Comm_free(&comm);
  MPI_Wait(&receive, MPI_STATUS_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  line("value %d", in);
}

}  // namespace
