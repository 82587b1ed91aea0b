// A stand-in for libpapi with known counts: PAPI_TOT_INS is what the program
// has counted (fake_counts.h), PAPI_TOT_CYC twice that, and so on in the order
// of kNames.  No other event exists.
//
// FAKE_PAPI says in words what is wrong with it:
//   old       its version is 5.7
//   two       the processor has two counters
//   six       it has six
//   wrap      counters begin shortly before the end of 48 bits
//   back      counters go back by 10^6 at the fifth reading of a thread
//   dead      PAPI_TOT_CYC stands still
//   unread    no counter can be read
//   alone     counters take no turns
#include <papi.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "fake_counts.h"

enum { kMostSets = 4096, kMostEvents = 16 };
static const char* const kNames[] = {
    "PAPI_TOT_INS", "PAPI_TOT_CYC", "PAPI_FP_OPS", "FP:S",
    "FP:S128",      "FP:S256",      "FP:S512",     "FP:D",
    "FP:D128",      "FP:D256",      "FP:D512"};
enum { kEvents = sizeof kNames / sizeof *kNames };

struct Set {
  int count;
  int events[kMostEvents];
  int readings;
};
static struct Set g_sets[kMostSets];
static int g_used;

static int is(const char* word) {
  const char* const words = getenv("FAKE_PAPI");
  return words != NULL && strstr(words, word) != NULL;
}

int PAPI_library_init(int version) {
  (void)version;
  return is("old") ? PAPI_VERSION_NUMBER(5, 7, 0, 0) : PAPI_VER_CURRENT;
}
int PAPI_thread_init(unsigned long (*own)(void)) {
  (void)own;
  return PAPI_OK;
}
int PAPI_register_thread(void) { return PAPI_OK; }
int PAPI_unregister_thread(void) { return PAPI_OK; }
int PAPI_multiplex_init(void) { return is("alone") ? PAPI_ECMP : PAPI_OK; }
int PAPI_create_eventset(int* set) {
  *set = __atomic_fetch_add(&g_used, 1, __ATOMIC_RELAXED);
  return *set < kMostSets ? PAPI_OK : PAPI_ENOMEM;
}
int PAPI_assign_eventset_component(int set, int component) {
  (void)set, (void)component;
  return PAPI_OK;
}
int PAPI_get_event_component(int event) {
  (void)event;
  return 0;
}
int PAPI_set_multiplex(int set) {
  (void)set;
  return PAPI_OK;
}
int PAPI_event_name_to_code(const char* name, int* code) {
  for (int i = 0; i < kEvents; ++i) {
    *code = i;
    if (strcmp(name, kNames[i]) == 0) return PAPI_OK;
  }
  return PAPI_ENOEVNT;
}
int PAPI_add_event(int set, int event) {
  struct Set* const s = &g_sets[set];
  const int most = is("two") ? 2 : is("six") ? 6 : kMostEvents;
  if (s->count == most) return PAPI_ECNFLCT;
  s->events[s->count++] = event;
  return PAPI_OK;
}
// As where the real one asks the kernel.
static void cancellation_point(void) { pthread_testcancel(); }
int PAPI_start(int set) {
  cancellation_point();
  (void)set;
  return PAPI_OK;
}
int PAPI_read(int set, long long* values) {
  cancellation_point();
  struct Set* const s = &g_sets[set];
  const long long range = 1LL << 48;
  if (is("unread")) return PAPI_ESYS;
  ++s->readings;
  for (int i = 0; i < s->count; ++i) {
    values[i] = counted() * (s->events[i] + 1);
    if (is("dead") && s->events[i] == 1) values[i] = 0;
    if (is("wrap")) values[i] = (values[i] + range - 1100) % range;
    if (is("back") && s->readings >= 5) values[i] -= 1000000;
  }
  return PAPI_OK;
}
int PAPI_stop(int set, long long* values) { return PAPI_read(set, values); }
int PAPI_cleanup_eventset(int set) {
  (void)set;
  return PAPI_OK;
}
int PAPI_destroy_eventset(int* set) {
  *set = PAPI_NULL;
  return PAPI_OK;
}
char* PAPI_strerror(int status) {
  return status == PAPI_ENOEVNT ? "Event does not exist" : "An error";
}
int PAPI_num_components(void) { return 0; }
const PAPI_component_info_t* PAPI_get_component_info(int component) {
  (void)component;
  return NULL;
}
