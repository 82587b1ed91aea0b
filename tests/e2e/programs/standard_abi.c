/* An MPI library of one process with the standard ABI (MPI 5.0), and with
 * -DPROGRAM a program for it.  It ends a program that gives it what is not a
 * handle of this ABI, as a real one would sooner or later. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct abi_comm* MPI_Comm;
#define MPI_COMM_WORLD ((MPI_Comm)0x101)

#ifdef PROGRAM

int MPI_Init(int* argc, char*** argv);
int MPI_Comm_rank(MPI_Comm comm, int* rank);
int MPI_Barrier(MPI_Comm comm);
int MPI_Comm_dup(MPI_Comm comm, MPI_Comm* copy);
int MPI_Finalize(void);

int main(int argc, char** argv) {
  int rank = -1;
  MPI_Comm copy = NULL;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Barrier(copy);
  printf("rank %d of the standard ABI\n", rank);
  return MPI_Finalize();
}

#else

/* Each function by both names, or without a profiling interface. */
#ifdef WITHOUT_PMPI
#define BOTH(name, parameters) \
  int name parameters;         \
  int name parameters
#else
#define BOTH(name, parameters)                                \
  int name parameters;                                        \
  int P##name parameters __attribute__((alias(#name), weak)); \
  int name parameters
#endif

static void check(MPI_Comm comm) {
  if (comm == MPI_COMM_WORLD || comm == (MPI_Comm)&check) return;
  fprintf(stderr, "not a communicator: %p\n", (void*)comm);
  abort();
}

BOTH(MPI_Init, (int* argc, char*** argv)) {
  (void)argc;
  (void)argv;
  return 0;
}
BOTH(MPI_Comm_rank, (MPI_Comm comm, int* rank)) {
  check(comm);
  *rank = 0;
  return 0;
}
BOTH(MPI_Comm_size, (MPI_Comm comm, int* size)) {
  check(comm);
  *size = 1;
  return 0;
}
BOTH(MPI_Barrier, (MPI_Comm comm)) {
  check(comm);
  return 0;
}
BOTH(MPI_Comm_dup, (MPI_Comm comm, MPI_Comm* copy)) {
  check(comm);
  *copy = (MPI_Comm)&check;
  return 0;
}
BOTH(MPI_Finalize, (void)) { return 0; }

/* What poprt needs of it. */
BOTH(MPI_Get_library_version, (char* version, int* length)) {
  *length = sprintf(version, "An MPI of the standard ABI, version 1");
  return 0;
}
BOTH(MPI_Query_thread, (int* level)) {
  *level = 1024; /* MPI_THREAD_FUNNELED */
  return 0;
}
BOTH(MPI_Comm_get_attr, (MPI_Comm comm, int key, void* value, int* found)) {
  check(comm);
  (void)value;
  if (key != 501) abort(); /* MPI_TAG_UB */
  *found = 0;
  return 0;
}
BOTH(MPI_Comm_test_inter, (MPI_Comm comm, int* inter)) {
  check(comm);
  *inter = 0;
  return 0;
}
BOTH(MPI_Comm_group, (MPI_Comm comm, void** group)) {
  check(comm);
  *group = (void*)&check;
  return 0;
}
BOTH(MPI_Group_free, (void** group)) {
  *group = (void*)0x108; /* MPI_GROUP_NULL */
  return 0;
}
BOTH(MPI_Type_contiguous, (int count, void* type, void** made)) {
  (void)count;
  if (type != (void*)0x247) abort(); /* MPI_BYTE */
  *made = (void*)&check;
  return 0;
}
BOTH(MPI_Type_commit, (void** type)) { return *type != (void*)&check; }
BOTH(MPI_Type_free, (void** type)) {
  *type = (void*)0x200; /* MPI_DATATYPE_NULL */
  return 0;
}
BOTH(MPI_Op_create, (void* function, int commute, void** op)) {
  (void)function;
  (void)commute;
  *op = (void*)&check;
  return 0;
}
BOTH(MPI_Op_free, (void** op)) {
  *op = (void*)0x20; /* MPI_OP_NULL */
  return 0;
}
BOTH(MPI_Allreduce, (const void* from, void* to, int count, void* type,
                     void* op, MPI_Comm comm)) {
  check(comm);
  if (type != (void*)0x209 || op != (void*)0x22) abort(); /* MPI_INT, MPI_MIN */
  memcpy(to, from, (size_t)count * sizeof(int));
  return 0;
}
#ifdef TELLS
BOTH(MPI_Abi_get_version, (int* major, int* minor)) {
  *major = 1;
  *minor = 0;
  return 0;
}
#endif

#endif /* PROGRAM */
