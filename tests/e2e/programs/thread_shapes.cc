// The shapes of thread_shapes.c, and those of std::thread.
#include "thread_shapes.c"
