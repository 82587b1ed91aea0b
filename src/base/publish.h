// Objects that are made once, when they are first asked for.
#ifndef POPRT_BASE_PUBLISH_H_
#define POPRT_BASE_PUBLISH_H_

#include <atomic>

namespace poprt {

// Puts `made` at an empty place and returns what is there. If another thread
// was first, or a signal handler that interrupted this one, `made` is deleted.
// A static object of a function would not do: its lock would be taken twice.
template <class T>
T& publish(std::atomic<T*>& place, T* made) {
  T* known = nullptr;
  if (place.compare_exchange_strong(known, made)) return *made;
  delete made;
  return *known;
}

}  // namespace poprt

#endif  // POPRT_BASE_PUBLISH_H_
