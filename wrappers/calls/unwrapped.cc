#include "wrappers/calls/unwrapped.h"

#include <link.h>
#include <strings.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/imports.h"
#include "base/mpi_own_files.h"
#include "wrappers/pmpi.h"

namespace poprt::mpi {
namespace {

constexpr std::string_view kWrapped[] = {
#define POPRT_MPI_FUNCTION(name) "MPI_" #name,
#include "mpi_functions.inc"
#undef POPRT_MPI_FUNCTION
};
constexpr std::string_view kLocal[] = {
#include "local_calls.inc"
};

// Fortran has no upper and lower case.
bool is_same(std::string_view a, std::string_view b) {
  return a.size() == b.size() && strncasecmp(a.data(), b.data(), a.size()) == 0;
}

bool begins(std::string_view name, std::string_view with) {
  return is_same(name.substr(0, with.size()), with);
}

bool ends(std::string_view name, std::string_view with) {
  return name.size() >= with.size() &&
         is_same(name.substr(name.size() - with.size()), with);
}

// `pattern` has at most one '*', which is any part of a name.
bool matches(std::string_view name, std::string_view pattern) {
  const size_t star = pattern.find('*');
  if (star == pattern.npos) return is_same(name, pattern);
  return name.size() + 1 >= pattern.size() &&
         begins(name, pattern.substr(0, star)) &&
         ends(name, pattern.substr(star + 1));
}

// As C has it, under either of its names.
bool is_wrapped(std::string_view name) {
  if (name.starts_with("PMPI_")) name.remove_prefix(1);
  return std::ranges::find(kWrapped, name) != std::end(kWrapped);
}

bool is_local(std::string_view name) {
  return std::ranges::any_of(
      kLocal, [&](std::string_view pattern) { return matches(name, pattern); });
}

bool cut(std::string_view* name, std::string_view ending) {
  if (!ends(*name, ending)) return false;
  name->remove_suffix(ending.size());
  return true;
}

// A name of Fortran's bindings as C has it, but for upper and lower case.
std::string name_in_c(std::string_view name) {
  if (begins(name, "P")) name.remove_prefix(1);
  while (cut(&name, "_")) {
  }
  const bool large = cut(&name, "_large");
  for (const std::string_view ending : {"_f08ts", "_f08", "_f", "_cptr"}) {
    cut(&name, ending);
  }
  return std::string(name) + (large ? "_c" : "");
}

bool is_mpi_name(std::string_view name) {
  if (begins(name, "P")) name.remove_prefix(1);
  return begins(name, "MPI_") || begins(name, "MPIX_");
}

// Those that are remembered.  Beyond so many there are names enough.
constinit std::atomic<const UnwrappedCall*> g_noted[64] = {};

void remember(std::string_view name, bool is_wrapped) {
  const UnwrappedCall* own = nullptr;
  for (auto& place : g_noted) {
    const UnwrappedCall* noted = place.load(std::memory_order_acquire);
    if (noted == nullptr) {
      if (own == nullptr) {
        own = new UnwrappedCall{std::string(name), 1, is_wrapped};
      }
      if (place.compare_exchange_strong(noted, own)) return;
    }
    if (noted->name == name) break;
  }
  delete own;
}

// Whether the image that holds each of two addresses is MPI's own.
struct Owners {
  const void* found;
  const void* caller;
  bool is_found_in_mpi = false;
  bool is_caller_in_mpi = false;
};

int look_for_owners(dl_phdr_info* image, size_t, void* result) {
  auto& owners = *static_cast<Owners*>(result);
  const bool has_found = contains(*image, owners.found);
  const bool has_caller = contains(*image, owners.caller);
  if ((has_found || has_caller) && is_own_of_mpi(*image)) {
    owners.is_found_in_mpi |= has_found;
    owners.is_caller_in_mpi |= has_caller;
  }
  return 0;
}

// Used while the loader lets no other thread in.
unsigned long long g_images_seen = 0;

bool is_of_mpi_library(const dl_phdr_info& image) {
  // Libraries of poprt have these functions, too.
  return is_own_of_mpi(image) &&
         !contains(image, reinterpret_cast<const void*>(&is_of_mpi_library));
}

void remember_taken(const dl_phdr_info& image,
                    const std::vector<dl_phdr_info>& all) {
  for (const auto& [name, place, is_uncalled] : imports(image)) {
    if (is_uncalled || !is_mpi_name(name)) continue;
    const bool has_entry = is_wrapped(name);
    if (!has_entry && !is_unwrapped(name)) continue;
    const auto owner = std::ranges::find_if(
        all, [&](const auto& each) { return contains(each, *place); });
    if (owner != all.end() && is_of_mpi_library(*owner) &&
        !is_own_of_mpi(image)) {
      remember(name, has_entry);
    }
  }
}

// The loader appends new images, and counts all that it has ever loaded.
int look_at_new_images(dl_phdr_info* first, size_t, void*) {
  const unsigned long long more = first->dlpi_adds - g_images_seen;
  if (more == 0) return 1;
  g_images_seen = first->dlpi_adds;
  std::vector<dl_phdr_info> all;
  dl_iterate_phdr(
      [](dl_phdr_info* image, size_t, void* list) {
        static_cast<std::vector<dl_phdr_info>*>(list)->push_back(*image);
        return 0;
      },
      &all);
  const size_t count = all.size();
  for (size_t i = more < count ? count - more : 0; i < count; ++i) {
    remember_taken(all[i], all);
  }
  return 1;
}

// What images take, and of functions that are wrapped by which address.
struct ImportedCalls {
  bool so_far;
  std::set<std::pair<std::string, const void*>> taken;
  std::vector<std::pair<uintptr_t, size_t>> of_mpi;  // its segments, with bytes

