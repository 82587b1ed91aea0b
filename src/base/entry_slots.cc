#include "base/entry_slots.h"

#include <dlfcn.h>
#include <elf.h>
#include <gnu/libc-version.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <string_view>
#include <utility>

// Of the loader.
extern "C" void* __tls_get_addr(void*);

namespace poprt {
namespace {

#if defined(__x86_64__)
constexpr uint32_t kJumpSlot = R_X86_64_JUMP_SLOT;
constexpr uint32_t kAddressSlot = R_X86_64_GLOB_DAT;
#elif defined(__aarch64__)
constexpr uint32_t kJumpSlot = R_AARCH64_JUMP_SLOT;
constexpr uint32_t kAddressSlot = R_AARCH64_GLOB_DAT;
#else
#error "which relocations fill slots on this processor?"
#endif

// What an object says of itself to the loader.
struct Object {
  uintptr_t base = 0;
  uintptr_t begin = ~uintptr_t{0};  // of its segments
  uintptr_t end = 0;
  // Pages that the loader has made read-only.
  uintptr_t closed_begin = 0;
  uintptr_t closed_end = 0;
  const ElfW(Dyn) * dynamic = nullptr;
  const char* path = nullptr;

  bool contains(uintptr_t address) const {
    return begin <= address && address < end;
  }
};

Object object_of(const dl_phdr_info& info) {
  Object object;
  object.base = info.dlpi_addr;
  object.path = info.dlpi_name;
  const auto page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = info.dlpi_phdr[i];
    const uintptr_t begin = info.dlpi_addr + header.p_vaddr;
    const uintptr_t end = begin + header.p_memsz;
    if (header.p_type == PT_LOAD) {
      object.begin = std::min(object.begin, begin);
      object.end = std::max(object.end, end);
    } else if (header.p_type == PT_DYNAMIC) {
      object.dynamic = reinterpret_cast<const ElfW(Dyn)*>(begin);
    } else if (header.p_type == PT_GNU_RELRO) {
      object.closed_begin = begin / page * page;
      object.closed_end = end / page * page;
    }
  }
  return object;
}

// The tables in which the loader looks for symbols and slots.
struct Tables {
  const ElfW(Sym) * symbols = nullptr;
  const char* names = nullptr;
  const ElfW(Rela) * slots[2] = {};
  size_t sizes[2] = {};
  std::vector<size_t> needed;  // where their names are
  size_t own_name = 0;         // 0: it has none
};

Tables tables_of(const Object& object) {
  Tables tables;
  for (const ElfW(Dyn)* d = object.dynamic; d->d_tag != DT_NULL; ++d) {
    // The loader has added the base, except in objects without a file.
    uintptr_t address = d->d_un.d_ptr;
    if (address < object.base) address += object.base;
    switch (d->d_tag) {
      case DT_SYMTAB:
        tables.symbols = reinterpret_cast<const ElfW(Sym)*>(address);
        break;
      case DT_STRTAB:
        tables.names = reinterpret_cast<const char*>(address);
        break;
      case DT_JMPREL:
        tables.slots[0] = reinterpret_cast<const ElfW(Rela)*>(address);
        break;
      case DT_PLTRELSZ:
        tables.sizes[0] = d->d_un.d_val;
        break;
      case DT_RELA:
        tables.slots[1] = reinterpret_cast<const ElfW(Rela)*>(address);
        break;
      case DT_RELASZ:
        tables.sizes[1] = d->d_un.d_val;
        break;
      case DT_NEEDED:
        tables.needed.push_back(d->d_un.d_val);
        break;
      case DT_SONAME:
        tables.own_name = d->d_un.d_val;
        break;
      default:
        break;
    }
  }
  return tables;
}

constexpr auto kIsBefore = [](const char* one, const char* other) {
  return std::strcmp(one, other) < 0;
};

// Threads with little stack come here, too little for std::sort().
std::vector<Entry> sorted(const std::vector<Entry>& entries) {
  std::vector<Entry> by_name;
  for (const Entry& each : entries) {
    const auto place =
        std::ranges::upper_bound(by_name, each.name, kIsBefore, &Entry::name);
    by_name.insert(place, each);
  }
  return by_name;
}

// REQUIRES: they are sorted.
const Entry* entry_named(const char* name, const std::vector<Entry>& entries) {
  const auto found =
      std::ranges::lower_bound(entries, name, kIsBefore, &Entry::name);
  return found == entries.end() || kIsBefore(name, found->name) ? nullptr
                                                                : &*found;
}

// Whether the slot leads to the function: it may not be filled in yet.  An
// object may have a function of this name from elsewhere (RTLD_DEEPBIND).
bool leads_to(const Entry& entry, uintptr_t target, const Object& object) {
  return *entry.function != nullptr &&
         (target == reinterpret_cast<uintptr_t>(*entry.function) ||
          object.contains(target));
}

std::vector<EntrySlot> slots_in(const Object& object,
                                const std::vector<Entry>& entries) {
  std::vector<EntrySlot> found;
  const Tables tables = tables_of(object);
  if (tables.symbols == nullptr || tables.names == nullptr) return found;
  for (int i = 0; i < 2; ++i) {
    if (tables.slots[i] == nullptr) continue;
    const size_t count = tables.sizes[i] / sizeof(ElfW(Rela));
    for (size_t k = 0; k < count; ++k) {
      const ElfW(Rela)& slot = tables.slots[i][k];
      const auto type = static_cast<uint32_t>(ELF64_R_TYPE(slot.r_info));
      if (type != kJumpSlot && type != kAddressSlot) continue;
      const ElfW(Sym)& symbol = tables.symbols[ELF64_R_SYM(slot.r_info)];
      if (symbol.st_shndx != SHN_UNDEF) continue;
      if (const Entry* const entry =
              entry_named(tables.names + symbol.st_name, entries)) {
        found.push_back({reinterpret_cast<std::atomic<uintptr_t>*>(
                             object.base + slot.r_offset),
                         entry});
      }
    }
  }
  return found;
}

// Where slots lead may change between two calls: the loader fills in those of
// an object while that is in the list already, and some at the first call.
bool change(const Object& object, const std::vector<EntrySlot>& slots) {
  std::vector<EntrySlot> changes;
  std::ranges::copy_if(
      slots, std::back_inserter(changes), [&](const EntrySlot& slot) {
        return leads_to(*slot.entry, slot.place->load(), object);
      });
  if (changes.empty()) return true;
  const bool is_closed = std::ranges::any_of(changes, [&](const EntrySlot& it) {
    const auto place = reinterpret_cast<uintptr_t>(it.place);
    return object.closed_begin <= place && place < object.closed_end;
  });
  void* const closed = reinterpret_cast<void*>(object.closed_begin);
  const size_t size = object.closed_end - object.closed_begin;
  if (is_closed && mprotect(closed, size, PROT_READ | PROT_WRITE) != 0) {
    return false;
  }
  // They stay writable: the loader may be at work on these pages, in another
  // thread.
  for (const EntrySlot& each : changes) {
    each.place->store(reinterpret_cast<uintptr_t>(each.entry->measured));
  }
  return true;
}

// The C library and the loader: their own calls are inside of those that count.
bool is_never_changed(const Object& object) {
  const auto has = [&](auto* function) {
    return object.contains(reinterpret_cast<uintptr_t>(function));
  };
  return has(&object_of) || has(&gnu_get_libc_version) || has(&__tls_get_addr);
}

LoadedObject described(const Object& object) {
  const Tables tables = tables_of(object);
  LoadedObject described;
  described.begin = object.begin;
  described.end = object.end;
  if (tables.names != nullptr) {
    for (const size_t name : tables.needed) {
      described.needed.emplace_back(tables.names + name);
    }
    if (tables.own_name != 0) described.name = tables.names + tables.own_name;
  }
  if (described.name.empty() && object.path != nullptr) {
    const std::string_view path = object.path;
    described.name = path.substr(path.rfind('/') + 1);
  }
  return described;
}

int add_object(dl_phdr_info* info, size_t, void* objects) {
  const Object object = object_of(*info);
  if (object.dynamic != nullptr) {
    static_cast<std::vector<Object>*>(objects)->push_back(object);
  }
  return 0;
}

// Calls `work` with all objects; none is loaded or unloaded meanwhile.
template <class Work>
void with_objects(Work work) {
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* argument) {
        std::vector<Object> objects;
        dl_iterate_phdr(add_object, &objects);
        (*static_cast<Work*>(argument))(objects, *info);
        return 1;
      },
      &work);
}

