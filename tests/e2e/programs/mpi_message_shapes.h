/* Shapes of messages: kinds of sends and receives, and of waiting for them. */
#ifndef POPRT_TESTS_E2E_MPI_MESSAGE_SHAPES_H_
#define POPRT_TESTS_E2E_MPI_MESSAGE_SHAPES_H_

#include "mpi_shapes.h"

/* Polls once before the message is sent, and again long after it was sent. */
static void late_test(void) {
  int value = -1, flag = 0;
  MPI_Request request;
  if (rank % 2 == 0) {
    work(3);
    send_to(rank + 1, 1);
    work(3);
  } else {
    MPI_Irecv(&value, 1, MPI_INT, rank - 1, 1, MPI_COMM_WORLD, &request);
    work(1);
    MPI_Test(&request, &flag, MPI_STATUS_IGNORE); /* too early */
    work(3);
    while (!flag) MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    CHECK(value == 100 * (rank - 1) + 1);
    work(2);
  }
}

/* Nothing but polls that find nothing, until a message has arrived. */
static void polling(void) {
  enum { kPhases = 7 };
  for (int phase = 0; phase < kPhases; ++phase) {
    if (rank % 2 == 0) {
      work(1);
      send_to(rank + 1, phase);
      continue;
    }
    const int other = rank - 1;
    int value = -1, flag = 0, index;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Message message;
    if (phase < 5) {
      MPI_Irecv(&value, 1, MPI_INT, other, phase, MPI_COMM_WORLD, &request);
    }
    while (!flag) {
      switch (phase) {
        case 0:
          MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
          break;
        case 1:
          MPI_Testany(1, &request, &index, &flag, MPI_STATUS_IGNORE);
          break;
        case 2:
          MPI_Testall(1, &request, &flag, MPI_STATUSES_IGNORE);
          break;
        case 3:
          MPI_Testsome(1, &request, &flag, &index, MPI_STATUSES_IGNORE);
          break;
        case 4:
          MPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE);
          break;
        case 5:
          MPI_Iprobe(other, phase, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
          break;
        default:
          MPI_Improbe(other, phase, MPI_COMM_WORLD, &flag, &message,
                      MPI_STATUS_IGNORE);
      }
    }
    if (phase == 4) MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (phase == 5) {
      MPI_Recv(&value, 1, MPI_INT, other, phase, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
    }
    if (phase == 6) MPI_Mrecv(&value, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
    CHECK(value == 100 * other + phase);
  }
  work(1);
}

static void wildcard(void) {
  if (rank == 0) {
    for (int i = 1; i < size; ++i) {
      int value = -1;
      MPI_Status status;
      if (i % 2 == 1) {
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG,
                 MPI_COMM_WORLD, &status);
      } else {
        MPI_Request request;
        MPI_Irecv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD,
                  &request);
        MPI_Wait(&request, &status);
      }
      CHECK(value == 100 * status.MPI_SOURCE + 2);
      sum += value;
      work(0.25);
    }
    for (int i = 1; i < size; ++i) send_to(i, 3);
  } else {
    work(1 + 4.0 * (rank - 1) / size);
    send_to(0, 2);
    receive_from(0, 3);
  }
  work(3);
}

static void persistent(void) {
  int in[2], out;
  MPI_Request requests[3];
  MPI_Recv_init(&in[0], 1, MPI_INT, left, 1, MPI_COMM_WORLD, &requests[0]);
  MPI_Recv_init(&in[1], 1, MPI_INT, right, 2, MPI_COMM_WORLD, &requests[1]);
  MPI_Send_init(&out, 1, MPI_INT, right, 1, MPI_COMM_WORLD, &requests[2]);
  for (int phase = 0; phase < 4; ++phase) {
    MPI_Request other;
    MPI_Startall(2, requests);
    work((rank + phase) % 2 == 0 ? 2 : 1);
    out = 10 * rank + phase;
    MPI_Start(&requests[2]);
    MPI_Isend(&out, 1, MPI_INT, left, 2, MPI_COMM_WORLD, &other);
    if (phase % 2 == 0) {
      MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    } else {
      for (int i = 2; i >= 0; --i) MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
    }
    MPI_Wait(&other, MPI_STATUS_IGNORE);
    CHECK(in[0] == 10 * left + phase && in[1] == 10 * right + phase);
    sum += in[0] + in[1];
  }
  for (int i = 0; i < 3; ++i) MPI_Request_free(&requests[i]);
}

