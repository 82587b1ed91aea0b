// Calls each function of the C library that poprt can stand in front of
// (docs/contracts.md), in all the ways in which a caller can tell that from the
// function itself.  Prints a line for each:
//
//   read|EBADF|point|restarts|yes|as before|-
//
// what goes wrong and with which error, whether it is a cancellation point,
// what a signal does to a call that waits, whether it may be called in a signal
// handler, what siglongjmp() out of a waiting call leaves, and what mutexes of
// special kinds say.  A function that this C library lacks has no line.
//
//   contracts [NAME...]
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "poprt.h"

// Names that headers replace by others, or do not declare.
extern "C" {
int open_2(const char*, int) __asm__("__open_2");
int open64_2(const char*, int) __asm__("__open64_2");
int openat_2(int, const char*, int) __asm__("__openat_2");
int openat64_2(int, const char*, int) __asm__("__openat64_2");
ssize_t read_chk(int, void*, size_t, size_t) __asm__("__read_chk");
ssize_t pread_chk(int, void*, size_t, off_t, size_t) __asm__("__pread_chk");
ssize_t pread64_chk(int, void*, size_t, off_t, size_t) __asm__("__pread64_chk");
size_t fread_chk(void*, size_t, size_t, size_t, FILE*) __asm__("__fread_chk");
char* fgets_chk(char*, size_t, int, FILE*) __asm__("__fgets_chk");
ssize_t old_getdelim(char**, size_t*, int, FILE*) __asm__("__getdelim");
int fprintf_chk(FILE*, int, const char*, ...) __asm__("__fprintf_chk");
int vfprintf_chk(FILE*, int, const char*, va_list) __asm__("__vfprintf_chk");
int plain_getc(FILE*) __asm__("getc");
int plain_putc(int, FILE*) __asm__("putc");
int plain_fscanf(FILE*, const char*, ...) __asm__("fscanf");
int plain_vfscanf(FILE*, const char*, va_list) __asm__("vfscanf");
int c99_fscanf(FILE*, const char*, ...) __asm__("__isoc99_fscanf");
int c99_vfscanf(FILE*, const char*, va_list) __asm__("__isoc99_vfscanf");
__attribute__((weak)) int c23_fscanf(FILE*, const char*,
                                     ...) __asm__("__isoc23_fscanf");
__attribute__((weak)) int c23_vfscanf(FILE*, const char*,
                                      va_list) __asm__("__isoc23_vfscanf");
[[noreturn]] void plain_longjmp(sigjmp_buf, int) __asm__("longjmp");
[[noreturn]] void old_longjmp(sigjmp_buf, int) __asm__("_longjmp");
[[noreturn]] void plain_siglongjmp(sigjmp_buf, int) __asm__("siglongjmp");
[[noreturn]] void longjmp_chk(sigjmp_buf, int) __asm__("__longjmp_chk");
}

namespace {

void must(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "contracts: %s (%s)\n", what, strerror(errno));
  abort();
}
#define MUST(x) must(x, #x)

std::string name_of(int error) {
  const char* const name = strerrorname_np(error);
  return name == nullptr ? std::to_string(error) : name;
}

constexpr timespec kPast = {0, 0};
constexpr timespec kNever = {1L << 33, 0};
constexpr timespec kWrong = {0, -1};

// --- what is called ----------------------------------------------------------

// What a call works on; see make().
enum class Kind {
  kReady,    // it does not wait
  kWaiting,  // it does, until release()
  kBad,      // it fails
};
struct Things {
  Kind kind;
  int number = -1;  // a descriptor
  int other = -1;   // the other end of a pipe
  FILE* stream = nullptr;
  std::string path;
  pthread_mutex_t mutex;
  pthread_cond_t condition;
  pthread_rwlock_t rwlock;
  pthread_barrier_t barrier;
  sem_t semaphore;
  mtx_t c11_mutex;
  cnd_t c11_condition;
  int word = 0;  // a futex
  pthread_t thread;
  bool has_thread = false;
  bool may_end = false;
};
char g_data[1 << 17];
char g_lines[4096];  // "1\n1\n..."

// What it can be called on, and how it can wait there.
enum class On {
  kRead,  // a descriptor: waits for a pipe
  kWrite,
  kStreamRead,
  kStreamWrite,
  kPathRead,  // waits for the other end of a FIFO
  kPathWrite,
  kMutex,
  kUnlock,
  kMtx,
  kMtxUnlock,
  kReader,
  kWriter,
  kRwUnlock,
  kCondition,
  kC11Condition,
  kBarrier,
  kSemaphore,
  kJoin,
  kFutex,
  kNothing,
};

struct Function {
  const char* name;
  On on;
  bool safe;   // in signal handlers
  bool waits;  // it can
  // The error or 0; -1 for one that is in errno.
  std::function<long(Things&)> call;
  // A call that fails, where others have what it wants; empty: `call` does, on
  // bad things.
  std::function<long(Things&)> fails = {};
};

const char* file_name() { return "contracts.data"; }

void make_pipe(Things* t, bool full) {
  int ends[2];
  MUST(pipe(ends) == 0);
  t->number = ends[full ? 1 : 0];
  t->other = ends[full ? 0 : 1];
  if (!full) return;
  MUST(fcntl(t->number, F_SETFL, O_NONBLOCK) == 0);
  while (syscall(SYS_write, t->number, g_lines, sizeof g_lines) > 0) {
  }
  MUST(fcntl(t->number, F_SETFL, 0) == 0);
}

void* waits_for_permission(void* things) {
  const auto* const t = static_cast<Things*>(things);
  while (!*const_cast<const volatile bool*>(&t->may_end)) usleep(200);
  return nullptr;
}