int count_objects(dl_phdr_info* info, size_t, void* argument) {
  *static_cast<unsigned long long*>(argument) = info->dlpi_adds;
  return 1;
}

}  // namespace

EntrySlots::EntrySlots(const std::vector<Entry>& entries, LeftOut* left_out)
    : entries_(sorted(entries)), left_out_(left_out) {
  for (const Entry& entry : entries_) {
    *entry.function = dlsym(RTLD_NEXT, entry.name);
  }
}

EntrySlots::Filled EntrySlots::fill() {
  Filled filled;
  with_objects(
      [&](const std::vector<Object>& objects, const dl_phdr_info& loader) {
        objects_seen_.store(loader.dlpi_adds, std::memory_order_relaxed);
        std::vector<LoadedAt> places;
        for (const Object& each : objects) {
          places.push_back({each.base, each.dynamic});
        }
        const std::vector<size_t> numbers =
            numbers_before(places_, places, loader.dlpi_subs - unloaded_);
        places_ = std::move(places);
        unloaded_ = loader.dlpi_subs;
        take_along(numbers, &slots_);
        std::vector<bool> left_out(objects.size());
        if (left_out_ != nullptr) {
          take_along(numbers, &described_);
          for (size_t i = 0; i < objects.size(); ++i) {
            if (numbers[i] == kNewObject) described_[i] = described(objects[i]);
          }
          left_out = left_out_(described_);
        }
        for (size_t i = 0; i < objects.size(); ++i) {
          const Object& object = objects[i];
          if (left_out[i] || is_never_changed(object)) continue;
          if (!slots_[i]) {
            slots_[i] = slots_in(object, entries_);
            ++filled.searched;
          }
          if (!change(object, *slots_[i])) ++filled.refused;
        }
      });
  return filled;
}

bool EntrySlots::has_new_objects() const {
  unsigned long long objects = 0;
  dl_iterate_phdr(count_objects, &objects);
  return objects != objects_seen_.load(std::memory_order_relaxed);
}

}  // namespace poprt