static void probe(void) {
  const int even = rank % 2 == 0;
  const int other = even ? rank + 1 : rank - 1;
  int value = -1, count = 0, flag = 0;
  MPI_Status status;
  MPI_Message message;
  MPI_Request request;

  if (even) {
    work(2);
    send_to(other, 1);
  } else {
    work(1);
    MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    CHECK(count == 1 && status.MPI_SOURCE == other && status.MPI_TAG == 1);
    receive_from(status.MPI_SOURCE, status.MPI_TAG);
  }

  if (!even) {
    work(2);
    send_to(other, 2);
  } else {
    work(1);
    MPI_Mprobe(MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &message, &status);
    MPI_Mrecv(&value, 1, MPI_INT, &message, &status);
    CHECK(value == 100 * other + 2);
    sum += value;
  }

  if (even) {
    work(1);
    send_to(other, 3);
    work(1);
  } else {
    MPI_Iprobe(other, 4, MPI_COMM_WORLD, &flag, &status);
    CHECK(!flag);
    work(2);
    while (!flag) MPI_Iprobe(other, 3, MPI_COMM_WORLD, &flag, &status);
    receive_from(other, 3);
  }

  flag = 0;
  if (!even) {
    work(1);
    send_to(other, 5);
    work(1);
  } else {
    work(2);
    while (!flag)
      MPI_Improbe(other, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &message, &status);
    MPI_Imrecv(&value, 1, MPI_INT, &message, &request);
    MPI_Wait(&request, &status);
    CHECK(value == 100 * other + 5);
    sum += value;
  }
}

static void sendrecv(void) {
  for (int phase = 0; phase < 4; ++phase) {
    int out = 10 * rank + phase, in = -1;
    work(rank == phase % size ? 2.5 : 1);
    if (phase % 2 == 0) {
      MPI_Sendrecv(&out, 1, MPI_INT, right, phase, &in, 1, MPI_INT, left, phase,
                   MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
      in = out;
      MPI_Sendrecv_replace(&in, 1, MPI_INT, right, phase, left, phase,
                           MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    CHECK(in == 10 * left + phase);
    sum += in;
  }
}

/* A synchronous send waits for its receiver. */
static void synchronous(void) {
  const int value = 100 * rank + 1;
  MPI_Request request;
  if (rank % 2 == 0) {
    work(1);
    MPI_Ssend(&value, 1, MPI_INT, rank + 1, 1, MPI_COMM_WORLD);
    work(2);
    receive_from(rank + 1, 1);
    work(1);
  } else {
    work(3);
    receive_from(rank - 1, 1);
    MPI_Issend(&value, 1, MPI_INT, rank - 1, 1, MPI_COMM_WORLD, &request);
    work(1);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    work(2);
  }
}

static void send_modes(void) {
  static char space[4096 + MPI_BSEND_OVERHEAD];
  char* back;
  int bytes;
  MPI_Buffer_attach(space, sizeof space);
  for (int mode = 0; mode < 4; ++mode) {
    if (rank % 2 == 0) {
      const int to = rank + 1;
      const int value = 100 * rank + mode;
      MPI_Request request;
      work(2);
      switch (mode) {
        case 0:
          MPI_Bsend(&value, 1, MPI_INT, to, mode, MPI_COMM_WORLD);
          break;
        case 1:
          MPI_Rsend(&value, 1, MPI_INT, to, mode, MPI_COMM_WORLD);
          break;
        case 2:
          MPI_Ibsend(&value, 1, MPI_INT, to, mode, MPI_COMM_WORLD, &request);
          MPI_Wait(&request, MPI_STATUS_IGNORE);
          break;
        case 3:
          MPI_Irsend(&value, 1, MPI_INT, to, mode, MPI_COMM_WORLD, &request);
          MPI_Wait(&request, MPI_STATUS_IGNORE);
          break;
      }
    } else {
      int value = -1;
      MPI_Request request;
      MPI_Irecv(&value, 1, MPI_INT, rank - 1, mode, MPI_COMM_WORLD, &request);
      work(1);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
      CHECK(value == 100 * (rank - 1) + mode);
      sum += value;
      work(0.5);
    }
  }
  MPI_Buffer_detach(&back, &bytes);
}

#endif /* POPRT_TESTS_E2E_MPI_MESSAGE_SHAPES_H_ */