// The locks that are taken are the calling thread's.
void make(On on, Kind kind, Things* t) {
  t->kind = kind;
  const bool waiting = kind == Kind::kWaiting;
  t->mutex = PTHREAD_MUTEX_INITIALIZER;
  t->condition = PTHREAD_COND_INITIALIZER;
  t->rwlock = PTHREAD_RWLOCK_INITIALIZER;
  sem_init(&t->semaphore, 0, waiting ? 0 : 1);
  mtx_init(&t->c11_mutex, mtx_timed);
  cnd_init(&t->c11_condition);
  pthread_barrier_init(&t->barrier, nullptr, waiting ? 2 : 1);
  t->word = waiting ? 1 : 0;
  switch (on) {
    case On::kRead:
    case On::kWrite:
    case On::kStreamRead:
    case On::kStreamWrite: {
      const bool writes = on == On::kWrite || on == On::kStreamWrite;
      const bool streams = on == On::kStreamRead || on == On::kStreamWrite;
      if (waiting) {
        make_pipe(t, writes);
      } else {
        t->number = kind == Kind::kReady ? open(file_name(), O_RDWR) : 999;
      }
      if (!streams) break;
      // A bad one cannot do what is asked for.
      t->stream = kind == Kind::kBad ? fopen("/dev/null", writes ? "r" : "w")
                                     : fdopen(t->number, writes ? "w" : "r");
      if (waiting || writes) setvbuf(t->stream, nullptr, _IONBF, 0);
      break;
    }
    case On::kPathRead:
    case On::kPathWrite:
      t->path = kind == Kind::kBad ? "no/such/file"
                : waiting          ? "contracts.fifo"
                                   : file_name();
      break;
    case On::kMutex:
    case On::kMtx:
      if (waiting) {
        pthread_mutex_lock(&t->mutex);
        mtx_lock(&t->c11_mutex);
      }
      break;
    case On::kReader:
    case On::kWriter:
      if (waiting) pthread_rwlock_wrlock(&t->rwlock);
      break;
    case On::kJoin:
      t->may_end = !waiting;
      t->has_thread = true;
      MUST(pthread_create(&t->thread, nullptr, waits_for_permission, t) == 0);
      break;
    default:
      break;
  }
}

// What the calling thread must have for the call.
void take_for(On on, Things* t) {
  if (on == On::kUnlock || on == On::kCondition) pthread_mutex_lock(&t->mutex);
  if (on == On::kMtxUnlock || on == On::kC11Condition) {
    mtx_lock(&t->c11_mutex);
  }
  if (on == On::kRwUnlock) pthread_rwlock_wrlock(&t->rwlock);
}

// Lets the waiting call return.  By the thread that has called make().
void release(On on, Things* t) {
  switch (on) {
    case On::kRead:
    case On::kStreamRead:
      MUST(syscall(SYS_write, t->other, g_lines, sizeof g_lines) ==
           sizeof g_lines);
      break;
    case On::kWrite:
    case On::kStreamWrite:
      MUST(fcntl(t->other, F_SETFL, O_NONBLOCK) == 0);
      while (syscall(SYS_read, t->other, g_data, sizeof g_data) > 0) {
      }
      break;
    case On::kPathRead:
    case On::kPathWrite:
      t->other = static_cast<int>(
          syscall(SYS_openat, AT_FDCWD, t->path.c_str(), O_RDWR));
      break;
    case On::kMutex:
    case On::kMtx:
      pthread_mutex_unlock(&t->mutex);
      mtx_unlock(&t->c11_mutex);
      break;
    case On::kReader:
    case On::kWriter:
      pthread_rwlock_unlock(&t->rwlock);
      break;
    case On::kCondition:
      pthread_mutex_lock(&t->mutex);
      pthread_cond_signal(&t->condition);
      pthread_mutex_unlock(&t->mutex);
      break;
    case On::kC11Condition:
      mtx_lock(&t->c11_mutex);
      cnd_signal(&t->c11_condition);
      mtx_unlock(&t->c11_mutex);
      break;
    case On::kBarrier:
      pthread_barrier_wait(&t->barrier);
      break;
    case On::kSemaphore:
      sem_post(&t->semaphore);
      break;
    case On::kJoin:
      *const_cast<volatile bool*>(&t->may_end) = true;
      break;
    case On::kFutex:
      *const_cast<volatile int*>(&t->word) = 0;
      syscall(SYS_futex, &t->word, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
      break;
    default:
      break;
  }
}

void clean_up(Things* t) {
  if (t->has_thread) {
    *const_cast<volatile bool*>(&t->may_end) = true;
  }
  // A stream keeps its memory, because a call may have been left.
  if (t->other >= 0) syscall(SYS_close, t->other);
  if (t->number >= 0 && t->kind != Kind::kBad) syscall(SYS_close, t->number);
}

// "0", the error's name, or "errno!" if a call that succeeds changes it.
std::string outcome(const Function& f, Things& t) {
  errno = 0;
  const long result = f.call(t);
  if (result == -1) return name_of(errno);
  if (result > 0) return name_of(static_cast<int>(result));
  return errno == 0 ? "0" : "errno!";
}

// Of a call that makes a descriptor.
long made(int number) {
  if (number < 0) return -1;
  syscall(SYS_close, number);
  return 0;
}
long made(FILE* stream) {
  if (stream == nullptr) return -1;
  const int saved = errno;
  fclose(stream);
  errno = saved;
  return 0;
}
long moved(ssize_t bytes) { return bytes < 0 ? -1 : 0; }
// stdio: -1 with errno, and no other result is told from it.
long streamed(bool good) { return good ? 0 : -1; }
// C11's results.
long c11(int result) {
  return result == thrd_success    ? 0
         : result == thrd_busy     ? EBUSY
         : result == thrd_timedout ? ETIMEDOUT
                                   : EINVAL;
}

int print_with(int (*print)(FILE*, const char*, va_list), FILE* stream,
               const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int result = print(stream, format, arguments);
  va_end(arguments);
  return result;
}
int checked_print(FILE* stream, const char* format, va_list arguments) {
  return vfprintf_chk(stream, 1, format, arguments);
}

int copy_of(int number) { return static_cast<int>(syscall(SYS_dup, number)); }
long close_copy_range(int number) {
  const int copy = copy_of(number);
  if (copy < 0) errno = EINVAL;  // there is no error to make
  const auto n = static_cast<unsigned>(copy);
  return close_range(copy < 0 ? 2 : n, copy < 0 ? 1 : n, 0);
}
long close_copies_from(int number) {
  constexpr int kFirst = 5000;
  syscall(SYS_fcntl, number, F_DUPFD, kFirst);
  closefrom(kFirst);
  return fcntl(kFirst, F_GETFD) < 0 ? (errno = 0) : EBUSY;
}
long mapped(decltype(mmap)* map, int number) {
  void* const memory = map(nullptr, 8, PROT_READ, MAP_SHARED, number, 0);
  return memory == MAP_FAILED ? -1 : munmap(memory, 8);
}
int open_file() {
  static const auto file =
      static_cast<int>(syscall(SYS_openat, AT_FDCWD, file_name(), O_RDONLY));
  return file;
}

// A thread that was asked to end, and has not come to a point where it does,
// has its own result.
void* ends_with_42(void*) {
  pthread_cancel(pthread_self());
  return reinterpret_cast<void*>(42);
}
int ends_with_43(void*) { return 43; }
// Also by a thread that was asked to end.
template <class Join>
void join_anyway(Join join) {
  int before;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
  join();
  pthread_setcancelstate(before, nullptr);
}
long create_and_join() {
  pthread_t thread;
  void* result = nullptr;
  const int error = pthread_create(&thread, nullptr, ends_with_42, nullptr);
  if (error != 0) return error;
  join_anyway([&] { pthread_join(thread, &result); });
  return result == reinterpret_cast<void*>(42) ? 0 : ECANCELED;
}
long c11_create_and_join() {
  thrd_t thread;
  int result = 0;
  if (thrd_create(&thread, ends_with_43, nullptr) != thrd_success)
    return EAGAIN;
  join_anyway([&] { thrd_join(thread, &result); });
  return result == 43 ? 0 : ECANCELED;
}
long create_with_too_much_stack() {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, size_t{1} << 46);
  pthread_t thread;
  return pthread_create(&thread, &attributes, ends_with_42, nullptr);
}

