// A program that brings an OpenMP tool of its own (-DTOOL, as part of it or as
// a library), and one that uses OpenMP (-DPROGRAM).  The tool counts the code
// addresses that it is told, and those that are in poprt's library.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <omp-tools.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#ifdef TOOL
static atomic_int told, poprts;

static void look(const void* code) {
  Dl_info info;
  if (code == NULL) return;
  ++told;
  if (dladdr(code, &info) != 0 && strstr(info.dli_fname, "/libpoprt") != NULL) {
    ++poprts;
  }
}

static void on_task(ompt_data_t* parent, const ompt_frame_t* frame,
                    ompt_data_t* task, int flags, int has_dependences,
                    const void* code) {
  (void)parent, (void)frame, (void)task, (void)flags, (void)has_dependences;
  look(code);
}

static void on_work(ompt_work_t kind, ompt_scope_endpoint_t endpoint,
                    ompt_data_t* parallel, ompt_data_t* task, uint64_t count,
                    const void* code) {
  (void)kind, (void)endpoint, (void)parallel, (void)task, (void)count;
  look(code);
}

static void on_sync(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
                    ompt_data_t* parallel, ompt_data_t* task,
                    const void* code) {
  (void)kind, (void)endpoint, (void)parallel, (void)task;
  look(code);
}

static int initialize(ompt_function_lookup_t lookup, int device,
                      ompt_data_t* data) {
  (void)device, (void)data;
  const ompt_set_callback_t set =
      (ompt_set_callback_t)lookup("ompt_set_callback");
  set(ompt_callback_task_create, (ompt_callback_t)on_task);
  set(ompt_callback_work, (ompt_callback_t)on_work);
  set(ompt_callback_sync_region, (ompt_callback_t)on_sync);
  return 1;
}

static void finalize(ompt_data_t* data) {
  (void)data;
  printf("tool: %s, %d of poprt's\n", told > 0 ? "told" : "told nothing",
         poprts);
}

ompt_start_tool_result_t* ompt_start_tool(unsigned version,
                                          const char* runtime) {
  (void)version, (void)runtime;
  static ompt_start_tool_result_t tool = {initialize, finalize, {0}};
  return &tool;
}
#endif

#ifdef PROGRAM
static atomic_int done;

int main(void) {
#pragma omp parallel num_threads(2)
  {
#pragma omp single
    {
      int x = 0;
      for (int i = 0; i < 10; ++i) {
#pragma omp task
        ++done;
#pragma omp task depend(inout : x)
        ++done;
#pragma omp task untied
        {
#pragma omp taskyield
          ++done;
        }
      }
#pragma omp taskwait depend(in : x)
#pragma omp taskloop
      for (int i = 0; i < 10; ++i) ++done;
    }
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 10; ++i) ++done;
#pragma omp for ordered(1)
    for (int i = 0; i < 10; ++i) {
#pragma omp ordered depend(sink : i - 1)
      ++done;
#pragma omp ordered depend(source)
    }
  }
  printf("done %d\n", done);
  return 0;
}
#endif
