/* A library that is preloaded where there are more ranks than cores: MPICH's
 * waiting ranks do not yield, but call this function of UCX in each poll. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sched.h>
#include <stdlib.h>

unsigned ucp_worker_progress(void* worker) {
  static unsigned (*progress)(void*);
  if (progress == NULL) {
    *(void**)&progress = dlsym(RTLD_NEXT, "ucp_worker_progress");
    if (progress == NULL) abort();
  }
  const unsigned events = progress(worker);
  if (events == 0) sched_yield();
  return events;
}
