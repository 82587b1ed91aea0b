/* A ring of messages, completed in many orders. */
#ifndef POPRT_TESTS_E2E_MPI_RING_SHAPES_H_
#define POPRT_TESTS_E2E_MPI_RING_SHAPES_H_

#include "mpi_shapes.h"

enum completion {
  WAIT,
  WAITALL,
  WAITANY,
  WAITSOME,
  TEST,
  TESTALL,
  TESTANY,
  TESTSOME
};

/* Two messages go right and one goes left; the receives are posted in another
 * order than the messages are sent.  Heavy and light ranks alternate. */
static void ring(enum completion completion) {
  for (int phase = 0; phase < 4; ++phase) {
    int in[3] = {-1, -1, -1};
    int done = 0;
    MPI_Request requests[6];
    MPI_Status statuses[6];
    MPI_Irecv(&in[0], 1, MPI_INT, left, 5, MPI_COMM_WORLD, &requests[2]);
    MPI_Irecv(&in[1], 1, MPI_INT, left, 7, MPI_COMM_WORLD, &requests[1]);
    MPI_Irecv(&in[2], 1, MPI_INT, right, 3, MPI_COMM_WORLD, &requests[0]);
    work((rank + phase) % 2 == 0 ? 2 : 1);
    const int out[3] = {10 * rank + 7, 10 * rank + 5, 10 * rank + 3};
    MPI_Isend(&out[0], 1, MPI_INT, right, 7, MPI_COMM_WORLD, &requests[3]);
    MPI_Isend(&out[1], 1, MPI_INT, right, 5, MPI_COMM_WORLD, &requests[4]);
    MPI_Isend(&out[2], 1, MPI_INT, left, 3, MPI_COMM_WORLD, &requests[5]);
    int indices[6];
    /* Wait before a Test: a message that has been sent may need more than one
     * Test, and polling for long would count as useful between the calls. */
    if (completion >= TEST) {
      MPI_Wait(&requests[0], &statuses[0]);
      MPI_Wait(&requests[1], &statuses[1]);
    }
    switch (completion) {
      case WAIT:
        for (int i = 0; i < 6; ++i) MPI_Wait(&requests[i], &statuses[i]);
        break;
      case WAITALL:
        MPI_Waitall(6, requests, statuses);
        break;
      case WAITANY:
        for (;;) {
          int index;
          MPI_Waitany(6, requests, &index, statuses);
          if (index == MPI_UNDEFINED) break;
        }
        break;
      case WAITSOME:
        while (done < 6) {
          int count;
          MPI_Waitsome(6, requests, &count, indices, statuses);
          CHECK(count > 0);
          done += count;
        }
        break;
      case TEST:
        for (int i = 5; i >= 2; --i) {
          while (!done) MPI_Test(&requests[i], &done, MPI_STATUS_IGNORE);
          done = 0;
        }
        break;
      case TESTALL:
        while (!done) MPI_Testall(4, requests + 2, &done, MPI_STATUSES_IGNORE);
        break;
      case TESTANY:
        for (int i = 0; i < 4; ++i) {
          int index;
          done = 0;
          while (!done)
            MPI_Testany(4, requests + 2, &index, &done, MPI_STATUS_IGNORE);
          CHECK(index != MPI_UNDEFINED);
        }
        break;
      case TESTSOME:
        while (done < 4) {
          int count;
          MPI_Testsome(4, requests + 2, &count, indices, statuses);
          CHECK(count != MPI_UNDEFINED);
          done += count;
        }
        break;
    }
    CHECK(in[0] == 10 * left + 5 && in[1] == 10 * left + 7 &&
          in[2] == 10 * right + 3);
    for (int i = 0; i < 6; ++i) CHECK(requests[i] == MPI_REQUEST_NULL);
    sum += in[0] + in[1] + in[2];
  }
}

static void ring_wait(void) { ring(WAIT); }
static void ring_waitall(void) { ring(WAITALL); }
static void ring_waitany(void) { ring(WAITANY); }
static void ring_waitsome(void) { ring(WAITSOME); }
static void ring_test(void) { ring(TEST); }
static void ring_testall(void) { ring(TESTALL); }
static void ring_testany(void) { ring(TESTANY); }
static void ring_testsome(void) { ring(TESTSOME); }

#endif /* POPRT_TESTS_E2E_MPI_RING_SHAPES_H_ */
