#include "mark.h"

// An exported function, in front of the one that is not exported.
int library_begin(int x) { return x + 1; }

__attribute__((noinline)) static void hidden_in_library(void) {
  MARK("hidden_in_library", "");
}

void library_work(void) {
  MARK("library_work", "library_work");
  hidden_in_library();
}
