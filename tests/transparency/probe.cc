// Probes, with and without matching.
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

CASE(probe_tells_size) {
  std::vector<MPI_Request> requests;
  const Ints data = numbers(300, rank());
  for (const int count : {0, 1, 17, 300}) {
    send_to_next(count, count, requests, data);
    Status status;
    MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    show("probe", status);
    MPI_Probe(previous(), count, MPI_COMM_WORLD, &status);
    show("again", status);
    Ints in(static_cast<size_t>(count), -1);
    MPI_Recv(in.data(), count, MPI_INT, status.MPI_SOURCE, status.MPI_TAG,
             MPI_COMM_WORLD, &status);
    show("receive", status);
    line("checksum %u", checksum(in));
  }
  complete(requests);
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

CASE(improbe_until_there) {
  std::vector<MPI_Request> requests;
  const Ints data = numbers(5, rank());
  send_to_next(5, 6, requests, data);
  MPI_Message message = MPI_MESSAGE_NULL;
  Status status;
  for (int flag = 0; flag == 0;) {
    MPI_Improbe(MPI_ANY_SOURCE, 6, MPI_COMM_WORLD, &flag, &message, &status);
  }
  show("matched", status);
  line("null: %s", yes(message == MPI_MESSAGE_NULL));
  Ints in(5, -1);
  MPI_Mrecv(in.data(), 5, MPI_INT, &message, MPI_STATUS_IGNORE);
  show("data", in);
  complete(requests);
}

CASE(imrecv_of_many) {
  constexpr int kMessages = 50;
  std::vector<MPI_Request> requests;
  const Ints data = numbers(kMessages, 0);
  for (int i = 0; i < kMessages; ++i) {
    send_to_next(i, i % 3, requests, data);
  }
  std::vector<MPI_Request> receives;
  std::vector<Ints> in(kMessages, Ints(kMessages, -1));
  for (int i = 0; i < kMessages; ++i) {
    MPI_Message message;
    MPI_Mprobe(previous(), i % 3, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
    receives.emplace_back();
    MPI_Imrecv(in[static_cast<size_t>(i)].data(), kMessages, MPI_INT, &message,
               &receives.back());
  }
  std::vector<Status> statuses(kMessages);
  MPI_Waitall(kMessages, receives.data(), statuses.data());
  for (const Status& status : statuses) show("status", status);
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

CASE(probe_on_a_duplicate) {
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  const int out = rank();
  MPI_Request requests[2];
  MPI_Isend(&out, 1, MPI_INT, next(), 5, comm, &requests[0]);
  MPI_Isend(&out, 1, MPI_INT, next(), 5, MPI_COMM_WORLD, &requests[1]);
  Status status;
  MPI_Message message;
  int in = -1;
  MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &message, &status);
  show("on the duplicate", status);
  MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
  show("on the world", status);
  MPI_Recv(&in, 1, MPI_INT, previous(), 5, MPI_COMM_WORLD, &status);
  line("value %d", in);
  MPI_Mrecv(&in, 1, MPI_INT, &message, &status);
  line("value %d", in);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  MPI_Comm_free(&comm);
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

CASE(probe_with_a_synchronous_sender) {
  if (size() < 2 || rank() > 1) return;
  if (rank() == 0) {
    const int out = 3;
    MPI_Ssend(&out, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
    MPI_Request request;
    MPI_Issend(&out, 1, MPI_INT, 1, 2, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    line("sent");
  } else {
    for (int tag = 1; tag <= 2; ++tag) {
      MPI_Message message;
      Status status;
      int in = -1;
      MPI_Mprobe(0, tag, MPI_COMM_WORLD, &message, &status);
      MPI_Mrecv(&in, 1, MPI_INT, &message, &status);
      show("status", status);
    }
  }
}

CASE(iprobe_polling_while_others_work) {
  // Polls are counted neither as messages nor as anything to wait for.
  if (rank() == 0) {
    for (int left = size() - 1; left > 0; --left) {
      Status status;
      for (int flag = 0; flag == 0;) {
        MPI_Iprobe(MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &flag, &status);
      }
      int in = -1;
      MPI_Recv(&in, 1, MPI_INT, status.MPI_SOURCE, 1, MPI_COMM_WORLD, &status);
      if (in != status.MPI_SOURCE) line("wrong %d", in);
    }
    line("all");
  } else {
    const int out = rank();
    MPI_Send(&out, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
  }
}

}  // namespace