long wait_for_word(const int* word) {
  const long result =
      syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, 1, nullptr, nullptr, 0);
  if (result == 0 || errno != EAGAIN) return result;
  errno = 0;  // it was not 1
  return 0;
}
long jumps(void (*jump)(sigjmp_buf)) {
  sigjmp_buf to;
  if (sigsetjmp(to, 0) == 0) jump(to);
  return 0;
}
long timed_out(Things& t) {
  pthread_mutex_lock(&t.mutex);
  const int result = pthread_cond_timedwait(&t.condition, &t.mutex, &kPast);
  pthread_mutex_unlock(&t.mutex);
  return result;
}
long locked_twice(int (*first)(pthread_rwlock_t*),
                  int (*second)(pthread_rwlock_t*)) {
  pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
  first(&lock);
  return second(&lock);
}

// --- what is told of it
// -------------------------------------------------------

// The error of a call that fails, and before that what is wrong with one that
// does not.
struct Made {
  const Function* f;
  Things* t;
  sem_t made, used;
};
void* makes(void* argument) {
  auto* const m = static_cast<Made*>(argument);
  make(m->f->on, Kind::kWaiting, m->t);
  sem_post(&m->made);
  sem_wait(&m->used);
  if (m->f->on != On::kBarrier) release(m->f->on, m->t);
  return nullptr;
}
std::string errors_of(const Function& f) {
  auto* const ready = new Things;
  make(f.on, Kind::kReady, ready);
  take_for(f.on, ready);
  std::string good = "0";
  if (f.on != On::kCondition && f.on != On::kC11Condition) {
    good = outcome(f, *ready);
  }
  const std::string wrong = good == "0" ? "" : "wrong " + good + ", ";
  clean_up(ready);
  auto* const t = new Things;
  if (!f.fails) {
    if (f.on > On::kPathWrite) return wrong + "-";
    make(f.on, Kind::kBad, t);
    const std::string error = outcome(f, *t);
    return wrong + (error == "0" ? "-" : error);
  }
  auto* const made = new Made{&f, t, {}, {}};
  pthread_t maker;
  sem_init(&made->made, 0, 0);
  sem_init(&made->used, 0, 0);
  MUST(pthread_create(&maker, nullptr, makes, made) == 0);
  while (sem_wait(&made->made) != 0) {
  }
  errno = 0;
  const long result = f.fails(*t);
  const int error = result == -1 ? errno : static_cast<int>(result);
  sem_post(&made->used);
  MUST(pthread_join(maker, nullptr) == 0);
  return wrong + name_of(error);
}

// Whether a thread with a pending cancellation ends in the call.
struct Asked {
  const Function* f;
  Things* t;
};
void* cancelled_at_call(void* argument) {
  const auto* const asked = static_cast<Asked*>(argument);
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, nullptr);
  // To join a thread that has ended takes no wait, and is a point or not.
  const bool joins = asked->f->on == On::kJoin;
  make(asked->f->on, joins ? Kind::kWaiting : Kind::kReady, asked->t);
  take_for(asked->f->on, asked->t);
  pthread_cancel(pthread_self());
  pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, nullptr);
  asked->f->call(*asked->t);
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, nullptr);
  return argument;
}
std::string cancellation_of(const Function& f) {
  auto* const t = new Things;  // may be in use for ever
  Asked asked = {&f, t};
  pthread_t thread;
  void* result = nullptr;
  MUST(pthread_create(&thread, nullptr, cancelled_at_call, &asked) == 0);
  MUST(pthread_join(thread, &result) == 0);
  clean_up(t);
  return result == PTHREAD_CANCELED ? "point" : "no point";
}

