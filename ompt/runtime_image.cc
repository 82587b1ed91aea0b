#include "ompt/runtime_image.h"

#include <link.h>
#include <sys/auxv.h>

#include "base/image.h"

namespace poprt::ompt {
namespace {

// Where the runtime's library lies; null if the runtime is linked into the
// program.
const char* g_begin = nullptr;
const char* g_end = nullptr;

int find_range(dl_phdr_info* info, size_t, void* data) {
  const char* const address = *static_cast<const char* const*>(data);
  const char* begin = nullptr;
  const char* end = nullptr;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = info->dlpi_phdr[i];
    if (header.p_type != PT_LOAD) continue;
    const auto* const first =
        reinterpret_cast<const char*>(info->dlpi_addr + header.p_vaddr);
    if (begin == nullptr) begin = first;
    end = first + header.p_memsz;
  }
  if (address < begin || address >= end) return 0;
  g_begin = begin;
  g_end = end;
  return 1;
}

}  // namespace

void set_runtime_image(const void* address) {
  // The program headers lie in the program's image.
  const void* const program =
      image_of(reinterpret_cast<const void*>(getauxval(AT_PHDR))).base;
  g_begin = g_end = nullptr;
  if (image_of(address).base != program) dl_iterate_phdr(find_range, &address);
}

bool in_runtime_image(const void* address) {
  const char* const at = static_cast<const char*>(address);
  return at >= g_begin && at < g_end;
}

}  // namespace poprt::ompt
