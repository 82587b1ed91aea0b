/* Programs of known shape that use MPI and no OpenMP (see shapes.h).
 *
 * Each rank prints one line with a sum over all that it received: the same
 * with and without the library.
 */
#include <mpi.h>

#include "shapes.h"

static int rank, size;
static long sum;    /* of all that was received */
static double high; /* 0 on the first rank to 1 on the last; 1 when alone */
static int left, right;

static void barrier(void) { MPI_Barrier(MPI_COMM_WORLD); }

static void send_to(int to, int tag) {
  const int value = 100 * rank + tag;
  MPI_Send(&value, 1, MPI_INT, to, tag, MPI_COMM_WORLD);
}

static void receive_from(int from, int tag) {
  int value = -1;
  MPI_Status status;
  MPI_Recv(&value, 1, MPI_INT, from, tag, MPI_COMM_WORLD, &status);
  CHECK(value == 100 * status.MPI_SOURCE + status.MPI_TAG);
  sum += value;
}

/* --- whole programs ------------------------------------------------------- */

static void balanced(void) {
  work(4);
  barrier();
  work(4);
  int total = 0;
  MPI_Allreduce(&rank, &total, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  sum += total;
}

static void rank_imbalance(void) {
  work(2 + 6 * high);
  barrier();
}

static void chain(void) {
  if (rank > 0) receive_from(rank - 1, 1);
  work(8.0 / size);
  if (rank < size - 1) send_to(rank + 1, 1);
}

static void chain_barrier(void) {
  chain();
  barrier();
}

static void bcast_late_root(void) {
  const int root = size / 2;
  int value = rank;
  work(rank == root ? 5 : 2);
  MPI_Bcast(&value, 1, MPI_INT, root, MPI_COMM_WORLD);
  sum += value;
  work(3);
}

static void bcast_early_root(void) {
  int value = rank;
  work(rank == 0 ? 1 : 7);
  MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
  sum += value;
  work(rank == 0 ? 7 : 1);
}

static void reduce_late_root(void) {
  int total = 0;
  work(rank == 0 ? 5 : 3);
  MPI_Reduce(&rank, &total, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  sum += total;
  work(3);
}

static void reduce_early_root(void) {
  int total = 0;
  work(rank == 0 ? 2 : 5);
  MPI_Reduce(&rank, &total, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  sum += total;
  work(3);
}

static void scan_early(void) {
  int total = 0;
  work(1 + 3 * high);
  MPI_Scan(&rank, &total, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  sum += total;
  work(5 - 3 * high);
}

static void exscan_early(void) {
  int total = 0;
  work(1 + 3 * high);
  MPI_Exscan(&rank, &total, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank > 0) sum += total;
  work(5 - 3 * high);
}

static void alltoall(void) {
  int* const out = calloc(size, sizeof(int));
  int* const in = calloc(size, sizeof(int));
  for (int phase = 0; phase < 2; ++phase) {
    work(phase == 0 ? 2 + 3 * high : 5 - 3 * high);
    for (int i = 0; i < size; ++i) out[i] = 10 * rank + i;
    MPI_Alltoall(out, 1, MPI_INT, in, 1, MPI_INT, MPI_COMM_WORLD);
    for (int i = 0; i < size; ++i) {
      CHECK(in[i] == 10 * i + rank);
      sum += in[i];
    }
  }
  free(out);
  free(in);
}

/* One phase for each call; in each another rank is late. */
static void all_to_all_calls(void) {
  int* const out = calloc(size, sizeof(int));
  int* const in = calloc(size, sizeof(int));
  int* const counts = calloc(size, sizeof(int));
  int* const offsets = calloc(size, sizeof(int));
  int* const byte_offsets = calloc(size, sizeof(int));
  MPI_Datatype* const types = calloc(size, sizeof(MPI_Datatype));
  for (int i = 0; i < size; ++i) {
    counts[i] = 1;
    offsets[i] = i;
    byte_offsets[i] = i * (int)sizeof(int);
    types[i] = MPI_INT;
  }
  for (int phase = 0; phase < 9; ++phase) {
    work(rank == phase % size ? 1 : 0.25);
    for (int i = 0; i < size; ++i) {
      out[i] = 10 * rank + i;
      in[i] = 0;
    }
    switch (phase) {
      case 0:
        MPI_Barrier(MPI_COMM_WORLD);
        break;
      case 1:
        MPI_Allreduce(out, in, size, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        break;
      case 2:
        MPI_Allgather(&rank, 1, MPI_INT, in, 1, MPI_INT, MPI_COMM_WORLD);
        break;
      case 3:
        MPI_Allgatherv(&rank, 1, MPI_INT, in, counts, offsets, MPI_INT,
                       MPI_COMM_WORLD);
        break;
      case 4:
        MPI_Alltoall(out, 1, MPI_INT, in, 1, MPI_INT, MPI_COMM_WORLD);
        break;
      case 5:
        MPI_Alltoallv(out, counts, offsets, MPI_INT, in, counts, offsets,
                      MPI_INT, MPI_COMM_WORLD);
        break;
      case 6:
        MPI_Alltoallw(out, counts, byte_offsets, types, in, counts,
                      byte_offsets, types, MPI_COMM_WORLD);
        break;
      case 7:
        MPI_Reduce_scatter(out, in, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        break;
      case 8:
        MPI_Reduce_scatter_block(out, in, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        break;
    }
    for (int i = 0; i < size; ++i) sum += in[i];
  }
  free(out);
  free(in);
  free(counts);
  free(offsets);
  free(byte_offsets);
  free(types);
}

/* The root is late where data flow from it, and early where they flow to it. */
static void rooted_calls(void) {
  int* const all = calloc(size, sizeof(int));
  int* const counts = calloc(size, sizeof(int));
  int* const offsets = calloc(size, sizeof(int));
  for (int i = 0; i < size; ++i) {
    counts[i] = 1;
    offsets[i] = i;
  }
  for (int phase = 0; phase < 6; ++phase) {
    const int root = phase % size;
    const int to_root = phase >= 3;
    int mine = rank;
    work((rank == root) != to_root ? 1.5 : 0.5);
    for (int i = 0; i < size; ++i) all[i] = i + 1;
    switch (phase) {
      case 0:
        MPI_Bcast(all, size, MPI_INT, root, MPI_COMM_WORLD);
        break;
      case 1:
        MPI_Scatter(all, 1, MPI_INT, &mine, 1, MPI_INT, root, MPI_COMM_WORLD);
        break;
      case 2:
        MPI_Scatterv(all, counts, offsets, MPI_INT, &mine, 1, MPI_INT, root,
                     MPI_COMM_WORLD);
        break;
      case 3:
        MPI_Gather(&rank, 1, MPI_INT, all, 1, MPI_INT, root, MPI_COMM_WORLD);
        break;
      case 4:
        MPI_Gatherv(&rank, 1, MPI_INT, all, counts, offsets, MPI_INT, root,
                    MPI_COMM_WORLD);
        break;
      case 5:
        MPI_Reduce(&rank, all, 1, MPI_INT, MPI_MAX, root, MPI_COMM_WORLD);
        break;
    }
    sum += mine;
    for (int i = 0; i < size; ++i) sum += all[i];
  }
  free(all);
  free(counts);
  free(offsets);
}

/* --- a ring, completed in many orders ------------------------------------- */

enum completion {
  WAIT,
  WAITALL,
  WAITANY,
  WAITSOME,
  TEST,
  TESTALL,
  TESTANY,
  TESTSOME
};

/* Two messages go right and one goes left; the receives are posted in another
 * order than the messages are sent.  Heavy and light ranks alternate. */
static void ring(enum completion completion) {
  for (int phase = 0; phase < 4; ++phase) {
    int in[3] = {-1, -1, -1};
    int done = 0;
    MPI_Request requests[6];
    MPI_Status statuses[6];
    MPI_Irecv(&in[0], 1, MPI_INT, left, 5, MPI_COMM_WORLD, &requests[2]);
    MPI_Irecv(&in[1], 1, MPI_INT, left, 7, MPI_COMM_WORLD, &requests[1]);
    MPI_Irecv(&in[2], 1, MPI_INT, right, 3, MPI_COMM_WORLD, &requests[0]);
    work((rank + phase) % 2 == 0 ? 2 : 1);
    const int out[3] = {10 * rank + 7, 10 * rank + 5, 10 * rank + 3};
    MPI_Isend(&out[0], 1, MPI_INT, right, 7, MPI_COMM_WORLD, &requests[3]);
    MPI_Isend(&out[1], 1, MPI_INT, right, 5, MPI_COMM_WORLD, &requests[4]);
    MPI_Isend(&out[2], 1, MPI_INT, left, 3, MPI_COMM_WORLD, &requests[5]);
    int indices[6];
    /* Wait before a Test: a message that has been sent may need more than one
     * Test, and polling for long would count as useful between the calls. */
    if (completion >= TEST) {
      MPI_Wait(&requests[0], &statuses[0]);
      MPI_Wait(&requests[1], &statuses[1]);
    }
    switch (completion) {
      case WAIT:
        for (int i = 0; i < 6; ++i) MPI_Wait(&requests[i], &statuses[i]);
        break;
      case WAITALL:
        MPI_Waitall(6, requests, statuses);
        break;
      case WAITANY:
        for (;;) {
          int index;
          MPI_Waitany(6, requests, &index, statuses);
          if (index == MPI_UNDEFINED) break;
        }
        break;
      case WAITSOME:
        while (done < 6) {
          int count;
          MPI_Waitsome(6, requests, &count, indices, statuses);
          CHECK(count > 0);
          done += count;
        }
        break;
      case TEST:
        for (int i = 5; i >= 2; --i) {
          while (!done) MPI_Test(&requests[i], &done, MPI_STATUS_IGNORE);
          done = 0;
        }
        break;
      case TESTALL:
        while (!done) MPI_Testall(4, requests + 2, &done, MPI_STATUSES_IGNORE);
        break;
      case TESTANY:
        for (int i = 0; i < 4; ++i) {
          int index;
          done = 0;
          while (!done)
            MPI_Testany(4, requests + 2, &index, &done, MPI_STATUS_IGNORE);
          CHECK(index != MPI_UNDEFINED);
        }
        break;
      case TESTSOME:
        while (done < 4) {
          int count;
          MPI_Testsome(4, requests + 2, &count, indices, statuses);
          CHECK(count != MPI_UNDEFINED);
          done += count;
        }
        break;
    }
    CHECK(in[0] == 10 * left + 5 && in[1] == 10 * left + 7 &&
          in[2] == 10 * right + 3);
    for (int i = 0; i < 6; ++i) CHECK(requests[i] == MPI_REQUEST_NULL);
    sum += in[0] + in[1] + in[2];
  }
}

static void ring_wait(void) { ring(WAIT); }
static void ring_waitall(void) { ring(WAITALL); }
static void ring_waitany(void) { ring(WAITANY); }
static void ring_waitsome(void) { ring(WAITSOME); }
static void ring_test(void) { ring(TEST); }
static void ring_testall(void) { ring(TESTALL); }
static void ring_testany(void) { ring(TESTANY); }
static void ring_testsome(void) { ring(TESTSOME); }

/* --- other point-to-point calls ------------------------------------------- */

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

/* A file of all processes, which is deleted when it is closed: opening it waits
 * for all of them. */
static MPI_File open_file(const char* name) {
  MPI_File file;
  CHECK(
      MPI_File_open(MPI_COMM_WORLD, name,
                    MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                    MPI_INFO_NULL, &file) == MPI_SUCCESS);
  return file;
}

static void file_calls(void) {
  work(2 + 3 * high);
  MPI_File files[2];
  files[0] = open_file("first.data");
  work(5 - 3 * high);
  files[1] = open_file("second.data");
  for (int i = 0; i < 2; ++i) {
    int value = 10 * rank + i;
    MPI_File_write_at(files[i], rank * (MPI_Offset)sizeof value, &value, 1,
                      MPI_INT, MPI_STATUS_IGNORE);
    value = -1;
    MPI_File_read_at(files[i], rank * (MPI_Offset)sizeof value, &value, 1,
                     MPI_INT, MPI_STATUS_IGNORE);
    CHECK(value == 10 * rank + i);
  }
  work(1 + high);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < 2; ++i) MPI_File_close(&files[i]);
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

/* --- non-blocking collectives --------------------------------------------- */

static void start_collective(int which, int* all, int* mine,
                             MPI_Request* request) {
  const MPI_Comm world = MPI_COMM_WORLD;
  switch (which) {
    case 0:
      MPI_Ibarrier(world, request);
      break;
    case 1:
      MPI_Iallreduce(&rank, mine, 1, MPI_INT, MPI_SUM, world, request);
      break;
    case 2:
      MPI_Ibcast(mine, 1, MPI_INT, 0, world, request);
      break;
    case 3:
      MPI_Ireduce(&rank, mine, 1, MPI_INT, MPI_SUM, size - 1, world, request);
      break;
    case 4:
      MPI_Iallgather(&rank, 1, MPI_INT, all, 1, MPI_INT, world, request);
      break;
    case 5:
      MPI_Ialltoall(all + size, 1, MPI_INT, all, 1, MPI_INT, world, request);
      break;
    case 6:
      MPI_Igather(&rank, 1, MPI_INT, all, 1, MPI_INT, 0, world, request);
      break;
    case 7:
      MPI_Iscatter(all, 1, MPI_INT, mine, 1, MPI_INT, size - 1, world, request);
      break;
    case 8:
      MPI_Iscan(&rank, mine, 1, MPI_INT, MPI_SUM, world, request);
      break;
    case 9:
      MPI_Iexscan(&rank, mine, 1, MPI_INT, MPI_SUM, world, request);
      break;
  }
}

/* Started at different times and waited for at the same time: nobody waits. */
static void nonblocking_collectives(void) {
  int* const all = calloc(2 * size, sizeof(int));
  for (int phase = 0; phase < 10; ++phase) {
    const double before = (rank + phase) % 2 == 0 ? 0.2 : 0.6;
    int mine = rank;
    MPI_Request request;
    for (int i = 0; i < 2 * size; ++i) all[i] = rank + i;
    work(before);
    start_collective(phase, all, &mine, &request);
    work(0.8 - before);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    sum += mine;
    for (int i = 0; i < size; ++i) sum += all[i];
  }
  free(all);
}

/* What the first rank does after it has started the call delays nobody. */
static void nonblocking_early(void) {
  int value = rank;
  for (int phase = 0; phase < 2; ++phase) {
    MPI_Request request;
    if (rank == 0) work(1);
    if (rank > 0) work(2);
    if (phase == 0) MPI_Ibarrier(MPI_COMM_WORLD, &request);
    if (phase == 1) MPI_Ibcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD, &request);
    if (rank == 0) work(3);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (rank > 0) work(2);
    sum += value;
  }
}

/* Two at once, completed in another order than they were started; blocking
 * ones in between. */
static void nonblocking_overlap(void) {
  int first = -1, second = -1, total = 0;
  MPI_Request requests[2];
  work(2 + 2 * high);
  MPI_Iallreduce(&rank, &first, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD,
                 &requests[0]);
  MPI_Iallreduce(&rank, &second, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD,
                 &requests[1]);
  MPI_Allreduce(&rank, &total, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  work(2);
  MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  work(2);
  sum += first + second + total;
}

/* --- communicators -------------------------------------------------------- */

static void communicators(void) {
  MPI_Comm half, copy, none;
  int half_rank, value = rank, in = -1;
  work(1 + high);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
  MPI_Comm_rank(half, &half_rank);
  work(rank % 2 == 0 ? 1 : 2);
  MPI_Barrier(half);
  /* The last of each half is its rank 0: the key was -rank. */
  if (half_rank == 0) work(1);
  MPI_Bcast(&value, 1, MPI_INT, 0, half);
  sum += value + 10 * half_rank;
  work(1);
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Comm_split(MPI_COMM_WORLD, rank == 0 ? MPI_UNDEFINED : 0, 0, &none);
  CHECK((none == MPI_COMM_NULL) == (rank == 0));
  work(rank % 2 == 0 ? 1 : 2);
  MPI_Sendrecv(&rank, 1, MPI_INT, right, 1, &in, 1, MPI_INT, left, 1, copy,
               MPI_STATUS_IGNORE);
  sum += in;
  if (none != MPI_COMM_NULL) MPI_Comm_free(&none);
  MPI_Comm_free(&half);
  MPI_Comm_free(&copy);
}

/* --- regions -------------------------------------------------------------- */

/* Two imbalances that cancel out. */
static void cancelling_regions(void) {
  pop_region_start("first");
  work(2 + 2 * high);
  barrier();
  pop_region_stop("first");
  pop_region_start("second");
  work(4 - 2 * high);
  pop_region_stop("second");
  barrier();
}

/* The slow rank changes from visit to visit; the region has no MPI. */
static void compute_region(void) {
  for (int visit = 0; visit < 4; ++visit) {
    pop_region_start("compute");
    work((rank + visit) % 2 == 0 ? 2 : 1);
    pop_region_stop("compute");
    barrier();
  }
}

static void half_region(void) {
  const int half = (size + 1) / 2;
  if (rank < half) {
    pop_region_start("half");
    work(1);
    if (rank > 0) receive_from(rank - 1, 1);
    work(2.0 / half);
    if (rank < half - 1) send_to(rank + 1, 1);
    pop_region_stop("half");
  } else {
    work(4);
  }
  barrier();
  work(1);
  if (rank % 2 == 1) {
    pop_region_start("odd");
    work(2);
    pop_region_stop("odd");
  }
}

static void region_100(void) {
  for (int i = 0; i < 100; ++i) {
    pop_region_start("step");
    work(rank == i % size ? 0.06 : 0.03);
    barrier();
    pop_region_stop("step");
    work(0.03);
  }
}

static void overlapping_regions(void) {
  pop_region_start("a");
  work(1 + high);
  pop_region_start("b");
  barrier();
  work(2);
  pop_region_stop("a");
  work(2 - high);
  barrier();
  pop_region_stop("b");
  work(1);
}

static void nested_regions(void) {
  pop_region_start("outer");
  work(1);
  pop_region_start("inner");
  work(1 + high);
  barrier();
  pop_region_start("innermost");
  work(1);
  pop_region_stop("innermost");
  pop_region_stop("inner");
  pop_region_start("outer"); /* again: recursion */
  work(1);
  pop_region_stop("outer");
  work(1);
  pop_region_stop("outer");
  work(1);
}

/* Entered and left at different times, with messages that cross. */
static void shifted_region(void) {
  work(2 * high);
  pop_region_start("shifted");
  work(1);
  if (rank > 0) receive_from(rank - 1, 1);
  work(1);
  if (rank < size - 1) send_to(rank + 1, 1);
  pop_region_stop("shifted");
  work(2 - 2 * high);
  barrier();
}

/* The message leaves inside the sender's region and arrives before the
 * receiver knows of it; a third process only passes the clock on. */
static void region_in_flight(void) {
  if (rank % 4 == 0) {
    work(1);
    pop_region_start("x");
    work(2);
    send_to(rank + 1, 1);
    work(1);
    pop_region_stop("x");
  } else if (rank % 4 == 1) {
    receive_from(rank - 1, 1);
    work(1);
    send_to(rank + 1, 1);
  } else if (rank % 4 == 2) {
    work(1);
    receive_from(rank - 1, 1);
    pop_region_start("x");
    work(2);
    pop_region_stop("x");
  } else {
    work(6);
  }
}

static void pcontrol(void) {
  work(1);
  MPI_Pcontrol(1);
  work(1 + high);
  barrier();
  MPI_Pcontrol(0);
  work(1);
  MPI_Pcontrol(1);
  work(2);
  MPI_Pcontrol(0);
  barrier();
}

/* Every misuse of the region API; none may harm the region "good". */
static void region_misuse(void) {
  char name[300];
  memset(name, 'n', sizeof name - 1);
  name[sizeof name - 1] = 0;
  pop_region_stop("never started");
  pop_region_start("good");
  pop_region_start("");
  pop_region_stop("");
  work(2);
  pop_region_stop("good");
  pop_region_stop("good");
  pop_region_start(name);
  work(2);
  pop_region_stop(name);
  pop_region_start("never stopped");
  work(2);
  barrier();
}

static void exit_status(void) {
  work(2);
  barrier();
}

static const struct shape shapes[] = {
    {"balanced", balanced},
    {"rank_imbalance", rank_imbalance},
    {"chain", chain},
    {"chain_barrier", chain_barrier},
    {"bcast_late_root", bcast_late_root},
    {"bcast_early_root", bcast_early_root},
    {"reduce_late_root", reduce_late_root},
    {"reduce_early_root", reduce_early_root},
    {"scan_early", scan_early},
    {"exscan_early", exscan_early},
    {"alltoall", alltoall},
    {"all_to_all_calls", all_to_all_calls},
    {"rooted_calls", rooted_calls},
    {"ring_wait", ring_wait},
    {"ring_waitall", ring_waitall},
    {"ring_waitany", ring_waitany},
    {"ring_waitsome", ring_waitsome},
    {"ring_test", ring_test},
    {"ring_testall", ring_testall},
    {"ring_testany", ring_testany},
    {"ring_testsome", ring_testsome},
    {"late_test", late_test},
    {"polling", polling},
    {"file_calls", file_calls},
    {"wildcard", wildcard},
    {"persistent", persistent},
    {"probe", probe},
    {"sendrecv", sendrecv},
    {"synchronous", synchronous},
    {"send_modes", send_modes},
    {"nonblocking_collectives", nonblocking_collectives},
    {"nonblocking_early", nonblocking_early},
    {"nonblocking_overlap", nonblocking_overlap},
    {"communicators", communicators},
    {"cancelling_regions", cancelling_regions},
    {"compute_region", compute_region},
    {"half_region", half_region},
    {"region_100", region_100},
    {"overlapping_regions", overlapping_regions},
    {"nested_regions", nested_regions},
    {"shifted_region", shifted_region},
    {"region_in_flight", region_in_flight},
    {"pcontrol", pcontrol},
    {"region_misuse", region_misuse},
    {"exit_status", exit_status},
    {NULL, NULL},
};

int main(int argc, char** argv) {
  const struct shape* const shape = choose_shape(shapes, argc, argv);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  high = size > 1 ? (double)rank / (size - 1) : 1;
  left = (rank + size - 1) % size;
  right = (rank + 1) % size;
  shape->run();
  printf("rank %d of %d: %ld\n", rank, size, sum);
  MPI_Finalize();
  return shape->run == exit_status ? 3 : 0;
}