// A thread that makes things, lets another one wait for them, sends it a
// signal, and lets them go.
struct Controlled {
  const Function* f;
  Things* t;
  pthread_t waiter;
  pid_t waiter_id;
  volatile int made = 0;
  volatile int calling = 0;
  volatile int returned = 0;
};
volatile sig_atomic_t g_handled = 0;
volatile sig_atomic_t g_jumps = 0;
sigjmp_buf g_out;

void on_signal(int) {
  g_handled = g_handled + 1;
  if (g_jumps != 0) siglongjmp(g_out, 1);
}

// Without time limits: the kernel says that it sleeps.
bool sleeps(pid_t thread) {
  char path[64], text[512];
  std::snprintf(path, sizeof path, "/proc/self/task/%d/stat", thread);
  const int file =
      static_cast<int>(syscall(SYS_openat, AT_FDCWD, path, O_RDONLY));
  const long length = syscall(SYS_read, file, text, sizeof text - 1);
  syscall(SYS_close, file);
  MUST(length > 0);
  text[length] = '\0';
  return strstr(text, ") S ") != nullptr;
}
void rest() { usleep(500); }

void* controls(void* argument) {
  auto* const c = static_cast<Controlled*>(argument);
  make(c->f->on, Kind::kWaiting, c->t);
  c->made = 1;
  // Until then it may still sleep because nothing was made.
  while (c->calling == 0) rest();
  // Twice, because it may sleep for a moment in the call of another function.
  for (int seen = 0; seen < 2; seen = sleeps(c->waiter_id) ? seen + 1 : 0) {
    rest();
  }
  MUST(pthread_kill(c->waiter, SIGUSR1) == 0);
  while (g_handled == 0) rest();
  // With a jump nobody waits any more, and what was made is looked at first.
  for (int seen = 0; seen < 2 && c->returned == 0;
       seen = sleeps(c->waiter_id) ? seen + 1 : 0) {
    rest();
  }
  if (c->returned == 0) release(c->f->on, c->t);
  return nullptr;
}

void handle_by(int flags) {
  struct sigaction action = {};
  action.sa_handler = on_signal;
  action.sa_flags = flags;
  MUST(sigaction(SIGUSR1, &action, nullptr) == 0);
}

// What the call returns that the signal has interrupted.
std::string interrupted(const Function& f, int flags) {
  auto* const t = new Things;
  Controlled control = {&f, t, pthread_self(), gettid()};
  handle_by(flags);
  g_handled = 0;
  pthread_t controller;
  MUST(pthread_create(&controller, nullptr, controls, &control) == 0);
  while (control.made == 0) usleep(100);
  take_for(f.on, t);
  control.calling = 1;
  const std::string result = outcome(f, *t);
  control.returned = 1;
  if (f.on == On::kCondition) pthread_mutex_unlock(&t->mutex);
  if (f.on == On::kC11Condition) mtx_unlock(&t->c11_mutex);
  MUST(pthread_join(controller, nullptr) == 0);
  clean_up(t);
  return result;
}
std::string signals_of(const Function& f) {
  if (!f.waits) return "-";
  const std::string plain = interrupted(f, 0);
  const std::string restarting = interrupted(f, SA_RESTART);
  if (plain == "0" && restarting == "0") return "goes on";
  if (plain == "EINTR" && restarting == "0") return "restarts";
  return plain == restarting ? plain : plain + ", " + restarting;
}

// A call on new things after one that was left by a jump out of a handler, and
// what is left of those.
std::string jump_of(const Function& f) {
  if (!f.waits) return "-";
  auto* const t = new Things;
  Controlled* const control = new Controlled{&f, t, pthread_self(), gettid()};
  handle_by(0);
  g_handled = 0;
  pthread_t controller;
  MUST(pthread_create(&controller, nullptr, controls, control) == 0);
  while (control->made == 0) usleep(100);
  take_for(f.on, t);
  if (sigsetjmp(g_out, 1) == 0) {
    g_jumps = 1;
    control->calling = 1;
    f.call(*t);
    abort();
  }
  g_jumps = 0;
  // glibc takes the mutex of a condition again.
  const bool has_mutex =
      f.on == On::kCondition && pthread_mutex_trylock(&t->mutex) == EBUSY;
  if (has_mutex) pthread_mutex_unlock(&t->mutex);
  const bool has_c11 =
      f.on == On::kC11Condition && mtx_trylock(&t->c11_mutex) == thrd_busy;
  if (has_c11) mtx_unlock(&t->c11_mutex);
  usleep(5000);  // the one who lets it go waits until this thread sleeps
  MUST(pthread_join(controller, nullptr) == 0);
  // Who waited has nothing of it, and the others have what they had.
  const bool is_free =
      f.on == On::kMutex       ? pthread_mutex_trylock(&t->mutex) == 0
      : f.on == On::kMtx       ? mtx_trylock(&t->c11_mutex) == thrd_success
      : f.on == On::kSemaphore ? sem_trywait(&t->semaphore) == 0
      : f.on == On::kJoin      ? pthread_join(t->thread, nullptr) == 0
                               : true;
  clean_up(t);
  if (has_mutex || has_c11) return "has the mutex";
  return is_free ? "as before" : "not as before";
}

