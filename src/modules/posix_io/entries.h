// The entries that stand in front of the C library's functions for files.
#ifndef POPRT_MODULES_POSIX_IO_ENTRIES_H_
#define POPRT_MODULES_POSIX_IO_ENTRIES_H_

#include <vector>

namespace poprt::modules::posix_io {

// A function of the C library, or of a library that stands in front of it.
template <class Type>
struct Function {
  void* address = nullptr;

  template <class... Arguments>
  auto operator()(Arguments... arguments) const {
    return reinterpret_cast<Type*>(address)(arguments...);
  }
};

struct Entry {
  const char* name;
  void* measured;   // has the type of the function
  void** function;  // null there: this C library does not have it
};

// open(), read(), write(), ...
std::vector<Entry> descriptor_entries();
// fopen(), fread(), fprintf(), ...
std::vector<Entry> stream_entries();

// Puts the entries in front of the functions in objects that were loaded since
// the last time.
void reach_new_objects();

template <class Type>
Entry entry(const char* name, Type* measured, Function<Type>& function) {
  return {name, reinterpret_cast<void*>(measured), &function.address};
}

}  // namespace poprt::modules::posix_io

#endif  // POPRT_MODULES_POSIX_IO_ENTRIES_H_
