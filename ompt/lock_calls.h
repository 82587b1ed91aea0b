// Whether the calls that take and free locks come to this library's entries:
// then the runtime's events of them say nothing new.
#ifndef POPRT_OMPT_LOCK_CALLS_H_
#define POPRT_OMPT_LOCK_CALLS_H_

namespace poprt::ompt {

bool locks_come_here();

}  // namespace poprt::ompt

#endif  // POPRT_OMPT_LOCK_CALLS_H_
