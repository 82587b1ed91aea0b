// In a program of tests: a machine whose pages are 64 KiB, as some of ARM's.
// What is no multiple of these is refused or rounded, as the kernel does there.
#include <dlfcn.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>

namespace {

constexpr uintptr_t kPage = uintptr_t{64} << 10;

bool is_odd(uintptr_t address) { return address % kPage != 0; }
uintptr_t of(const void* address) {
  return reinterpret_cast<uintptr_t>(address);
}
size_t rounded(size_t bytes) { return (bytes + kPage - 1) / kPage * kPage; }

void* map(void* where, size_t bytes, int rights, int flags, int file,
          off_t offset) {
  return reinterpret_cast<void*>(
      syscall(SYS_mmap, where, bytes, rights, flags, file, offset));
}

int refuse() {
  errno = EINVAL;
  return -1;
}

}  // namespace

extern "C" {

long sysconf(int name) noexcept {
  static auto* const real =
      reinterpret_cast<long (*)(int)>(dlsym(RTLD_NEXT, "sysconf"));
  return name == _SC_PAGESIZE ? static_cast<long>(kPage) : real(name);
}

void* mmap(void* where, size_t bytes, int rights, int flags, int file,
           off_t offset) noexcept {
  const bool is_fixed = (flags & MAP_FIXED) != 0;
  if (is_odd(static_cast<uintptr_t>(offset)) || (is_fixed && is_odd(of(where))))
    return reinterpret_cast<void*>(static_cast<intptr_t>(refuse()));
  if (is_fixed) return map(where, bytes, rights, flags, file, offset);
  // Elsewhere the kernel may choose an address that there it could not.
  auto* const room = static_cast<char*>(
      map(nullptr, rounded(bytes) + kPage, PROT_NONE,
          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
  if (room == MAP_FAILED) return room;
  char* const begin = room + (kPage - of(room) % kPage) % kPage;
  return map(begin, bytes, rights, flags | MAP_FIXED, file, offset);
}

int madvise(void* begin, size_t bytes, int what) noexcept {
  if (is_odd(of(begin))) return refuse();
  return static_cast<int>(syscall(SYS_madvise, begin, rounded(bytes), what));
}

int mprotect(void* begin, size_t bytes, int rights) noexcept {
  if (is_odd(of(begin))) return refuse();
  return static_cast<int>(syscall(SYS_mprotect, begin, rounded(bytes), rights));
}

}  // extern "C"
