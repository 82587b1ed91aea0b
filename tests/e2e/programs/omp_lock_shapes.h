/* Shapes of locks and critical sections. */
#ifndef POPRT_TESTS_E2E_OMP_LOCK_SHAPES_H_
#define POPRT_TESTS_E2E_OMP_LOCK_SHAPES_H_

#include "openmp_shapes.h"

/* For any kind of lock: the first thread holds it, the others wait. */
static void lock_shape(omp_sync_hint_t hint) {
  omp_lock_t lock;
  omp_nest_lock_t nest;
  omp_init_lock_with_hint(&lock, hint);
  omp_init_nest_lock_with_hint(&nest, hint);
#pragma omp parallel
  {
    const int n = omp_get_num_threads();
    if (omp_get_thread_num() == 0) {
      omp_set_lock(&lock);
      work(2);
      omp_unset_lock(&lock);
      work(1);
    } else {
      work(1);
      /* The lock is held, so the test fails: no wait, no edge. */
      if (omp_test_lock(&lock)) omp_unset_lock(&lock);
      omp_set_lock(&lock);
      work(2.0 / (n - 1));
      omp_unset_lock(&lock);
    }
#pragma omp barrier
    if (omp_get_thread_num() == 0) {
      while (omp_test_nest_lock(&nest) != 1) sched_yield(); /* it is free */
      work(0.5);
      CHECK(omp_test_nest_lock(&nest) == 2);
      omp_set_nest_lock(&nest);
      work(1);
      omp_unset_nest_lock(&nest);
      omp_unset_nest_lock(&nest);
      work(0.5);
      omp_unset_nest_lock(&nest);
    } else {
      work(1);
      if (omp_test_nest_lock(&nest) == 1) omp_unset_nest_lock(&nest);
      omp_set_nest_lock(&nest);
      work(1.0 / (n - 1));
      omp_unset_nest_lock(&nest);
    }
  }
  omp_destroy_lock(&lock);
  omp_destroy_nest_lock(&nest);
  barrier();
}

static void lock_kind(void) { lock_shape(omp_sync_hint_none); }
static void lock_uncontended(void) { lock_shape(omp_sync_hint_uncontended); }
static void lock_contended(void) { lock_shape(omp_sync_hint_contended); }

/* Tests the lock again and again until it succeeds. */
static void polled_lock(void) {
  omp_lock_t lock;
  omp_init_lock(&lock);
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) {
      while (!omp_test_lock(&lock)) sched_yield(); /* it is free */
      work(2.5);
      omp_unset_lock(&lock);
    } else {
      work(1);
      while (!omp_test_lock(&lock)) work(1);
      omp_unset_lock(&lock);
      work(1);
    }
  }
  omp_destroy_lock(&lock);
  barrier();
}

/* First only tests the locks; then takes the lock many times without
 * contention. */
static void spinning_lock(void) {
  omp_lock_t lock;
  omp_nest_lock_t nest;
  omp_init_lock(&lock);
  omp_init_nest_lock(&nest);
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) {
      omp_set_lock(&lock);
      omp_set_nest_lock(&nest);
    }
#pragma omp barrier
    if (omp_get_thread_num() == 0) {
      work(2);
      omp_unset_lock(&lock);
      work(2);
      omp_unset_nest_lock(&nest);
    } else {
      while (!omp_test_lock(&lock))
        ;
      omp_unset_lock(&lock);
      while (!omp_test_nest_lock(&nest))
        ;
      omp_unset_nest_lock(&nest);
      for (int i = 0; i < 1000; ++i) {
        omp_set_lock(&lock);
        omp_unset_lock(&lock);
      }
      work(1);
      /* The lock belongs to this thread by now; the other thread waits for
       * it. */
      omp_set_lock(&lock);
    }
#pragma omp barrier
    if (omp_get_thread_num() == 0) {
      omp_set_lock(&lock);
      work(1);
      omp_unset_lock(&lock);
    } else {
      work(2);
      omp_unset_lock(&lock);
    }
  }
  omp_destroy_lock(&lock);
  omp_destroy_nest_lock(&nest);
  barrier();
}

static void hinted_critical(void) {
#pragma omp parallel
  {
    const double share = 4.0 / omp_get_num_threads();
    work(1);
#pragma omp critical(contended) hint(omp_sync_hint_contended)
    work(share);
#pragma omp critical(uncontended) hint(omp_sync_hint_uncontended)
    sum += 1;
  }
  barrier();
}

#endif /* POPRT_TESTS_E2E_OMP_LOCK_SHAPES_H_ */
