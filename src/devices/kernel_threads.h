// Threads that execute kernels together with the one that has launched them.
//
// A device may be the host itself.  The code of a kernel then runs in this
// process, on the thread that waits for it, and may use OpenMP: its teams take
// threads that the program's teams have as well.  What these do there is the
// device's: no event of theirs counts, and their cores are as idle as they were
// before.  So while such a thread is in a task of a kernel, a Thread of no core
// stands for it, which is in the state accelerator for good.
#ifndef POPRT_DEVICES_KERNEL_THREADS_H_
#define POPRT_DEVICES_KERNEL_THREADS_H_

#include "measure/thread.h"

namespace poprt {

// The calling thread begins an implicit task of a kernel's team.  Nothing
// happens on the thread that has launched the kernel.
void kernel_task_begin();
// `thread`, which stands for the calling thread or has launched the kernel,
// ends such a task.  REQUIRES: runs_kernel(thread).
void kernel_task_end(Thread& thread);

}  // namespace poprt

#endif  // POPRT_DEVICES_KERNEL_THREADS_H_
