// A case of a test in a process of its own.
#ifndef POPRT_TESTS_LAYER_CHILD_CASE_H_
#define POPRT_TESTS_LAYER_CHILD_CASE_H_

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>

#include "measure/events.h"

namespace poprt::test {

// Whether the case finds nothing wrong there.
template <class Case>
bool is_right_in_child(Case it) {
  const pid_t child = fork();
  if (child == 0) {
    it();
    g_phase.store(Phase::kFinished);
    std::fflush(nullptr);
    _exit(testing::Test::HasFailure() ? 1 : 0);
  }
  int status = -1;
  waitpid(child, &status, 0);
  return status == 0;
}

}  // namespace poprt::test

#endif  // POPRT_TESTS_LAYER_CHILD_CASE_H_
