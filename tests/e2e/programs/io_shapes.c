// A program that says on stdout what it has read and written, and by how many
// calls: "bytes read, bytes written, calls".  What is no file, or not useful
// time, is not in it.
//
//   io_shapes forms|slow|two_file_systems|mapped|closed|unloaded
//
// `slow` writes and reads under slow_files.so, `mapped` maps files into memory.
#define _GNU_SOURCE
#ifdef __clang__
#undef _FORTIFY_SOURCE
#elif !defined(_FORTIFY_SOURCE)
#define _FORTIFY_SOURCE 2 /* GCC then calls __read_chk() and others */
#endif
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <omp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "poprt.h"

static long long bytes_read, bytes_written, calls;

#define CHECK(x)                                              \
  do {                                                        \
    if (!(x)) {                                               \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #x); \
      abort();                                                \
    }                                                         \
  } while (0)

static void work(int ms) {
  const struct timespec time = {0, ms * 1000000L};
  nanosleep(&time, NULL);
}

// Each evaluates a call that must move so many bytes.
#define READS(bytes, call)    \
  do {                        \
    CHECK((call) == (bytes)); \
    bytes_read += (bytes);    \
    ++calls;                  \
  } while (0)
#define WRITES(bytes, call)   \
  do {                        \
    CHECK((call) == (bytes)); \
    bytes_written += (bytes); \
    ++calls;                  \
  } while (0)
#define CALLS(call) \
  do {              \
    CHECK(call);    \
    ++calls;        \
  } while (0)

// Not known to the compiler, which then chooses functions that check it.
static volatile size_t fifty = 50, nine = 9, eleven = 11, six = 6, line = 4000;
static volatile int read_only = O_RDONLY;

static char name[64], other[64];
static char data[4096];

static void descriptors(void) {
  int file;
  struct iovec parts[2] = {{data, 10}, {data + 10, 20}};
  CALLS((file = open(name, O_CREAT | O_RDWR | O_TRUNC, 0600)) >= 0);
  WRITES(100, write(file, data, 100));
  WRITES(30, writev(file, parts, 2));
  WRITES(7, pwrite(file, data, 7, 200));
  WRITES(8, pwrite64(file, data, 8, 300));
  WRITES(30, pwritev(file, parts, 2, 400));
  WRITES(30, pwritev64(file, parts, 2, 400));
  WRITES(30, pwritev2(file, parts, 2, 400, 0));
  WRITES(30, pwritev64v2(file, parts, 2, 400, 0));
  CALLS(fsync(file) == 0);
  CALLS(fdatasync(file) == 0);
  CALLS(lseek(file, 0, SEEK_SET) == 0);
  CALLS(lseek64(file, 0, SEEK_SET) == 0);
  READS(50, read(file, data, fifty));
  READS(30, readv(file, parts, 2));
  READS(9, pread(file, data, nine, 0));
  READS(11, pread64(file, data, eleven, 0));
  READS(30, preadv(file, parts, 2, 0));
  READS(30, preadv64(file, parts, 2, 0));
  READS(30, preadv2(file, parts, 2, 0, 0));
  READS(30, preadv64v2(file, parts, 2, 0, 0));
  CALLS(close(file) == 0);
  CALLS((file = open64(name, read_only)) >= 0);
  CALLS(close(file) == 0);
  CALLS((file = openat(AT_FDCWD, name, read_only)) >= 0);
  CALLS(close(file) == 0);
  CALLS((file = openat64(AT_FDCWD, name, read_only)) >= 0);
  int copy;
  CALLS((copy = creat(other, 0600)) >= 0);
  off_t at = 0;
  READS(40, sendfile(copy, file, &at, 40));
  bytes_written += 40;
  // Another descriptor in its place.
  CHECK(dup2(copy, file) == file);
  WRITES(5, write(file, data, 5));
  CALLS(close(copy) == 0);
  CALLS(close(file) == 0);
  CALLS((copy = creat64(other, 0600)) >= 0);
  CALLS(close(copy) == 0);
  // Looked for in vain.
  CALLS(open("no/such/file", read_only) < 0);
}