  // The images may have been unloaded since.
  bool is_in_mpi_library(const void* function) const {
    const auto place = reinterpret_cast<uintptr_t>(function);
    return std::ranges::any_of(of_mpi, [&](const auto& segment) {
      return place - segment.first < segment.second;
    });
  }
};

int add_taken(dl_phdr_info* image, size_t, void* result) {
  auto& calls = *static_cast<ImportedCalls*>(result);
  if (is_own_of_mpi(*image)) {
    if (is_of_mpi_library(*image)) {
      for (int i = 0; i < image->dlpi_phnum; ++i) {
        const ElfW(Phdr)& header = image->dlpi_phdr[i];
        if (header.p_type != PT_LOAD) continue;
        calls.of_mpi.emplace_back(image->dlpi_addr + header.p_vaddr,
                                  header.p_memsz);
      }
    }
    return 0;
  }
  for (const auto& [text, place, is_uncalled] : imports(*image)) {
    const std::string_view name = text;
    if (!is_mpi_name(name) || (calls.so_far && is_uncalled)) continue;
    if (is_wrapped(name)) {
      if (*place != nullptr) calls.taken.emplace(name, *place);
    } else if (is_unwrapped(name)) {
      calls.taken.emplace(name, nullptr);
    }
  }
  return 0;
}

}  // namespace

bool is_unwrapped(std::string_view name) {
  if (!is_mpi_name(name)) return false;
  const std::string in_c = name_in_c(name);
  std::string_view small = in_c;
  cut(&small, "_c");
  return std::ranges::none_of(
             kWrapped,
             [&](std::string_view each) { return is_same(in_c, each); }) &&
         !is_local(in_c) && !is_local(small);
}

void note_search(const char* name, const void* found, const void* caller) {
  if (found == nullptr) return;
  Owners owners{found, caller};
  dl_iterate_phdr(look_for_owners, &owners);
  if (owners.is_found_in_mpi && !owners.is_caller_in_mpi) {
    remember(name, false);
  }
}

void note_new_images() {
  if (g_resolved.load()) dl_iterate_phdr(look_at_new_images, nullptr);
}

std::vector<UnwrappedCall> unwrapped_calls(bool so_far) {
  ImportedCalls calls{so_far, {}, {}};
  dl_iterate_phdr(add_taken, &calls);
  // One that is not wrapped may be of the program, as Fortran programs have
  // mpi_something_; of the others a library that was opened with RTLD_DEEPBIND
  // has the MPI library's.  Not above: the loader takes its locks in another
  // order.
  std::vector<UnwrappedCall> found;
  for (const auto& [name, address] : calls.taken) {
    const bool is_wrapped = address != nullptr;
    if (calls.is_in_mpi_library(is_wrapped ? address : look_up(name.c_str())) &&
        (found.empty() || found.back().name != name)) {
      found.push_back({name, 1, is_wrapped});
    }
  }
  for (const auto& place : g_noted) {
    const UnwrappedCall* const noted = place.load(std::memory_order_acquire);
    if (noted == nullptr) break;
    const auto at =
        std::ranges::lower_bound(found, noted->name, {}, &UnwrappedCall::name);
    if (at == found.end() || at->name != noted->name) found.insert(at, *noted);
  }
  return found;
}

}  // namespace poprt::mpi
