// HandleTable: maps the value of an MPI handle (communicator, request, window)
// to the tool's object.  Open addressing; allocates only while it grows.  Not
// thread-safe.
#ifndef POPRT_WRAPPERS_HANDLE_TABLE_H_
#define POPRT_WRAPPERS_HANDLE_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace poprt::mpi {

// A handle is a pointer (Open MPI) or an int (MPICH).
template <class Handle>
uintptr_t key_of(Handle handle) {
  if constexpr (std::is_pointer_v<Handle>) {
    return reinterpret_cast<uintptr_t>(handle);
  } else {
    return static_cast<uint32_t>(handle);
  }
}

template <class Value>
class HandleTable {
 public:
  bool empty() const { return size_ == 0; }

  Value* find(uintptr_t key) const {
    if (size_ == 0) return nullptr;
    for (size_t i = home(key);; i = next(i)) {
      if (slots_[i].value == nullptr) return nullptr;
      if (slots_[i].key == key) return slots_[i].value;
    }
  }

  template <class Visit>
  void for_each(Visit visit) const {
    for (const Slot& slot : slots_) {
      if (slot.value != nullptr) visit(*slot.value);
    }
  }

  // Replaces the value of a known key.
  void insert(uintptr_t key, Value* value) {
    if (4 * (size_ + 1) > 3 * slots_.size()) grow();
    size_t i = home(key);
    while (slots_[i].value != nullptr && slots_[i].key != key) i = next(i);
    if (slots_[i].value == nullptr) ++size_;
    slots_[i] = {key, value};
  }

  void erase(uintptr_t key) {
    if (size_ == 0) return;
    size_t hole = home(key);
    while (slots_[hole].value != nullptr && slots_[hole].key != key) {
      hole = next(hole);
    }
    if (slots_[hole].value == nullptr) return;
    --size_;
    // Close the gap, so that no search ends there too early.
    for (size_t i = next(hole); slots_[i].value != nullptr; i = next(i)) {
      const size_t wanted = home(slots_[i].key);
      const bool between = hole < i ? hole < wanted && wanted <= i
                                    : hole < wanted || wanted <= i;
      if (between) continue;
      slots_[hole] = slots_[i];
      hole = i;
    }
    slots_[hole].value = nullptr;
  }

 private:
  struct Slot {
    uintptr_t key = 0;
    Value* value = nullptr;
  };

  size_t home(uintptr_t key) const {
    return (key * uint64_t{0x9E3779B97F4A7C15}) >> shift_;
  }
  size_t next(size_t i) const { return (i + 1) & (slots_.size() - 1); }

  void grow() {
    const std::vector<Slot> old = std::move(slots_);
    slots_.assign(old.empty() ? 64 : 2 * old.size(), Slot{});
    shift_ = 64;
    for (size_t n = slots_.size(); n > 1; n /= 2) --shift_;
    size_ = 0;
    for (const Slot& slot : old) {
      if (slot.value != nullptr) insert(slot.key, slot.value);
    }
  }

  std::vector<Slot> slots_;
  int shift_ = 64;
  size_t size_ = 0;
};

}  // namespace poprt::mpi

#endif  // POPRT_WRAPPERS_HANDLE_TABLE_H_