static void streams(void) {
  FILE* file;
  int number;
  char* text = NULL;
  size_t room = 0;
  CALLS((file = fopen(name, "w+")) != NULL);
  WRITES(6, 2 * (long)fwrite(data, 2, 3, file));
  WRITES(10, fprintf(file, "%d %s\n", 12345, "six"));
  CALLS(fputs("12 words\nmore\n", file) >= 0);
  bytes_written += 14;
  CALLS(fputc('x', file) == 'x');
  bytes_written += 1;
  CALLS(fflush(file) == 0);
  CALLS(fseek(file, 0, SEEK_SET) == 0);
  READS(6, (long)fread(data, 1, six, file));
  CALLS(fscanf(file, "%d", &number) == 1 && number == 12345);
  CALLS(fgets(data, (int)line, file) != NULL);
  bytes_read += 5;
  READS(9, getline(&text, &room, file));
  CALLS(fgetc(file) == 'm');
  bytes_read += 1;
  CALLS(fseeko(file, 0, SEEK_SET) == 0);
  CALLS(fclose(file) == 0);
  CALLS((file = fopen64(name, "r")) != NULL);
  CALLS(fclose(file) == 0);
  free(text);
}

// None of these is a file.
static void other_things(void) {
  int ends[2];
  CHECK(pipe(ends) == 0);
  CHECK(write(ends[1], data, 100) == 100 && read(ends[0], data, 100) == 100);
  CHECK(close(ends[0]) == 0 && close(ends[1]) == 0);
  CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
  CHECK(write(ends[1], data, 100) == 100 && read(ends[0], data, 100) == 100);
  CHECK(close(ends[0]) == 0 && close(ends[1]) == 0);
  const int null = open("/dev/null", O_WRONLY);
  CHECK(write(null, data, 100) == 100 && close(null) == 0);
  char* text = NULL;
  size_t size = 0;
  FILE* const memory = open_memstream(&text, &size);
  CHECK(fprintf(memory, "%d", 5) == 1 && fclose(memory) == 0 && size == 1);
  free(text);
  // Memory that is no file, though it has a descriptor.
  const int shared = memfd_create("shared", 0);
  CHECK(ftruncate(shared, 4096) == 0);
  void* const there = mmap(NULL, 4096, PROT_READ, MAP_SHARED, shared, 0);
  CHECK(there != MAP_FAILED && munmap(there, 4096) == 0);
  CALLS(close(shared) == 0);
  // The number of a pipe becomes that of a file, and back.
  CHECK(pipe(ends) == 0);
  CHECK(write(ends[1], data, 1) == 1 && close(ends[1]) == 0);
  const int file = open(name, O_WRONLY | O_CREAT, 0600);
  CHECK(file == ends[1]);
  ++calls;
  WRITES(1, write(file, data, 1));
  CALLS(close(file) == 0);
  CHECK(close(ends[0]) == 0);
}

// Three times as long in files as elsewhere.
static void slow(void) {
  const int file = open(name, O_CREAT | O_RDWR | O_TRUNC, 0600);
  CHECK(file >= 0);
  ++calls;
  work(60);
  pop_region_start("files");
  WRITES(100, write(file, data, 100));
  WRITES(200, pwrite(file, data, 200, 0));
  READS(50, pread(file, data, 50, 0));
  pop_region_stop("files");
  work(60);
  CALLS(close(file) == 0);
}

// Each thread in a file of its own.
static void in_threads(void) {
#pragma omp parallel num_threads(2)
  {
    char own[80];
    snprintf(own, sizeof own, "%s-%d", name, omp_get_thread_num());
    const int file = open(own, O_CREAT | O_WRONLY, 0600);
    CHECK(file >= 0 && write(file, data, 1000) == 1000 && close(file) == 0);
    CHECK(unlink(own) == 0);
  }
  bytes_written += 2 * 1000;
  calls += 2 * 3;
}

// 300 bytes here, and 500 in shared memory.
static void two_file_systems(void) {
  char elsewhere[80];
  snprintf(elsewhere, sizeof elsewhere, "/dev/shm/poprt-%d", (int)getpid());
  int file = open(name, O_CREAT | O_WRONLY, 0600);
  CHECK(file >= 0);
  WRITES(300, write(file, data, 300));
  CALLS(close(file) == 0);
  file = open(elsewhere, O_CREAT | O_WRONLY, 0600);
  CHECK(file >= 0);
  WRITES(500, write(file, data, 500));
  CALLS(close(file) == 0);
  calls += 2;
  CHECK(unlink(elsewhere) == 0);
}

