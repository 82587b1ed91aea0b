/* The page that a job's processes (virtual_clock.c) share with the keeper of
 * their time (clock_keeper.c). */
#ifndef POPRT_TESTS_E2E_VIRTUAL_CLOCK_H_
#define POPRT_TESTS_E2E_VIRTUAL_CLOCK_H_

#define CLOCK_FILE "TEST_CLOCK" /* the variable with the page's path */

/* All words are read and written by these, and begin as 0. */
#define LOAD(word) __atomic_load_n(&(word), __ATOMIC_SEQ_CST)
#define STORE(word, value) __atomic_store_n(&(word), value, __ATOMIC_SEQ_CST)

struct clock_thread {
  int id;        /* of the kernel; 0: unused */
  int is_asleep; /* works until this time; the word that it waits on */
  long long until_ns;
  unsigned looks;  /* how often it has polled in vain */
  int is_resting;  /* sleeps for a moment between two of them */
  int has_stopped; /* between two of them, as it was told */
  /* Its own: how often it has asked for this time. */
  int asked;
  long long asked_at_ns;
};

struct clock_page {
  long long now_ns;
  unsigned signs;  /* how much has happened, apart from waiting */
  int is_stopping; /* threads that poll are to stop; the word that they wait on
                    */
  int forking;     /* processes that are being made; the time stands still */
  int processes_used;
  int threads_used;
  int processes[1024]; /* 0: not written yet */
  struct clock_thread threads[8192];
};

#endif /* POPRT_TESTS_E2E_VIRTUAL_CLOCK_H_ */
