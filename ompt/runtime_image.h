// Tells the OpenMP runtime's code from the program's.  Set once, before any
// callback.
#ifndef POPRT_OMPT_RUNTIME_IMAGE_H_
#define POPRT_OMPT_RUNTIME_IMAGE_H_

namespace poprt::ompt {

// `address` is any address in the code of the runtime.
void set_runtime_image(const void* address);

// Whether `address` is in the runtime's library.  Always false where the
// runtime is linked into the program itself.
bool in_runtime_image(const void* address);

}  // namespace poprt::ompt

#endif  // POPRT_OMPT_RUNTIME_IMAGE_H_