// 400 bytes by a call, and as many without one.
static void mapped(void) {
  const int file = open(name, O_CREAT | O_RDWR, 0600);
  CHECK(file >= 0);
  WRITES(400, write(file, data, 400));
  for (int i = 0; i < 2; ++i) {
    char* const memory =
        mmap(NULL, 400, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    CHECK(memory != MAP_FAILED);
    memset(memory, 1, 400);
    CHECK(munmap(memory, 400) == 0);
  }
  CALLS(close(file) == 0);
  ++calls;
}

static int fill;
static void on_alarm(int number) {
  (void)number;
  if (write(fill, "x", 1) != 1) abort();
}

// Waits 60 ms for a byte, which is no file I/O.
static void wait_in(int number) {
  char byte;
  const struct itimerval once = {{0, 0}, {0, 60000}};
  CHECK(setitimer(ITIMER_REAL, &once, NULL) == 0);
  CHECK(read(number, &byte, 1) == 1);
}

enum {
  kClose,
  kRange,
  kUnshare,
  kFrom,
  kRaw,
  kRawRange,
  kDup2,
  kDup3,
  kFcntl,
  kStream,
  kWays
};

// A file's descriptor, of which it is known what it is, becomes a pipe's.
static void become_a_pipe(int how) {
  int ends[2];
  FILE* stream = NULL;
  const int file = open(name, O_CREAT | O_RDWR, 0600);
  CHECK(file >= 0);
  ++calls;
  WRITES(10, write(file, data, 10));
  const unsigned number = (unsigned)file;
  switch (how) {
    case kClose:
    case kFcntl:
      CALLS(close(file) == 0);
      break;
    case kRange:
      CHECK(close_range(number, number, CLOSE_RANGE_CLOEXEC) == 0);
      WRITES(10, write(file, data, 10));
      CHECK(close_range(number, number, 0) == 0);
      break;
    case kUnshare:
      CHECK(close_range(number, number, CLOSE_RANGE_UNSHARE) == 0);
      break;
    case kFrom:
      closefrom(file);
      break;
    case kRaw:
      CHECK(syscall(SYS_close, file) == 0);
      break;
    case kRawRange:
      CHECK(syscall(SYS_close_range, number, number, 0) == 0);
      break;
    case kStream:
      CHECK((stream = fdopen(file, "r+")) != NULL);
      CALLS(fclose(stream) == 0);
      break;
  }
  CHECK(pipe(ends) == 0);
  fill = ends[1];
  if (how == kDup2 || how == kDup3) {
    CHECK((how == kDup2 ? dup2(ends[0], file) : dup3(ends[0], file, 0)) ==
          file);
  } else if (how == kFcntl) {
    const int apart = fcntl(ends[0], F_DUPFD, 200);
    CHECK(apart >= 200 && close(ends[0]) == 0);
    CHECK((ends[0] = fcntl(apart, F_DUPFD, file)) == file && close(apart) == 0);
  }
  wait_in(file);
  if (ends[0] != file) CHECK(close(file) == 0);
  CHECK(close(ends[0]) == 0 && close(ends[1]) == 0);
}

// A descriptor of which it is known that it is no file becomes that of one.
static void become_a_file(int is_folder) {
  char path[] = "io-XXXXXX";
  char byte;
  int number;
  if (is_folder) {
    CHECK((number = open(".", O_RDONLY | O_DIRECTORY)) >= 0);
    DIR* const folder = fdopendir(number);
    CHECK(folder != NULL && fsync(number) == 0 && closedir(folder) == 0);
  } else {
    FILE* const text = popen("echo x", "r");
    CHECK(text != NULL && fread(&byte, 1, 1, text) == 1);
    number = fileno(text);
    CHECK(pclose(text) == 0);
  }
  CHECK(mkstemp(path) == number && unlink(path) == 0);
  WRITES(20, write(number, data, 20));
  CALLS(close(number) == 0);
}

static void closed(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = on_alarm;
  action.sa_flags = SA_RESTART;
  CHECK(sigaction(SIGALRM, &action, NULL) == 0);
  for (int how = 0; how < kWays; ++how) {
    // Nothing else of the process may go.
    if (how != kFrom || getenv("ALONE") != NULL) become_a_pipe(how);
  }
  become_a_file(0);
  become_a_file(1);
}

// Files are opened in a handler while a library is loaded and unloaded. The
// next signal comes 20 us after the handler, so that the program goes on
// however slow the machine is.
static volatile sig_atomic_t is_unloaded = 0;
static void opens(int number) {
  (void)number;
  const int file = open(name, O_RDONLY | O_CREAT, 0600);
  if (file < 0 || close(file) != 0) abort();
  calls += 2;
  const struct itimerval once = {{0, 0}, {0, is_unloaded ? 0 : 20}};
  if (setitimer(ITIMER_REAL, &once, NULL) != 0) abort();
}
static void unloaded(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = opens;
  action.sa_flags = SA_RESTART;
  CHECK(sigaction(SIGALRM, &action, NULL) == 0);
  opens(0);
  for (int i = 0; i < 3000; ++i) {
    void* const library = dlopen(getenv("LIBRARY"), RTLD_NOW);
    CHECK(library != NULL && dlclose(library) == 0);
  }
  is_unloaded = 1;
  opens(0);
}

static void shapes(const char* shape, int rank) {
  snprintf(name, sizeof name, "io-%d.data", rank);
  snprintf(other, sizeof other, "io-%d.copy", rank);
  if (strcmp(shape, "slow") == 0) {
    slow();
  } else if (strcmp(shape, "two_file_systems") == 0) {
    two_file_systems();
  } else if (strcmp(shape, "mapped") == 0) {
    mapped();
  } else if (strcmp(shape, "closed") == 0) {
    closed();
  } else if (strcmp(shape, "unloaded") == 0) {
    unloaded();
  } else {
    descriptors();
    streams();
    other_things();
    in_threads();
    CHECK(unlink(other) == 0);
  }
  CHECK(unlink(name) == 0);
}

#ifndef PURE_OPENMP
#include <mpi.h>

// 500 numbers in shared memory.
static void elsewhere_by_mpi(void) {
  char elsewhere[80];
  snprintf(elsewhere, sizeof elsewhere, "/dev/shm/poprt-mpi-%d", (int)getpid());
  MPI_File file;
  CHECK(MPI_File_open(MPI_COMM_SELF, elsewhere, MPI_MODE_CREATE | MPI_MODE_RDWR,
                      MPI_INFO_NULL, &file) == MPI_SUCCESS);
  MPI_File_write_at(file, 0, data, 500, MPI_INT, MPI_STATUS_IGNORE);
  MPI_File_close(&file);
  CHECK(unlink(elsewhere) == 0);
}

// Executed inside of MPI: not useful, no file I/O of the program.
static void combine(void* in, void* out, int* length, MPI_Datatype* type) {
  (void)in, (void)out, (void)length, (void)type;
  const int file = open(name, O_CREAT | O_WRONLY, 0600);
  CHECK(file >= 0 && write(file, data, 100) == 100 && close(file) == 0);
}

int main(int argc, char** argv) {
  int rank;
  omp_get_max_threads();  // the runtime opens files when it starts
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  shapes(argv[1], rank);
  MPI_Op op;
  MPI_Op_create(combine, 1, &op);
  int in = 1, out;
  MPI_Allreduce(&in, &out, 1, MPI_INT, op, MPI_COMM_WORLD);
  MPI_Op_free(&op);
  unlink(name);
  // Of MPI-IO: four calls, which MPI makes by others.
  MPI_File file;
  CHECK(
      MPI_File_open(MPI_COMM_SELF, name,
                    MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                    MPI_INFO_NULL, &file) == MPI_SUCCESS);
  MPI_File_write_at(file, 0, data, 300, MPI_INT, MPI_STATUS_IGNORE);
  MPI_File_read_at(file, 0, data, 70, MPI_INT, MPI_STATUS_IGNORE);
  MPI_File_close(&file);
  if (strcmp(argv[1], "two_file_systems") == 0) elsewhere_by_mpi();
  printf("%lld %lld %lld\n", bytes_read, bytes_written, calls);
  MPI_Finalize();
}
#else
int main(int argc, char** argv) {
  CHECK(argc == 2);
  omp_get_max_threads();  // measurement begins with the runtime
  shapes(argv[1], 0);
  printf("%lld %lld %lld\n", bytes_read, bytes_written, calls);
}
#endif
