// Threads of the program's own, whose work is sleeping: 100 ms are one piece.
//
//   thread_shapes SHAPE [LIBRARY]
#ifdef __cplusplus
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>
#endif
#include <dlfcn.h>
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>
#ifdef WITH_MPI
#include <mpi.h>
#endif

enum { kThreads = 3 };

static void work(long pieces) {
  struct timespec left = {pieces / 10, pieces % 10 * 100000000};
  while (nanosleep(&left, &left) != 0) {
  }
}

static void must(int failed) {
  if (failed) {
    perror("thread_shapes");
    abort();
  }
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t barrier;
static sem_t semaphore;
static int items;

// Pieces: 2 times the number of the thread.
static void* unequal(void* number) {
  work(2 * (long)number);
  return number;
}
static void* leaves(void* number) {
  work(2 * (long)number);
  pthread_exit(number);
}
static void* is_cancelled(void* number) {
  work(2 * (long)number);
  while (pause() != 0) {
  }
  return number;
}
// One after the other, 2 pieces each.
static void* in_turn(void* number) {
  must(pthread_mutex_lock(&mutex));
  work(2);
  must(pthread_mutex_unlock(&mutex));
  return number;
}
static void* writes(void* number) {
  must(pthread_rwlock_wrlock(&rwlock));
  work(2);
  must(pthread_rwlock_unlock(&rwlock));
  return number;
}
// Idle for 3 pieces: a wait in vain, which depends on nobody.
static void idle(void) {
  sem_t never;
  struct timespec until;
  must(sem_init(&never, 0, 0));
  must(clock_gettime(CLOCK_REALTIME, &until));
  until.tv_nsec += 300000000;
  until.tv_sec += until.tv_nsec / 1000000000;
  until.tv_nsec %= 1000000000;
  must(sem_timedwait(&never, &until) == 0 || errno != ETIMEDOUT);
  must(sem_destroy(&never));
}
// 2 pieces with locks; the second thread finds them free.
static void* finds_free(void* number) {
  if ((long)number == 2) idle();
  must(pthread_mutex_lock(&mutex));
  work(1);
  must(pthread_mutex_unlock(&mutex));
  must(pthread_rwlock_wrlock(&rwlock));
  work(1);
  must(pthread_rwlock_unlock(&rwlock));
  return number;
}
// After 2 pieces of another thread, 2 pieces.
static void* is_signalled(void* number) {
  must(pthread_mutex_lock(&mutex));
  while (items == 0) must(pthread_cond_wait(&condition, &mutex));
  must(pthread_mutex_unlock(&mutex));
  work(2);
  return number;
}
static void* is_posted(void* number) {
  must(sem_wait(&semaphore));
  work(2);
  return number;
}
static int is_posted_c11(void* number) {
  is_posted(number);
  return 7;
}
static void* is_woken(void* number) {
  while (__atomic_load_n(&items, __ATOMIC_ACQUIRE) == 0) {
    syscall(SYS_futex, &items, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
  }
  work(2);
  return number;
}
// 2 times the number, then all together 2.
static void* meets(void* number) {
  work(2 * (long)number);
  const int result = pthread_barrier_wait(&barrier);
  must(result != 0 && result != PTHREAD_BARRIER_SERIAL_THREAD);
  work(2);
  return number;
}

#ifdef WITH_MPI
// The threads of rank 1 wait for those of rank 0, then all of them work.
static void* sends(void* number) {
  int rank, tag = (int)(long)number;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    work(2 * (long)number);
    MPI_Send(&tag, 1, MPI_INT, 1, tag, MPI_COMM_WORLD);
  } else {
    MPI_Recv(&tag, 1, MPI_INT, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    work(2);
  }
  return number;
}
#endif

// A signal after 1 piece, whose handler leaves the wait of who gets it.
static sigjmp_buf out;
static void leaves_wait(int number) {
  (void)number;
  siglongjmp(out, 1);
}
static void* interrupts(void* waiter) {
  work(1);
  must(pthread_kill(*(pthread_t*)waiter, SIGUSR2));
  return NULL;
}
static void leave_a_wait(void) {
  pthread_t self = pthread_self(), thread;
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = leaves_wait;
  must(sigaction(SIGUSR2, &action, NULL));
  must(sem_init(&semaphore, 0, 0));
  must(pthread_create(&thread, NULL, interrupts, &self));
  if (sigsetjmp(out, 1) == 0) must(sem_wait(&semaphore) == 0);
  work(2);
  must(pthread_join(thread, NULL));
}

static void create_and_join(void* (*run)(void*), long count) {
  pthread_t threads[kThreads];
  for (long i = 0; i < count; ++i) {
    must(pthread_create(&threads[i], NULL, run, (void*)(i + 1)));
  }
  for (long i = 0; i < count; ++i) {
    void* result = NULL;
    if (run == is_cancelled) {
      work(i == 0 ? 7 : 0);
      must(pthread_cancel(threads[i]));
    }
    must(pthread_join(threads[i], &result));
    must(result != (run == is_cancelled ? PTHREAD_CANCELED : (void*)(i + 1)));
  }
}

static void run(const char* shape) {
  if (strcmp(shape, "unequal") == 0) {
    create_and_join(unequal, 3);
  } else if (strcmp(shape, "twice") == 0) {
    create_and_join(unequal, 3);
    create_and_join(unequal, 3);
  } else if (strcmp(shape, "exit") == 0) {
    create_and_join(leaves, 3);
  } else if (strcmp(shape, "cancel") == 0) {
    create_and_join(is_cancelled, 3);
  } else if (strcmp(shape, "mutex") == 0) {
    create_and_join(in_turn, 3);
  } else if (strcmp(shape, "rwlock") == 0) {
    create_and_join(writes, 3);
  } else if (strcmp(shape, "free") == 0) {
    create_and_join(finds_free, 2);
  } else if (strcmp(shape, "barrier") == 0) {
    must(pthread_barrier_init(&barrier, NULL, 3));
    create_and_join(meets, 3);
    must(pthread_barrier_destroy(&barrier));
  } else if (strcmp(shape, "condition") == 0) {
    pthread_t thread;
    must(pthread_create(&thread, NULL, is_signalled, NULL));
    work(2);
    must(pthread_mutex_lock(&mutex));
    items = 1;
    must(pthread_cond_signal(&condition));
    must(pthread_mutex_unlock(&mutex));
    must(pthread_join(thread, NULL));
  } else if (strcmp(shape, "semaphore") == 0) {
    pthread_t thread;
    must(sem_init(&semaphore, 0, 0));
    must(pthread_create(&thread, NULL, is_posted, NULL));
    work(2);
    must(sem_post(&semaphore));
    must(pthread_join(thread, NULL));
  } else if (strcmp(shape, "jump") == 0) {
    leave_a_wait();
    create_and_join(unequal, 1);
  } else if (strcmp(shape, "futex") == 0) {
    pthread_t thread;
    must(pthread_create(&thread, NULL, is_woken, NULL));
    work(2);
    __atomic_store_n(&items, 1, __ATOMIC_RELEASE);
    syscall(SYS_futex, &items, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
    must(pthread_join(thread, NULL));
  } else if (strcmp(shape, "c11") == 0) {
    thrd_t thread;
    int result = 0;
    must(sem_init(&semaphore, 0, 0));
    must(thrd_create(&thread, is_posted_c11, NULL) != thrd_success);
    work(2);
    must(sem_post(&semaphore));
    must(thrd_join(thread, &result) != thrd_success || result != 7);
  } else if (strcmp(shape, "beside") == 0) {  // all four work
    pthread_t threads[kThreads];
    for (long i = 0; i < 3; ++i) {
      must(pthread_create(&threads[i], NULL, unequal, (void*)2));
    }
    work(4);
    for (int i = 0; i < 3; ++i) must(pthread_join(threads[i], NULL));
  } else if (strcmp(shape, "alive") == 0) {  // they live at the end
    pthread_t thread;
    for (long i = 0; i < 3; ++i) {
      must(pthread_create(&thread, NULL, is_cancelled, (void*)2));
      must(pthread_detach(thread));
    }
    work(4);
#ifdef WITH_MPI
  } else if (strcmp(shape, "mpi") == 0) {
    create_and_join(sends, 3);
#endif
#ifdef __cplusplus
  } else if (strcmp(shape, "cxx") == 0) {  // as "condition"
    std::mutex lock;
    std::condition_variable signal;
    bool ready = false;
    std::thread thread([&] {
      std::unique_lock<std::mutex> held(lock);
      signal.wait(held, [&] { return ready; });
      held.unlock();
      work(2);
    });
    work(2);
    {
      const std::lock_guard<std::mutex> held(lock);
      ready = true;
    }
    signal.notify_one();
    thread.join();
  } else if (strcmp(shape, "cxx_unequal") == 0) {
    std::vector<std::thread> threads;
    for (long i = 1; i <= 3; ++i) threads.emplace_back([i] { work(2 * i); });
    for (std::thread& thread : threads) thread.join();
#endif
  } else {
    fprintf(stderr, "no shape %s\n", shape);
    exit(2);
  }
}

#ifdef PLUGIN
__attribute__((visibility("default"))) void run_shape(const char* shape);
void run_shape(const char* shape) { run(shape); }
#else
// The shape of a library that is loaded now.
static void run_in(const char* library, const char* shape) {
  void* const loaded = dlopen(library, RTLD_NOW);
  void (*function)(const char*);
  *(void**)&function = loaded ? dlsym(loaded, "run_shape") : NULL;
  must(function == NULL);
  function(shape);
}

int main(int argc, char** argv) {
#ifdef WITH_MPI
  int level;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
#endif
  if (argc == 2) run(argv[1]);
  if (argc == 3) run_in(argv[2], argv[1]);
#ifdef WITH_MPI
  MPI_Finalize();
#endif
  return 0;
}
#endif
