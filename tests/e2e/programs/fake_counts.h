#ifndef POPRT_TESTS_FAKE_COUNTS_H_
#define POPRT_TESTS_FAKE_COUNTS_H_

// Adds this many executed instructions to the count of the calling thread.
void count(long long events);
// The sum for the calling thread.
long long counted(void);

#endif  // POPRT_TESTS_FAKE_COUNTS_H_
