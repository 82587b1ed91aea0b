/* What no tool that has clocks travel with messages can be faster than: each
 * MPI call takes two time stamps; who sends writes one cache line, and who
 * receives reads that of the sender. Nothing is measured. For the calls of the
 * benchmarks, between processes of one node. scripts/bench --floor preloads it.
 */
#include <mpi.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

enum { kLine = 64 };
static volatile uint64_t* lines; /* of all ranks, in shared memory */
static int own, ranks;
static volatile uint64_t in_mpi;
static MPI_Win window;

static uint64_t stamp(void) {
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#else
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
#endif
}

static volatile uint64_t* line_of(int rank) {
  return lines + rank * (kLine / (int)sizeof *lines);
}

static void give(uint64_t now) {
  if (lines != NULL) *line_of(own) = now;
}

static void take(int rank) {
  if (lines != NULL && rank >= 0 && rank < ranks) in_mpi += *line_of(rank);
}

static void take_all(void) {
  for (int rank = 0; rank < ranks; ++rank) take(rank);
}

static void begin(void) {
  void* memory;
  MPI_Aint bytes;
  int unit;
  PMPI_Comm_rank(MPI_COMM_WORLD, &own);
  PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
  PMPI_Win_allocate_shared(own == 0 ? (MPI_Aint)ranks * kLine : 0, 1,
                           MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
  PMPI_Win_shared_query(window, 0, &bytes, &unit, &memory);
  lines = memory;
}

int MPI_Init(int* argc, char*** argv) {
  const int result = PMPI_Init(argc, argv);
  begin();
  return result;
}

int MPI_Finalize(void) {
  lines = NULL;
  PMPI_Win_free(&window);
  return PMPI_Finalize();
}

/* A call between its two stamps. */
#define CALL(before, call, after)  \
  const uint64_t begin_ = stamp(); \
  before;                          \
  const int result_ = (call);      \
  after;                           \
  in_mpi += stamp() - begin_;      \
  return result_

int MPI_Send(const void* buffer, int count, MPI_Datatype type, int to, int tag,
             MPI_Comm comm) {
  CALL(give(begin_), PMPI_Send(buffer, count, type, to, tag, comm), (void)0);
}

int MPI_Recv(void* buffer, int count, MPI_Datatype type, int from, int tag,
             MPI_Comm comm, MPI_Status* status) {
  MPI_Status own_status;
  if (status == MPI_STATUS_IGNORE) status = &own_status;
  CALL((void)0, PMPI_Recv(buffer, count, type, from, tag, comm, status),
       take(status->MPI_SOURCE));
}

int MPI_Isend(const void* buffer, int count, MPI_Datatype type, int to, int tag,
              MPI_Comm comm, MPI_Request* request) {
  CALL(give(begin_), PMPI_Isend(buffer, count, type, to, tag, comm, request),
       (void)0);
}

int MPI_Irecv(void* buffer, int count, MPI_Datatype type, int from, int tag,
              MPI_Comm comm, MPI_Request* request) {
  CALL((void)0, PMPI_Irecv(buffer, count, type, from, tag, comm, request),
       (void)0);
}

int MPI_Wait(MPI_Request* request, MPI_Status* status) {
  CALL((void)0, PMPI_Wait(request, status), take_all());
}

int MPI_Waitall(int count, MPI_Request* requests, MPI_Status* statuses) {
  CALL((void)0, PMPI_Waitall(count, requests, statuses), take_all());
}

int MPI_Test(MPI_Request* request, int* flag, MPI_Status* status) {
  CALL((void)0, PMPI_Test(request, flag, status), (void)0);
}

int MPI_Iprobe(int from, int tag, MPI_Comm comm, int* flag,
               MPI_Status* status) {
  CALL((void)0, PMPI_Iprobe(from, tag, comm, flag, status), (void)0);
}

int MPI_Barrier(MPI_Comm comm) {
  CALL(give(begin_), PMPI_Barrier(comm), take_all());
}

int MPI_Allreduce(const void* from, void* to, int count, MPI_Datatype type,
                  MPI_Op operation, MPI_Comm comm) {
  CALL(give(begin_), PMPI_Allreduce(from, to, count, type, operation, comm),
       take_all());
}

int MPI_Bcast(void* buffer, int count, MPI_Datatype type, int root,
              MPI_Comm comm) {
  CALL(give(begin_), PMPI_Bcast(buffer, count, type, root, comm), take(root));
}
