#ifndef POPRT_TESTS_FAKE_COUNTS_H_
#define POPRT_TESTS_FAKE_COUNTS_H_

// The calling thread has executed so many instructions.
void count(long long events);
// How many in all.
long long counted(void);

#endif  // POPRT_TESTS_FAKE_COUNTS_H_
