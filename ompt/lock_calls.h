// Whether the program's lock calls go through the entries of this library.
// Then the runtime's events for locks are ignored.
#ifndef POPRT_OMPT_LOCK_CALLS_H_
#define POPRT_OMPT_LOCK_CALLS_H_

namespace poprt::ompt {

bool locks_come_here();

}  // namespace poprt::ompt

#endif  // POPRT_OMPT_LOCK_CALLS_H_