// The calls in a handler that interrupts such calls, wherever they are.
const Function* g_called = nullptr;
Things* g_things = nullptr;
volatile sig_atomic_t g_failed = 0;
void on_timer(int) {
  const int saved = errno;
  g_handled = g_handled + 1;
  if (g_called->call(*g_things) != 0) g_failed = 1;
  errno = saved;
}
std::string handlers_of(const Function& f) {
  if (!f.safe) return "no";
  Things t;
  make(f.on, Kind::kReady, &t);
  g_called = &f;
  g_things = &t;
  g_failed = 0;
  struct sigaction action = {};
  action.sa_handler = on_timer;
  action.sa_flags = SA_RESTART;
  MUST(sigaction(SIGALRM, &action, nullptr) == 0);
  const itimerval often = {{0, 100}, {0, 100}};
  const itimerval never = {};
  g_handled = 0;
  MUST(setitimer(ITIMER_REAL, &often, nullptr) == 0);
  while (g_handled < 50) {
    if (f.call(t) != 0) g_failed = 1;
  }
  MUST(setitimer(ITIMER_REAL, &never, nullptr) == 0);
  clean_up(&t);
  return g_failed == 0 ? "yes" : "fails";
}

// --- mutexes of special kinds
// --------------------------------------------------

pthread_mutex_t mutex_of(int type, int robust) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, type);
  pthread_mutexattr_setrobust(&attributes, robust);
  pthread_mutex_t mutex;
  pthread_mutex_init(&mutex, &attributes);
  return mutex;
}
void* locks(void* mutex) {
  pthread_mutex_lock(static_cast<pthread_mutex_t*>(mutex));
  return nullptr;
}
void lock_elsewhere(pthread_mutex_t* mutex) {
  pthread_t thread;
  MUST(pthread_create(&thread, nullptr, locks, mutex) == 0);
  MUST(pthread_join(thread, nullptr) == 0);
}

// One that checks for errors: the thread has it already, or does not have it.
// A robust one: its holder has died; then nobody has made it consistent.
std::string kinds_of(const Function& f) {
  auto* const t = new Things;
  make(f.on, Kind::kReady, t);
  if (f.on == On::kUnlock || f.on == On::kCondition) {
    t->mutex = mutex_of(PTHREAD_MUTEX_ERRORCHECK, PTHREAD_MUTEX_STALLED);
    return outcome(f, *t);
  }
  if (f.on == On::kMtx) {
    mtx_init(&t->c11_mutex, mtx_timed | mtx_recursive);
    mtx_lock(&t->c11_mutex);
    return outcome(f, *t);
  }
  if (f.on != On::kMutex) return "-";
  t->mutex = mutex_of(PTHREAD_MUTEX_ERRORCHECK, PTHREAD_MUTEX_STALLED);
  pthread_mutex_lock(&t->mutex);
  std::string all = outcome(f, *t);
  t->mutex = mutex_of(PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_ROBUST);
  lock_elsewhere(&t->mutex);
  all += ", " + outcome(f, *t);
  pthread_mutex_unlock(&t->mutex);
  return all + ", " + outcome(f, *t);
}

// --- the functions
// -------------------------------------------------------------

iovec g_part = {g_data, 8};

