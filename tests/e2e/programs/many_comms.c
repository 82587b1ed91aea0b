/* Large numbers of communicators.
 * usage: many_comms most NUMBER | cycles NUMBER | relay HOPS | threads ROUNDS
 *
 * most: how many communicators MPI_Comm_dup gives.  cycles: communicators are
 * made, used and freed.  relay: one process after the other works, and tells
 * the next one on another communicator each time, so that the critical path is
 * all work.  threads: each thread has communicators of its own, with the same
 * messages on all.
 */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { kComms = 150, kThreads = 4, kCommsOfThread = 40, kNoiseTag = 7 };

static int rank, size;

static long most(int limit) {
  long count = 0;
  MPI_Comm comm;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  while (count < limit && MPI_Comm_dup(MPI_COMM_WORLD, &comm) == MPI_SUCCESS) {
    ++count;
  }
  return count;
}

/* All processes, in reversed order. */
static MPI_Comm group_of_reversed(int tag) {
  MPI_Group world, reversed;
  MPI_Comm comm;
  int range[1][3] = {{size - 1, 0, -1}};
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_range_incl(world, 1, range, &reversed);
  MPI_Comm_create_group(MPI_COMM_WORLD, reversed, tag, &comm);
  MPI_Group_free(&world);
  MPI_Group_free(&reversed);
  return comm;
}

static MPI_Comm make_comm(int kind, MPI_Comm parent) {
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Request request;
  switch (kind % 4) {
    case 0:
      MPI_Comm_dup(parent, &comm);
      break;
    case 1:
      MPI_Comm_split(parent, 0, -rank, &comm);
      break;
    case 2:
      MPI_Comm_idup(parent, &comm, &request);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
      break;
    default:
      comm = group_of_reversed(kind);
  }
  return comm;
}

static int rank_of(MPI_Comm comm, int world_rank) {
  MPI_Group world, group;
  int there = 0;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Comm_group(comm, &group);
  MPI_Group_translate_ranks(world, 1, &world_rank, group, &there);
  MPI_Group_free(&world);
  MPI_Group_free(&group);
  return there;
}

/* Tells all, or only the next one, that the work of `from` is done. */
static long pass_on(MPI_Comm comm, int way, int from, int to) {
  int value = rank == from ? 4 : 0;
  const int root = rank_of(comm, from);
  const int next = rank_of(comm, to);
  MPI_Request request;
  switch (way % 5) {
    case 0:
      MPI_Bcast(&value, 1, MPI_INT, root, comm);
      return value == 4;
    case 1:
      MPI_Ibcast(&value, 1, MPI_INT, root, comm, &request);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
      return value == 4;
    case 2:
      MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT, MPI_SUM, comm);
      return value == 4;
    case 3:
      if (rank == from) MPI_Send(&value, 1, MPI_INT, next, 3, comm);
      break;
    default:
      if (rank == from) MPI_Ssend(&value, 1, MPI_INT, next, 3, comm);
  }
  if (rank == to)
    MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 3, comm, MPI_STATUS_IGNORE);
  return rank == to ? value == 4 : 1;
}

static long relay(int hops) {
  MPI_Comm comms[kComms];
  static int out[kComms];
  static MPI_Request sends[kComms];
  long sum = 0;
  for (int c = 0; c < kComms; ++c) {
    comms[c] = make_comm(c, c % 5 == 0 ? MPI_COMM_WORLD : comms[c - 1]);
  }
  /* Messages that are under way all the time, and are received in another
   * order. */
  for (int c = 0; c < kComms; ++c) {
    out[c] = 1000 * c + rank;
    MPI_Isend(&out[c], 1, MPI_INT, rank_of(comms[c], (rank + 1) % size),
              kNoiseTag, comms[c], &sends[c]);
  }
  for (int i = 0; i < hops; ++i) {
    if (rank == i % size) usleep(4000);
    sum += pass_on(comms[i % kComms], i / 4, i % size, (i + 1) % size);
  }
  for (int c = kComms - 1; c >= 0; --c) {
    const int from = (rank + size - 1) % size;
    int in = 0;
    MPI_Recv(&in, 1, MPI_INT,
             c % 2 == 0 ? MPI_ANY_SOURCE : rank_of(comms[c], from), kNoiseTag,
             comms[c], MPI_STATUS_IGNORE);
    sum += in == 1000 * c + from;
  }
  for (int c = 0; c < kComms; ++c) MPI_Wait(&sends[c], MPI_STATUS_IGNORE);
  for (int c = 0; c < kComms; ++c) MPI_Comm_free(&comms[c]);
  return sum;
}

static long cycles(int count) {
  long sum = 0;
  for (int i = 0; i < count; ++i) {
    MPI_Comm comm = make_comm(i, MPI_COMM_WORLD);
    const int next = rank_of(comm, (rank + 1) % size);
    int in = 0;
    MPI_Sendrecv(&i, 1, MPI_INT, next, i % 100, &in, 1, MPI_INT, MPI_ANY_SOURCE,
                 i % 100, comm, MPI_STATUS_IGNORE);
    sum += in == i;
    if (i % 7 == 0) {
      /* A receive that is never matched. */
      MPI_Request request;
      MPI_Irecv(&in, 1, MPI_INT, 0, 101, comm, &request);
      MPI_Cancel(&request);
      MPI_Request_free(&request);
    }
    MPI_Comm_free(&comm);
  }
  return sum;
}

struct Work {
  MPI_Comm comms[kCommsOfThread];
  int rounds;
  long sum;
};

static void* talk(void* argument) {
  struct Work* const work = argument;
  const int other = 1 - rank;
  for (int i = 0; i < work->rounds; ++i) {
    for (int c = 0; c < kCommsOfThread; ++c) {
      const int out = 1000 * i + c;
      int in = -1;
      MPI_Request request;
      MPI_Isend(&out, 1, MPI_INT, other, 3, work->comms[c], &request);
      MPI_Recv(&in, 1, MPI_INT, c % 2 == 0 ? MPI_ANY_SOURCE : other, 3,
               work->comms[c], MPI_STATUS_IGNORE);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
      work->sum += in == out;
    }
  }
  return NULL;
}

static long threads(int rounds) {
  static struct Work works[kThreads];
  pthread_t ids[kThreads];
  long sum = 0;
  for (int t = 0; t < kThreads; ++t) {
    works[t].rounds = rounds;
    for (int c = 0; c < kCommsOfThread; ++c) {
      works[t].comms[c] = make_comm(c % 2 == 0 ? 0 : 2, MPI_COMM_WORLD);
    }
  }
  for (int t = 0; t < kThreads; ++t)
    pthread_create(&ids[t], NULL, talk, &works[t]);
  for (int t = 0; t < kThreads; ++t) {
    pthread_join(ids[t], NULL);
    sum += works[t].sum;
    for (int c = 0; c < kCommsOfThread; ++c) MPI_Comm_free(&works[t].comms[c]);
  }
  return sum;
}

int main(int argc, char** argv) {
  const int number = argc > 2 ? atoi(argv[2]) : 0;
  const char* const what = argc > 1 ? argv[1] : "";
  const int with_threads = strcmp(what, "threads") == 0;
  int level;
  MPI_Init_thread(&argc, &argv,
                  with_threads ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE,
                  &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  long result = 0;
  if (strcmp(what, "most") == 0) result = most(number);
  if (strcmp(what, "cycles") == 0) result = cycles(number);
  if (strcmp(what, "relay") == 0) result = relay(number);
  if (with_threads) result = threads(number);
  if (rank == 0) printf("%ld\n", result);
  fflush(stdout);
  MPI_Finalize();
  return 0;
}
