// Conformance cases: what a program observes of MPI must be the same with and
// without the library preloaded.
//
// A case writes lines about what it saw: values, statuses, error classes, how
// often a callback came.  Each process writes a file of its own, so that the
// text does not depend on the communication that is tested.  The runner
// (run.py) compares the files of two runs.  No case knows the right answer; all
// must give the same answer twice: no times, addresses or orders that vary.
#ifndef POPRT_TESTS_TRANSPARENCY_TRANSPARENCY_H_
#define POPRT_TESTS_TRANSPARENCY_TRANSPARENCY_H_

#include <mpi.h>
#include <mpi_has.h>

#include <cstdint>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

namespace transparency {

using Ints = std::vector<int>;

// A status whose content is known before MPI writes to it: MPI does not write
// all of it, and what it leaves must be the same, too.
struct Status : MPI_Status {
  Status() : MPI_Status() {
    MPI_SOURCE = MPI_TAG = -77;
    MPI_ERROR = MPI_SUCCESS;
  }
};
static_assert(sizeof(Status) == sizeof(MPI_Status), "used in arrays");

// How a case is started.
enum class Kind {
  kTogether,  // one after the other in one run, between Init and Finalize
  kThreaded,  // likewise, under MPI_THREAD_MULTIPLE
  kAlone,     // a run of its own; initialises MPI itself, or does not
};

struct Case {
  const char* group;
  const char* name;
  void (*function)();
  Kind kind;
  int ranks;        // kAlone: how many processes; else the fewest
  const char* why;  // kAlone: how it differs from other runs, for the runner
};

std::vector<Case>& cases();

struct Registration {
  Registration(const char* group, const char* name, void (*function)(),
               Kind kind, int ranks, const char* why = "") {
    cases().push_back({group, name, function, kind, ranks, why});
  }
};

// Each source defines kGroup first.
#define POPRT_CASE(name, ...)                           \
  void case_##name();                                   \
  const transparency::Registration registration_##name( \
      kGroup, #name, case_##name, __VA_ARGS__);         \
  void case_##name()

#define CASE(name) POPRT_CASE(name, transparency::Kind::kTogether, 1)
#define CASE_FROM(name, ranks) \
  POPRT_CASE(name, transparency::Kind::kTogether, ranks)
#define THREADED_CASE(name) POPRT_CASE(name, transparency::Kind::kThreaded, 1)
// `why`: "" or "dies" (no exit status 0 expected, files may end early).
#define ALONE_CASE(name, ranks, why) \
  POPRT_CASE(name, transparency::Kind::kAlone, ranks, why)

// A case that comes from a table instead of a function of its own.
#define REGISTER(variable, name, ...)                                  \
  const transparency::Registration variable(kGroup, name, __VA_ARGS__, \
                                            transparency::Kind::kTogether, 1)

// The rank in MPI_COMM_WORLD.  REQUIRES: MPI is initialised.
int rank();
int size();
// The neighbours in a ring of all.
int next();
int previous();

// Returns when `processes` of this run have called it, once; after
// MPI_Finalize, too.  Waits for 20 s at most.
void meet_outside_mpi(int processes);

// Writes a line of this process's text.
void line(const char* format, ...) __attribute__((format(printf, 1, 2)));

// "TRUNCATE" for MPI_ERR_TRUNCATE, or any code of that class.
std::string name_of_error(int code);
// The line "what: SUCCESS".
void show(const char* what, int code);
// Source, tag, count and whether it was cancelled; the error where asked.
void show(const char* what, const MPI_Status& status,
          MPI_Datatype type = MPI_INT);
void show_with_error(const char* what, const MPI_Status& status,
                     MPI_Datatype type = MPI_INT);
void show(const char* what, const Ints& values);
std::string text_of(const Ints& values);
const char* yes(bool value);
// The same where MPI cannot be asked for the class of a code.
inline void show_outside(const char* what, int code) {
  line("%s: %s", what, code == MPI_SUCCESS ? "good" : "bad");
}
// MPI_UNDEFINED has a name; other numbers are numbers.
std::string text_of_index(int index);

// The values first, first + 1, ...
Ints numbers(int count, int first = 0);
// A sum that depends on the order of the values.
unsigned checksum(const Ints& values);

// Errors on the communicator return while it lives.
class ErrorsReturn {
 public:
  explicit ErrorsReturn(MPI_Comm comm);
  ~ErrorsReturn();
  ErrorsReturn(const ErrorsReturn&) = delete;
  ErrorsReturn& operator=(const ErrorsReturn&) = delete;

 private:
  MPI_Comm comm_;
  MPI_Errhandler before_;
};

// Shows that the communicator works: a sum over it and a message around it.
void use(const char* what, MPI_Comm comm);
// The same for an intercommunicator.
void use_inter(const char* what, MPI_Comm comm);

// Low and high half of the world, joined.  REQUIRES: size() > 1.
struct Halves {
  Halves();
  ~Halves();
  Halves(const Halves&) = delete;
  Halves& operator=(const Halves&) = delete;

  bool low;
  MPI_Comm half;
  MPI_Comm inter;
  int rank;    // in the half
  int local;   // its size
  int remote;  // and that of the other
};

// The program's name, to start it again.
const char* program();
// Where files may be written; the same for all processes of a run.
std::string folder();
// What a process that was spawned by a case does.
using Child = void (*)();
struct ChildRegistration {
  ChildRegistration(const char* name, Child child);
};

}  // namespace transparency

#endif  // POPRT_TESTS_TRANSPARENCY_TRANSPARENCY_H_