std::vector<Function> functions() {
  constexpr bool kSafe = true, kUnsafe = false, kWaits = true, kAtOnce = false;
  std::vector<Function> all;
  // T is the Things.
#define FUNCTION(name, on, safe, waits, expression)         \
  all.push_back({name, On::on, safe, waits, [](Things& T) { \
                   (void)T;                                 \
                   return static_cast<long>(expression);    \
                 }})
#define FAILS(expression)                 \
  all.back().fails = [](Things& T) {      \
    (void)T;                              \
    return static_cast<long>(expression); \
  }
#define OPENS(name, call) FUNCTION(name, kPathRead, kSafe, kWaits, made(call))
  OPENS("open", open(T.path.c_str(), O_RDONLY));
  OPENS("open64", open64(T.path.c_str(), O_RDONLY));
  OPENS("openat", openat(AT_FDCWD, T.path.c_str(), O_RDONLY));
  OPENS("openat64", openat64(AT_FDCWD, T.path.c_str(), O_RDONLY));
  OPENS("__open_2", open_2(T.path.c_str(), O_RDONLY));
  OPENS("__open64_2", open64_2(T.path.c_str(), O_RDONLY));
  OPENS("__openat_2", openat_2(AT_FDCWD, T.path.c_str(), O_RDONLY));
  OPENS("__openat64_2", openat64_2(AT_FDCWD, T.path.c_str(), O_RDONLY));
  FUNCTION("creat", kPathWrite, kSafe, kWaits,
           made(creat(T.path.c_str(), 0600)));
  FUNCTION("creat64", kPathWrite, kSafe, kWaits,
           made(creat64(T.path.c_str(), 0600)));
#define READS(name, call) FUNCTION(name, kRead, kSafe, kWaits, moved(call))
#define WRITES(name, call) FUNCTION(name, kWrite, kSafe, kWaits, moved(call))
#define AT_ONCE(name, on, call) FUNCTION(name, on, kSafe, kAtOnce, moved(call))
  READS("read", read(T.number, g_data, 8));
  READS("__read_chk", read_chk(T.number, g_data, 8, 8));
  READS("readv", readv(T.number, &g_part, 1));
  // At the position of the descriptor, so that they can wait.
  READS("preadv2", preadv2(T.number, &g_part, 1, -1, 0));
  READS("preadv64v2", preadv64v2(T.number, &g_part, 1, -1, 0));
  AT_ONCE("pread", kRead, pread(T.number, g_data, 8, 0));
  AT_ONCE("pread64", kRead, pread64(T.number, g_data, 8, 0));
  AT_ONCE("__pread_chk", kRead, pread_chk(T.number, g_data, 8, 0, 8));
  AT_ONCE("__pread64_chk", kRead, pread64_chk(T.number, g_data, 8, 0, 8));
  AT_ONCE("preadv", kRead, preadv(T.number, &g_part, 1, 0));
  AT_ONCE("preadv64", kRead, preadv64(T.number, &g_part, 1, 0));
  WRITES("write", write(T.number, g_data, 8));
  WRITES("writev", writev(T.number, &g_part, 1));
  WRITES("pwritev2", pwritev2(T.number, &g_part, 1, -1, 0));
  WRITES("pwritev64v2", pwritev64v2(T.number, &g_part, 1, -1, 0));
  AT_ONCE("pwrite", kWrite, pwrite(T.number, g_data, 8, 0));
  AT_ONCE("pwrite64", kWrite, pwrite64(T.number, g_data, 8, 0));
  AT_ONCE("pwritev", kWrite, pwritev(T.number, &g_part, 1, 0));
  AT_ONCE("pwritev64", kWrite, pwritev64(T.number, &g_part, 1, 0));
  AT_ONCE("fsync", kWrite, fsync(T.number));
  AT_ONCE("fdatasync", kWrite, fdatasync(T.number));
  AT_ONCE("lseek", kRead, lseek(T.number, 0, SEEK_SET));
  AT_ONCE("lseek64", kRead, lseek64(T.number, 0, SEEK_SET));
  static off_t at;
  at = 0;
  WRITES("sendfile", (at = 0, sendfile(T.number, open_file(), &at, 8)));
  WRITES("sendfile64", (at = 0, sendfile64(T.number, open_file(), &at, 8)));
  AT_ONCE("close", kRead, close(copy_of(T.number)));
  AT_ONCE("close_range", kRead, close_copy_range(T.number));
  FUNCTION("closefrom", kRead, kUnsafe, kAtOnce, close_copies_from(T.number));
  AT_ONCE("dup2", kRead, dup2(T.number, 300));
  AT_ONCE("dup3", kRead, dup3(T.number, 300, O_CLOEXEC));
  FUNCTION("mmap", kRead, kSafe, kAtOnce, mapped(mmap, T.number));
  FUNCTION("mmap64", kRead, kSafe, kAtOnce, mapped(mmap64, T.number));

#define STREAM_OPENS(name, call) \
  FUNCTION(name, kPathRead, kUnsafe, kWaits, made(call))
  STREAM_OPENS("fopen", fopen(T.path.c_str(), "r"));
  STREAM_OPENS("fopen64", fopen64(T.path.c_str(), "r"));
  STREAM_OPENS("freopen",
               freopen(T.path.c_str(), "r", fopen("/dev/null", "r")));
  STREAM_OPENS("freopen64",
               freopen64(T.path.c_str(), "r", fopen("/dev/null", "r")));
#define STREAM_READS(name, good) \
  FUNCTION(name, kStreamRead, kUnsafe, kWaits, streamed(good))
#define STREAM_WRITES(name, good) \
  FUNCTION(name, kStreamWrite, kUnsafe, kWaits, streamed(good))
#define STREAM(name, on, good) \
  FUNCTION(name, on, kUnsafe, kAtOnce, streamed(good))
  static char* line = nullptr;
  static size_t room = 0;
  static int number;
  STREAM_READS("fread", fread(g_data, 1, 1, T.stream) == 1);
  STREAM_READS("fread_unlocked", fread_unlocked(g_data, 1, 1, T.stream) == 1);
  STREAM_READS("__fread_chk", fread_chk(g_data, 8, 1, 1, T.stream) == 1);
  STREAM_READS("fgets", fgets(g_data, 2, T.stream) != nullptr);
  STREAM_READS("__fgets_chk", fgets_chk(g_data, 8, 2, T.stream) != nullptr);
  STREAM_READS("fgetc", fgetc(T.stream) != EOF);
  STREAM_READS("getc", plain_getc(T.stream) != EOF);
  STREAM_READS("getline", getline(&line, &room, T.stream) > 0);
  STREAM_READS("getdelim", getdelim(&line, &room, '\n', T.stream) > 0);
  STREAM_READS("__getdelim", old_getdelim(&line, &room, '\n', T.stream) > 0);
  STREAM_READS("fscanf", plain_fscanf(T.stream, "%d", &number) == 1);
  STREAM_READS("__isoc99_fscanf", c99_fscanf(T.stream, "%d", &number) == 1);
  STREAM_READS("vfscanf",
               print_with(plain_vfscanf, T.stream, "%d", &number) == 1);
  STREAM_READS("__isoc99_vfscanf",
               print_with(c99_vfscanf, T.stream, "%d", &number) == 1);
  if (c23_fscanf != nullptr) {
    STREAM_READS("__isoc23_fscanf", c23_fscanf(T.stream, "%d", &number) == 1);
    STREAM_READS("__isoc23_vfscanf",
                 print_with(c23_vfscanf, T.stream, "%d", &number) == 1);
  }
  STREAM_WRITES("fwrite", fwrite("1", 1, 1, T.stream) == 1);
  STREAM_WRITES("fwrite_unlocked", fwrite_unlocked("1", 1, 1, T.stream) == 1);
  STREAM_WRITES("fputs", fputs("1", T.stream) >= 0);
  STREAM_WRITES("fputc", fputc('1', T.stream) == '1');
  STREAM_WRITES("putc", plain_putc('1', T.stream) == '1');
  STREAM_WRITES("fprintf", fprintf(T.stream, "%d", 1) == 1);
  STREAM_WRITES("__fprintf_chk", fprintf_chk(T.stream, 1, "%d", 1) == 1);
  STREAM_WRITES("vfprintf", print_with(vfprintf, T.stream, "%d", 1) == 1);
  STREAM_WRITES("__vfprintf_chk",
                print_with(checked_print, T.stream, "%d", 1) == 1);
  STREAM_WRITES("fflush",
                (setvbuf(T.stream, nullptr, _IOFBF, 64),
                 putc_unlocked('1', T.stream) == '1' && fflush(T.stream) == 0));
  STREAM("fclose", kStreamRead, fclose(fopen(file_name(), "r")) == 0);
  STREAM("fseek", kStreamRead, fseek(T.stream, 0, SEEK_SET) == 0);
  STREAM("fseeko", kStreamRead, fseeko(T.stream, 0, SEEK_SET) == 0);
  STREAM("fseeko64", kStreamRead, fseeko64(T.stream, 0, SEEK_SET) == 0);
  STREAM("rewind", kStreamRead, (rewind(T.stream), true));
  STREAM("pclose", kNothing, pclose(popen("true", "r")) == 0);
  STREAM("closedir", kNothing, closedir(opendir(".")) == 0);

#define THREAD(name, on, waits, expression) \
  FUNCTION(name, on, kUnsafe, waits, expression)
  THREAD("pthread_create", kNothing, kAtOnce, create_and_join());
  FAILS(create_with_too_much_stack());
  THREAD("thrd_create", kNothing, kAtOnce, c11_create_and_join());
  THREAD("pthread_join", kJoin, kWaits, pthread_join(T.thread, nullptr));
  FAILS(pthread_join(pthread_self(), nullptr));
  THREAD("pthread_timedjoin_np", kJoin, kWaits,
         pthread_timedjoin_np(T.thread, nullptr, &kNever));
  FAILS(pthread_timedjoin_np(T.thread, nullptr, &kPast));
  THREAD("pthread_clockjoin_np", kJoin, kWaits,
         pthread_clockjoin_np(T.thread, nullptr, CLOCK_MONOTONIC, &kNever));
  FAILS(pthread_clockjoin_np(T.thread, nullptr, CLOCK_MONOTONIC, &kPast));
  THREAD("pthread_tryjoin_np", kJoin, kAtOnce,
         (pthread_tryjoin_np(T.thread, nullptr), 0));
  FAILS(pthread_tryjoin_np(T.thread, nullptr));
  THREAD("thrd_join", kJoin, kWaits, c11(thrd_join(T.thread, nullptr)));
  FAILS(c11(thrd_join(thrd_current(), nullptr)));

  THREAD("pthread_mutex_lock", kMutex, kWaits, pthread_mutex_lock(&T.mutex));
  THREAD("pthread_mutex_trylock", kMutex, kAtOnce,
         pthread_mutex_trylock(&T.mutex));
  FAILS(pthread_mutex_trylock(&T.mutex));
  THREAD("pthread_mutex_timedlock", kMutex, kWaits,
         pthread_mutex_timedlock(&T.mutex, &kNever));
  FAILS(pthread_mutex_timedlock(&T.mutex, &kPast));
  THREAD("pthread_mutex_clocklock", kMutex, kWaits,
         pthread_mutex_clocklock(&T.mutex, CLOCK_MONOTONIC, &kNever));
  FAILS(pthread_mutex_clocklock(&T.mutex, 99, &kNever));
  THREAD("pthread_mutex_unlock", kUnlock, kAtOnce,
         pthread_mutex_unlock(&T.mutex));
  THREAD("pthread_mutex_destroy", kNothing, kAtOnce,
         pthread_mutex_destroy(&T.mutex));
  THREAD("mtx_lock", kMtx, kWaits, c11(mtx_lock(&T.c11_mutex)));
  THREAD("mtx_trylock", kMtx, kAtOnce, c11(mtx_trylock(&T.c11_mutex)));
  FAILS(c11(mtx_trylock(&T.c11_mutex)));
  THREAD("mtx_timedlock", kMtx, kWaits,
         c11(mtx_timedlock(&T.c11_mutex, &kNever)));
  FAILS(c11(mtx_timedlock(&T.c11_mutex, &kPast)));
  THREAD("mtx_unlock", kMtxUnlock, kAtOnce, c11(mtx_unlock(&T.c11_mutex)));
  THREAD("mtx_destroy", kNothing, kAtOnce, (mtx_destroy(&T.c11_mutex), 0));
  THREAD("pthread_rwlock_rdlock", kReader, kWaits,
         pthread_rwlock_rdlock(&T.rwlock));
  FAILS(locked_twice(pthread_rwlock_wrlock, pthread_rwlock_rdlock));
  THREAD("pthread_rwlock_timedrdlock", kReader, kWaits,
         pthread_rwlock_timedrdlock(&T.rwlock, &kNever));
  FAILS(pthread_rwlock_timedrdlock(&T.rwlock, &kWrong));
  THREAD("pthread_rwlock_clockrdlock", kReader, kWaits,
         pthread_rwlock_clockrdlock(&T.rwlock, CLOCK_MONOTONIC, &kNever));
  FAILS(pthread_rwlock_clockrdlock(&T.rwlock, CLOCK_MONOTONIC, &kPast));
  THREAD("pthread_rwlock_tryrdlock", kReader, kAtOnce,
         pthread_rwlock_tryrdlock(&T.rwlock));
  FAILS(pthread_rwlock_tryrdlock(&T.rwlock));
  THREAD("pthread_rwlock_wrlock", kWriter, kWaits,
         pthread_rwlock_wrlock(&T.rwlock));
  FAILS(locked_twice(pthread_rwlock_wrlock, pthread_rwlock_wrlock));
  THREAD("pthread_rwlock_timedwrlock", kWriter, kWaits,
         pthread_rwlock_timedwrlock(&T.rwlock, &kNever));
  FAILS(pthread_rwlock_timedwrlock(&T.rwlock, &kWrong));
  THREAD("pthread_rwlock_clockwrlock", kWriter, kWaits,
         pthread_rwlock_clockwrlock(&T.rwlock, CLOCK_MONOTONIC, &kNever));
  FAILS(pthread_rwlock_clockwrlock(&T.rwlock, CLOCK_MONOTONIC, &kPast));
  THREAD("pthread_rwlock_trywrlock", kWriter, kAtOnce,
         pthread_rwlock_trywrlock(&T.rwlock));
  FAILS(pthread_rwlock_trywrlock(&T.rwlock));
  THREAD("pthread_rwlock_unlock", kRwUnlock, kAtOnce,
         pthread_rwlock_unlock(&T.rwlock));
  THREAD("pthread_rwlock_destroy", kNothing, kAtOnce,
         pthread_rwlock_destroy(&T.rwlock));

  THREAD("pthread_cond_wait", kCondition, kWaits,
         pthread_cond_wait(&T.condition, &T.mutex));
  THREAD("pthread_cond_timedwait", kCondition, kWaits,
         pthread_cond_timedwait(&T.condition, &T.mutex, &kNever));
  FAILS(timed_out(T));
  THREAD(
      "pthread_cond_clockwait", kCondition, kWaits,
      pthread_cond_clockwait(&T.condition, &T.mutex, CLOCK_MONOTONIC, &kNever));
  THREAD("pthread_cond_signal", kNothing, kAtOnce,
         pthread_cond_signal(&T.condition));
  THREAD("pthread_cond_broadcast", kNothing, kAtOnce,
         pthread_cond_broadcast(&T.condition));
  THREAD("pthread_cond_destroy", kNothing, kAtOnce,
         pthread_cond_destroy(&T.condition));
  THREAD("cnd_wait", kC11Condition, kWaits,
         c11(cnd_wait(&T.c11_condition, &T.c11_mutex)));
  THREAD("cnd_timedwait", kC11Condition, kWaits,
         c11(cnd_timedwait(&T.c11_condition, &T.c11_mutex, &kNever)));
  THREAD("cnd_signal", kNothing, kAtOnce, c11(cnd_signal(&T.c11_condition)));
  THREAD("cnd_broadcast", kNothing, kAtOnce,
         c11(cnd_broadcast(&T.c11_condition)));
  THREAD("cnd_destroy", kNothing, kAtOnce, (cnd_destroy(&T.c11_condition), 0));
  THREAD("pthread_barrier_wait", kBarrier, kWaits,
         pthread_barrier_wait(&T.barrier) > 0);
  THREAD("pthread_barrier_destroy", kNothing, kAtOnce,
         pthread_barrier_destroy(&T.barrier));
  THREAD("sem_wait", kSemaphore, kWaits, sem_wait(&T.semaphore));
  THREAD("sem_timedwait", kSemaphore, kWaits,
         sem_timedwait(&T.semaphore, &kNever));
  FAILS(sem_timedwait(&T.semaphore, &kWrong));
  THREAD("sem_clockwait", kSemaphore, kWaits,
         sem_clockwait(&T.semaphore, CLOCK_MONOTONIC, &kNever));
  FAILS(sem_clockwait(&T.semaphore, CLOCK_MONOTONIC, &kPast));
  THREAD("sem_trywait", kSemaphore, kAtOnce, sem_trywait(&T.semaphore));
  FAILS(sem_trywait(&T.semaphore));
  FUNCTION("sem_post", kNothing, kSafe, kAtOnce, sem_post(&T.semaphore));
  THREAD("sem_destroy", kNothing, kAtOnce, sem_destroy(&T.semaphore));
  FUNCTION("syscall", kFutex, kSafe, kWaits, wait_for_word(&T.word));
  FAILS(syscall(SYS_futex, &T.word, 100, 1, nullptr, nullptr, 0));

  THREAD("dlsym", kNothing, kAtOnce,
         dlsym(RTLD_DEFAULT, "getpid") == nullptr ? -1 : 0);
  THREAD("dlvsym", kNothing, kAtOnce,
         dlvsym(RTLD_DEFAULT, "getpid", "no such version") == nullptr ? 0 : -1);
#define JUMPS(name, jump)                  \
  FUNCTION(name, kNothing, kSafe, kAtOnce, \
           jumps([](sigjmp_buf to) { jump(to, 1); }))
  JUMPS("longjmp", plain_longjmp);
  JUMPS("_longjmp", old_longjmp);
  JUMPS("siglongjmp", plain_siglongjmp);
  JUMPS("__longjmp_chk", longjmp_chk);
  return all;
}

}  // namespace

int main(int argc, char** argv) {
  for (size_t i = 0; i < sizeof g_lines; i += 2) {
    std::memcpy(g_lines + i, "1\n", 2);
  }
  pop_region_start("contracts");
  const int file = open(file_name(), O_RDWR | O_CREAT | O_TRUNC, 0600);
  MUST(file >= 0 && write(file, "11111111\n11111111\n", 18) == 18);
  MUST(close(file) == 0 && mkfifo("contracts.fifo", 0600) == 0);
  MUST(fcntl(2, F_DUPFD, 1000) >= 0);
  for (const Function& f : functions()) {
    bool wanted = argc == 1;
    for (int i = 1; i < argc; ++i)
      wanted = wanted || f.name == std::string(argv[i]);
    if (!wanted) continue;
    std::printf("%s|", f.name);
    for (const auto of : {errors_of, cancellation_of, signals_of, handlers_of,
                          jump_of, kinds_of}) {
      std::printf("%s%s", of(f).c_str(), of == kinds_of ? "\n" : "|");
      std::fflush(stdout);
    }
  }
  pop_region_stop("contracts");
}
