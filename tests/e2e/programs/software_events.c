// Preloaded in front of PAPI on a machine whose processor shows no counters:
// each event of a processor that is opened becomes one of the kernel's software
// events, which a program can know of itself.
//
//   cycles        CPU time of the thread in ns
//   instructions  page faults of the thread
//   others        context switches
//
// LIBPFM_FORCE_PMU=skx makes PAPI believe that there is such a processor.  It
// has kCounters counters: a group of events must fit into them.
#include <dlfcn.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdarg.h>
#include <string.h>
#include <sys/syscall.h>

// Events of Skylake processors; the umask is in the second byte.
enum { kCycles = 0x3c, kInstructions = 0xc0 };

enum { kCounters = 4, kFiles = 1024 };

// How many events the group of this file has.
static int g_events[kFiles];

static unsigned long long software_event(const struct perf_event_attr* of) {
  const int is_generic = of->type == PERF_TYPE_HARDWARE;
  const unsigned long long event = of->config & 0xff;
  if (event == (is_generic ? PERF_COUNT_HW_CPU_CYCLES : kCycles)) {
    return PERF_COUNT_SW_TASK_CLOCK;
  }
  if (event == (is_generic ? PERF_COUNT_HW_INSTRUCTIONS : kInstructions)) {
    return PERF_COUNT_SW_PAGE_FAULTS;
  }
  return PERF_COUNT_SW_CONTEXT_SWITCHES;
}

static long next_syscall(long number, const long* words) {
  long (*const next)(long, ...) =
      (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
  return next(number, words[0], words[1], words[2], words[3], words[4],
              words[5]);
}

long syscall(long number, ...) {
  long words[6];
  va_list list;
  va_start(list, number);
  for (int i = 0; i < 6; ++i) words[i] = va_arg(list, long);
  va_end(list);
  struct perf_event_attr event = {0};
  if (number == SYS_perf_event_open) {
    const struct perf_event_attr* const wanted = (void*)words[0];
    if (wanted->type == PERF_TYPE_SOFTWARE) return next_syscall(number, words);
    // PAPI leaves the size at 0, which means that of the first version.
    size_t size = wanted->size == 0 ? PERF_ATTR_SIZE_VER0 : wanted->size;
    if (size > sizeof event) size = sizeof event;
    memcpy(&event, wanted, size);
    event.size = 0;
    event.config = software_event(wanted);
    event.type = PERF_TYPE_SOFTWARE;
    words[0] = (long)&event;
  }
  const int group = (int)words[3];
  const int joins = number == SYS_perf_event_open && group >= 0;
  if (joins && group < kFiles && g_events[group] == kCounters) {
    errno = EINVAL;  // as the kernel says it
    return -1;
  }
  const long result = next_syscall(number, words);
  if (number == SYS_perf_event_open && result >= 0) {
    const long leader = joins ? group : result;
    if (leader < kFiles) g_events[leader] = joins ? g_events[leader] + 1 : 1;
  }
  return result;
}
