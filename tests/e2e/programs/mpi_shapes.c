/* Programs of known shape that use MPI and no OpenMP (see shapes.h).
 *
 * Each rank prints one line with a sum over all that it received: the same
 * with and without the library.
 */
#include "mpi_shapes.h"

#include "mpi_collective_shapes.h"
#include "mpi_message_shapes.h"
#include "mpi_nonblocking_shapes.h"
#include "mpi_region_shapes.h"
#include "mpi_ring_shapes.h"

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

/* As long as a call of the MPI library takes that works on data alone. */
static void slow_sum(void* in, void* inout, int* count, MPI_Datatype* type) {
  CHECK(*count == 1 && *type == MPI_INT);
  work(2 - high);
  *(int*)inout += *(int*)in;
}

/* Calls without a partner whose clocks are known: local ones, and files. */
static void lonely_calls(void) {
  MPI_Op op;
  int one = rank, two = 1, three = -1, place = 0;
  char packed[64];
  work(1 + high);
  MPI_Op_create(slow_sum, 1, &op);
  MPI_Reduce_local(&one, &two, 1, MPI_INT, op);
  MPI_Op_free(&op);
  MPI_Pack(&two, 1, MPI_INT, packed, sizeof packed, &place, MPI_COMM_WORLD);
  place = 0;
  MPI_Unpack(packed, sizeof packed, &place, &three, 1, MPI_INT, MPI_COMM_WORLD);
  CHECK(three == rank + 1);
  sum += three;
  work(3 * high);
  MPI_File file = open_file("third.data");
  work(5 - 3 * high);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_close(&file);
}

/* Whether a collective access waits for the others is up to the library. */
static void collective_data(void) {
  MPI_File file = open_file("fourth.data");
  work(5 - 3 * high);
  MPI_File_write_at_all(file, rank * (MPI_Offset)sizeof rank, &rank, 1, MPI_INT,
                        MPI_STATUS_IGNORE);
  work(1 + 2 * high);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_close(&file);
}

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
    {"bcast_far_ahead", bcast_far_ahead},
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
    {"lonely_calls", lonely_calls},
    {"collective_data", collective_data},
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

/* Between hosts, the first message of two processes waits until both are in
 * MPI: only then is there a connection. */
static void connect_all(void) {
  for (int i = 0; i < size; ++i) {
    for (int k = 0; k < size; ++k) {
      int nothing = 0;
      if (i == k) continue;
      if (rank == i) MPI_Send(&nothing, 1, MPI_INT, k, 0, MPI_COMM_WORLD);
      if (rank != k) continue;
      MPI_Recv(&nothing, 1, MPI_INT, i, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
  }
}

int main(int argc, char** argv) {
  const struct shape* const shape = choose_shape(shapes, argc, argv);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  high = size > 1 ? (double)rank / (size - 1) : 1;
  left = (rank + size - 1) % size;
  right = (rank + 1) % size;
  if (getenv("TEST_CONNECTED") != NULL) connect_all();
  shape->run();
  printf("rank %d of %d: %ld\n", rank, size, sum);
  MPI_Finalize();
  return shape->run == exit_status ? 3 : 0;
}
