#include "mark.h"

__attribute__((noinline)) static void hidden_in_library(void) {
  MARK("hidden_in_library", "");
}

void library_work(void) {
  MARK("library_work", "library_work");
  hidden_in_library();
}
