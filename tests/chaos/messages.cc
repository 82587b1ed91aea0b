// Messages, and requests that are started.
#include "interpreter.h"

namespace chaos {
namespace {

int source_of(int word) {
  return word == -1 ? MPI_ANY_SOURCE : word == -2 ? MPI_PROC_NULL : word;
}
int dest_of(int word) { return word == -2 ? MPI_PROC_NULL : word; }
int tag_of(int word) { return word == -1 ? MPI_ANY_TAG : word; }

void op_send(Arguments a) {
  const int mode = a.next();
  const Comm& comm = g_comms.at(a.next());
  const int dest = dest_of(a.next());
  const int tag = a.next();
  const int message = a.next();
  const int length = a.next();
  const auto data = buffer(length);
  fill(data.get(), message, comm.rank, tag, length);
  const auto send = mode == 0 ? MPI_Send : mode == 1 ? MPI_Ssend : MPI_Bsend;
  timed([&] { send(data.get(), length, MPI_INT, dest, tag, comm.handle); });
  if (dest == MPI_PROC_NULL) return;
  note(kSent, message);
  note(kSendDone, message);
}

void op_isend(Arguments a) {
  const int mode = a.next();
  Slot& slot = g_slots[a.next()];
  const Comm& comm = g_comms.at(a.next());
  const int dest = a.next();
  const int tag = a.next();
  slot.message = a.next();
  const int length = a.next();
  slot.kind = Kind::kSend;
  slot.active = true;
  slot.data = buffer(length);
  fill(slot.data.get(), slot.message, comm.rank, tag, length);
  const auto send = mode == 0 ? MPI_Isend : mode == 1 ? MPI_Issend : MPI_Ibsend;
  timed([&] {
    send(slot.data.get(), length, MPI_INT, dest, tag, comm.handle,
         &slot.request);
  });
  note(kSent, slot.message);
}

void op_recv(Arguments a) {
  const int id = a.next();
  const Comm& comm = g_comms.at(a.next());
  const int source = source_of(a.next());
  const int tag = tag_of(a.next());
  const bool ignore = a.next() != 0;
  const auto data = buffer(kLongest);
  MPI_Status status;
  timed([&] {
    MPI_Recv(data.get(), kLongest, MPI_INT, source, tag, comm.handle,
             ignore ? MPI_STATUS_IGNORE : &status);
  });
  if (source == MPI_PROC_NULL) return;
  check(data.get(), ignore ? nullptr : &status);
  note(kPosted, id);
  note(kReceived, id, data[0]);
}

void op_irecv(Arguments a) {
  const int id = a.next();
  Slot& slot = g_slots[id];
  const Comm& comm = g_comms.at(a.next());
  const int source = source_of(a.next());
  const int tag = tag_of(a.next());
  slot.kind = Kind::kReceive;
  slot.active = true;
  slot.data = buffer(kLongest);
  timed([&] {
    MPI_Irecv(slot.data.get(), kLongest, MPI_INT, source, tag, comm.handle,
              &slot.request);
  });
  note(kPosted, id);
}

void op_sendrecv(Arguments a) {
  const int id = a.next();
  const bool replace = a.next() != 0;
  const Comm& comm = g_comms.at(a.next());
  const int dest = dest_of(a.next());
  const int send_tag = a.next();
  const int message = a.next();
  const int length = a.next();
  const int source = source_of(a.next());
  const int receive_tag = tag_of(a.next());
  const auto out = buffer(kLongest);
  const auto in = buffer(kLongest);
  MPI_Status status;
  fill(out.get(), message, comm.rank, send_tag, length);
  const int* data = in.get();
  if (replace) {
    data = out.get();
    timed([&] {
      MPI_Sendrecv_replace(out.get(), length, MPI_INT, dest, send_tag, source,
                           receive_tag, comm.handle, &status);
    });
  } else {
    timed([&] {
      MPI_Sendrecv(out.get(), length, MPI_INT, dest, send_tag, in.get(),
                   kLongest, MPI_INT, source, receive_tag, comm.handle,
                   &status);
    });
  }
  if (dest != MPI_PROC_NULL) note(kSent, message);
  if (source == MPI_PROC_NULL) return;
  check(data, &status);
  note(kPosted, id);
  note(kReceived, id, data[0]);
}

void op_send_init(Arguments a) {
  const int mode = a.next();
  Slot& slot = g_slots[a.next()];
  const Comm& comm = g_comms.at(a.next());
  slot.dest = a.next();
  slot.tag = a.next();
  slot.length = a.next();
  slot.source = comm.rank;
  slot.kind = Kind::kSend;
  slot.persistent = true;
  slot.data = buffer(slot.length);
  const auto init = mode == 0   ? MPI_Send_init
                    : mode == 1 ? MPI_Ssend_init
                                : MPI_Bsend_init;
  timed([&] {
    init(slot.data.get(), slot.length, MPI_INT, slot.dest, slot.tag,
         comm.handle, &slot.request);
  });
}

void op_recv_init(Arguments a) {
  Slot& slot = g_slots[a.next()];
  const Comm& comm = g_comms.at(a.next());
  const int source = source_of(a.next());
  const int tag = tag_of(a.next());
  slot.kind = Kind::kReceive;
  slot.persistent = true;
  slot.data = buffer(kLongest);
  timed([&] {
    MPI_Recv_init(slot.data.get(), kLongest, MPI_INT, source, tag, comm.handle,
                  &slot.request);
  });
}

void note_started(int id) {
  Slot& slot = g_slots[id];
  slot.active = true;
  if (slot.kind == Kind::kSend) {
    note(kSent, slot.message);
  } else {
    note(kPosted, id);
  }
}

void op_start(Arguments a) {
  const bool all = a.next() != 0;
  const Ints words = a.list();  // slot, message, slot, message, ...
  std::vector<MPI_Request> requests;
  for (size_t i = 0; i < words.size(); i += 2) {
    Slot& slot = g_slots[words[i]];
    if (slot.kind == Kind::kSend) {
      slot.message = words[i + 1];
      fill(slot.data.get(), slot.message, slot.source, slot.tag, slot.length);
    }
    requests.push_back(slot.request);
  }
  if (all) {
    timed([&] {
      MPI_Startall(static_cast<int>(requests.size()), requests.data());
    });
    for (size_t i = 0; i < words.size(); i += 2) note_started(words[i]);
    return;
  }
  for (size_t i = 0; i < words.size(); i += 2) {
    timed([&] { MPI_Start(&requests[i / 2]); });
    note_started(words[i]);
  }
}

void op_mprobe(Arguments a) {
  const int id = a.next();
  const bool poll = a.next() != 0;
  const Comm& comm = g_comms.at(a.next());
  const int source = source_of(a.next());
  const int tag = tag_of(a.next());
  MPI_Message message = MPI_MESSAGE_NULL;
  MPI_Status status;
  if (poll) {
    for (int flag = 0; flag == 0;) {
      timed([&] {
        MPI_Improbe(source, tag, comm.handle, &flag, &message, &status);
      });
      if (flag == 0) breathe();
    }
  } else {
    timed([&] { MPI_Mprobe(source, tag, comm.handle, &message, &status); });
  }
  note(kMatched, id);
  g_slots[id].matched = message;
}

void op_mrecv(Arguments a) {
  const int id = a.next();
  Slot& slot = g_slots[id];
  const auto data = buffer(kLongest);
  MPI_Status status;
  timed([&] {
    MPI_Mrecv(data.get(), kLongest, MPI_INT, &slot.matched, &status);
  });
  check(data.get(), &status);
  note(kTakes, id);
  note(kReceived, id, data[0]);
}

void op_imrecv(Arguments a) {
  const int id = a.next();
  Slot& slot = g_slots[id];
  slot.kind = Kind::kReceive;
  slot.active = true;
  slot.data = buffer(kLongest);
  timed([&] {
    MPI_Imrecv(slot.data.get(), kLongest, MPI_INT, &slot.matched,
               &slot.request);
  });
  note(kTakes, id);
}

// Probes, then receives the message that was found.
void op_probe_recv(Arguments a) {
  const int id = a.next();
  const bool poll = a.next() != 0;
  const Comm& comm = g_comms.at(a.next());
  const int source = source_of(a.next());
  const int tag = tag_of(a.next());
  MPI_Status status;
  if (poll) {
    for (int flag = 0; flag == 0;) {
      timed([&] { MPI_Iprobe(source, tag, comm.handle, &flag, &status); });
      if (flag == 0) breathe();
    }
  } else {
    timed([&] { MPI_Probe(source, tag, comm.handle, &status); });
  }
  const auto data = buffer(kLongest);
  timed([&] {
    MPI_Recv(data.get(), kLongest, MPI_INT, status.MPI_SOURCE, status.MPI_TAG,
             comm.handle, &status);
  });
  check(data.get(), &status);
  note(kPosted, id);
  note(kReceived, id, data[0]);
}

}  // namespace

void add_messages(Functions* all) {
  all->insert({
      {"send", op_send},
      {"isend", op_isend},
      {"recv", op_recv},
      {"irecv", op_irecv},
      {"sendrecv", op_sendrecv},
      {"send_init", op_send_init},
      {"recv_init", op_recv_init},
      {"start", op_start},
      {"mprobe", op_mprobe},
      {"mrecv", op_mrecv},
      {"imrecv", op_imrecv},
      {"probe_recv", op_probe_recv},
  });
}

}  // namespace chaos
