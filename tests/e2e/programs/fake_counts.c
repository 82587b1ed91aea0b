// Counts of the calling thread, for programs that report what they have
// "executed", and for the stand-in of PAPI that reads them (fake_papi.c).
#include "fake_counts.h"

static _Thread_local long long t_count;

void count(long long events) { t_count += events; }
long long counted(void) { return t_count; }
