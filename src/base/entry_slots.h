// Puts entries in front of functions of the C library, in the objects that are
// loaded: in the slots through which their code calls other libraries (the
// global offset table).  So nothing stands in front of a call until somebody
// asks for it, calls that the C library makes itself are not seen, and no
// symbol is taken from the program or from another preloaded library: the entry
// calls whichever function the slot would have led to.
#ifndef POPRT_BASE_ENTRY_SLOTS_H_
#define POPRT_BASE_ENTRY_SLOTS_H_

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/loaded_list.h"

namespace poprt {

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

template <class Type>
Entry entry(const char* name, Type* measured, Function<Type>& function) {
  return {name, reinterpret_cast<void*>(measured), &function.address};
}

// A name as an argument of templates.
template <size_t kSize>
struct FunctionName {
  char text[kSize];

  consteval FunctionName(const char (&name)[kSize]) {
    std::copy_n(name, kSize, text);
  }
};

// The function of that name.  Filled in by EntrySlots.
template <FunctionName kName, class Type>
inline constinit Function<Type> g_function;

// What stands in front of it: How::call(function, arguments...).
template <FunctionName kName, class Type, class How>
struct InFront;
template <FunctionName kName, class Result, class... Arguments, class How>
struct InFront<kName, Result(Arguments...), How> {
  static Result call(Arguments... arguments) {
    return How::call(g_function<kName, Result(Arguments...)>, arguments...);
  }
};
template <FunctionName kName, class Type, class How>
Entry entry() {
  return entry(kName.text, InFront<kName, Type, How>::call,
               g_function<kName, Type>);
}

// A slot for the function of that name.
struct EntrySlot {
  std::atomic<uintptr_t>* place;
  const Entry* entry;
};

// A program or library that is loaded.
struct LoadedObject {
  std::string name;                 // its SONAME, or that of its file
  std::vector<std::string> needed;  // SONAMEs of those that it is linked to
  uintptr_t begin = 0;              // of its memory
  uintptr_t end = 0;
};

class EntrySlots {
 public:
  // For each object whether it is left out.  The program itself comes first.
  using LeftOut = std::vector<bool>(const std::vector<LoadedObject>& objects);

  struct Filled {
    int searched = 0;  // objects, for slots
    int refused = 0;   // objects whose slots could not be changed
  };

  // Finds the functions that calls from a library lead to, and fills in
  // Entry::function.  Null for `left_out`: no object is left out.
  explicit EntrySlots(const std::vector<Entry>& entries,
                      LeftOut* left_out = nullptr);

  // In all objects except the C library, the loader, this library and those
  // that are left out.  Objects that were loaded later are reached by the next
  // call.  An object is searched for slots once.  Where these lead is looked at
  // in each call: the loader may fill them in later.  Thread-safe.
  Filled fill();

  // Whether objects were loaded since fill().
  bool has_new_objects() const;

 private:
  const std::vector<Entry> entries_;  // by name
  LeftOut* const left_out_;
  std::atomic<unsigned long long> objects_seen_{0};
  // Of the objects that the last fill() has found, in the loader's order.  Used
  // while the loader lets no other thread in.
  std::vector<LoadedAt> places_;
  std::vector<std::optional<std::vector<EntrySlot>>> slots_;  // once searched
  std::vector<LoadedObject> described_;  // if objects may be left out
  unsigned long long unloaded_ = 0;      // until then
};

}  // namespace poprt

#endif  // POPRT_BASE_ENTRY_SLOTS_H_
