// What threads may do beside working: end in all ways, fail to be created, call
// thread functions in a signal handler.  Prints what it sees.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static sem_t semaphore;

static void must(int failed) {
  if (failed) abort();
}

static void rest(long ms) {
  struct timespec left = {0, ms * 1000000};
  while (nanosleep(&left, &left) != 0) {
  }
}

static void unlock(void* locked) { pthread_mutex_unlock(locked); }

static void* returns(void* argument) { return argument; }
static void* waits(void* argument) {
  pthread_mutex_lock(&mutex);
  pthread_cleanup_push(unlock, &mutex);
  while (argument == NULL) pthread_cond_wait(&condition, &mutex);
  pthread_cleanup_pop(1);
  return argument;
}
static void* takes(void* argument) {
  while (argument == NULL) sem_wait(&semaphore);
  return argument;
}
static void* exits(void* argument) {
  rest(50);
  puts("the thread ends the program");
  fflush(stdout);
  exit(3);
  return argument;
}
static void* is_late(void* argument) {
  rest(100);
  puts("late");
  return argument;
}
static void* is_told(void* argument) {
  while (sem_wait(&semaphore) != 0) {
  }
  puts("late");
  return argument;
}
static void post(int number) {
  (void)number;
  sem_post(&semaphore);
}

// Half of them are joined, half are detached.
static void many(void) {
  pthread_t thread;
  for (int i = 0; i < 2000; ++i) {
    void* result = NULL;
    errno = 77;
    must(pthread_create(&thread, NULL, returns, &mutex));
    must(errno != 77);
    if (i % 2 == 0) {
      must(pthread_detach(thread));
    } else {
      must(pthread_join(thread, &result));
      must(result != &mutex);
    }
  }
  puts("many");
}

static sem_t has_begun;
static void* meets(void* argument) {
  must(sem_post(&has_begun));
  must(pthread_mutex_lock(&mutex));
  must(pthread_mutex_unlock(&mutex));
  return argument;
}
// As many as the system gives, at most `wanted`.
static void live_at_once(int wanted) {
  pthread_t* const threads = malloc(sizeof(pthread_t) * (size_t)wanted);
  pthread_attr_t little_stack;
  int begun = 0;
  must(threads == NULL || pthread_attr_init(&little_stack) ||
       pthread_attr_setstacksize(&little_stack, 64 << 10));
  must(sem_init(&has_begun, 0, 0));
  must(pthread_mutex_lock(&mutex));
  while (begun < wanted &&
         pthread_create(threads + begun, &little_stack, meets, NULL) == 0)
    ++begun;
  // On a busy machine the last ones begin long after they were created.
  for (int i = 0; i < begun; ++i) {
    while (sem_wait(&has_begun) != 0) must(errno != EINTR);
  }
  must(pthread_mutex_unlock(&mutex));
  printf("%d\n", begun);
  while (begun > 0) must(pthread_join(threads[--begun], NULL));
  free(threads);
}

static void fail(void) {
  const struct rlimit limit = {400 << 20, 400 << 20};
  pthread_t thread;
  must(setrlimit(RLIMIT_AS, &limit));
  int error = 0;
  for (int i = 0; i < 1000 && error == 0; ++i) {
    error = pthread_create(&thread, NULL, waits, NULL);
  }
  puts(strerror(error));
}

static void cancel(void) {
  pthread_t thread;
  for (int i = 0; i < 200; ++i) {
    void* result = NULL;
    must(pthread_create(&thread, NULL, i % 2 ? waits : takes, NULL));
    if (i % 3 != 0) usleep(200);
    must(pthread_cancel(thread));
    must(pthread_join(thread, &result));
    must(result != PTHREAD_CANCELED);
  }
  puts("cancelled");
}

static void in_child(void) {
  pthread_t thread, other;
  int status = 0;
  must(pthread_create(&thread, NULL, is_told, NULL));
  const pid_t child = fork();
  if (child == 0) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    must(pthread_create(&other, NULL, returns, NULL));
    must(pthread_join(other, NULL));
    exit(5);
  }
  must(waitpid(child, &status, 0) != child);
  printf("the child ends with %d\n", WEXITSTATUS(status));
  fflush(stdout);
  must(sem_post(&semaphore));
  must(pthread_join(thread, NULL));
}

static void in_handler(void) {
  const struct itimerval often = {{0, 100}, {0, 100}};
  pthread_t threads[2];
  must(signal(SIGALRM, post) == SIG_ERR);
  must(setitimer(ITIMER_REAL, &often, NULL));
  for (int i = 0; i < 2; ++i)
    must(pthread_create(&threads[i], NULL, takes, NULL));
  rest(50);
  for (int i = 0; i < 100000; ++i) {
    sem_post(&semaphore);
    sem_trywait(&semaphore);
  }
  puts("posted");
}

// What the functions return, also for wrong arguments.
static void show(int result) { printf(" %d", result); }
static void show_with_errno(int result) { printf(" %d/%d", result, errno); }
static void results(void) {
  const struct timespec past = {1, 0}, wrong = {1, -1};
  pthread_t thread;
  pthread_mutexattr_t checks;
  pthread_mutex_t checked;
  must(pthread_create(&thread, NULL, waits, NULL));
  rest(50);
  show(pthread_tryjoin_np(thread, NULL));
  show(pthread_timedjoin_np(thread, NULL, &past));
  pthread_mutexattr_init(&checks);
  pthread_mutexattr_settype(&checks, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&checked, &checks);
  show(pthread_mutex_unlock(&checked));
  show(pthread_mutex_lock(&checked));
  show(pthread_mutex_lock(&checked));
  show(pthread_mutex_trylock(&checked));
  show(pthread_mutex_timedlock(&checked, &past));
  show(pthread_mutex_unlock(&checked));
  show(pthread_mutex_timedlock(&checked, &wrong));
  show(pthread_mutex_clocklock(&checked, 99, &past));
  show(pthread_cond_timedwait(&condition, &checked, &past));
  show(pthread_mutex_destroy(&checked));
  show(pthread_rwlock_timedrdlock(&rwlock, &wrong));
  show(pthread_rwlock_wrlock(&rwlock));
  show(pthread_rwlock_tryrdlock(&rwlock));
  show(pthread_rwlock_unlock(&rwlock));
  errno = 77;
  show_with_errno(sem_trywait(&semaphore));
  errno = 77;
  show_with_errno(sem_timedwait(&semaphore, &past));
  sem_post(&semaphore);
  errno = 77;
  show_with_errno(sem_timedwait(&semaphore, &wrong));
  errno = 77;
  show_with_errno(sem_wait(&semaphore));
  puts("");
}

int main(int argc, char** argv) {
  const char* const what = argc > 1 ? argv[1] : "";
  pthread_t thread;
  must(sem_init(&semaphore, 0, 0));
  if (strcmp(what, "many") == 0) many();
  if (strcmp(what, "at_once") == 0 && argc > 2) live_at_once(atoi(argv[2]));
  if (strcmp(what, "fail") == 0) fail();
  if (strcmp(what, "cancel") == 0) cancel();
  if (strcmp(what, "child") == 0) in_child();
  if (strcmp(what, "handler") == 0) in_handler();
  if (strcmp(what, "results") == 0) results();
  if (strcmp(what, "exit") == 0) {
    must(pthread_create(&thread, NULL, exits, NULL));
    for (;;) pause();
  }
  if (strcmp(what, "main_ends") == 0) {
    must(pthread_create(&thread, NULL, is_late, NULL));
    pthread_exit(NULL);
  }
  return 0;
}
