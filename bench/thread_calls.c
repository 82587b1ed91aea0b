/* Times calls of thread functions that do not wait: what a program pays whose
 * own threads are measured (POPRT_THREADS=all). A single thread calls them;
 * another one has been there before. */
#include <pthread.h>
#include <semaphore.h>

#include "timing.h"

static void* nothing(void* argument) { return argument; }

static void create_and_join(void) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, nothing, NULL) == 0) {
    pthread_join(thread, NULL);
  }
}

static void use_new_mutex(void) {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  pthread_mutex_destroy(&mutex);
}

#define TIME(name, count, operation) \
  BENCH_ALL(                         \
      1, name, count, , for (int i = 0; i < (count); ++i) { operation; })

int main(int argc, char** argv) {
  const int divisor = bench_divisor(argc, argv);
  const int count = 1000000 / divisor + 1;
  const int threads = 1000 / divisor + 1;
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
  static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
  sem_t semaphore;
  sem_init(&semaphore, 0, 1);
  create_and_join();
  TIME("mutex: lock, unlock", count,
       (pthread_mutex_lock(&mutex), pthread_mutex_unlock(&mutex)));
  TIME("rwlock: rdlock, unlock", count,
       (pthread_rwlock_rdlock(&rwlock), pthread_rwlock_unlock(&rwlock)));
  TIME("rwlock: wrlock, unlock", count,
       (pthread_rwlock_wrlock(&rwlock), pthread_rwlock_unlock(&rwlock)));
  TIME("condition: signal without a waiter", count,
       pthread_cond_signal(&condition));
  TIME("semaphore: wait, post", count,
       (sem_wait(&semaphore), sem_post(&semaphore)));
  TIME("mutex: init, lock, unlock, destroy", count, use_new_mutex());
  TIME("create, join", threads, create_and_join());
  sem_destroy(&semaphore);
  return 0;
}
