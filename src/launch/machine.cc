#include "launch/machine.h"

#include <fcntl.h>
#include <glob.h>
#include <link.h>
#include <linux/perf_event.h>
#include <sys/mman.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <string_view>

#include "base/libomp_search.h"

namespace poprt {
namespace {

int perf_event_paranoid() {
  int value = kNoParanoidFile;
  std::FILE* const file =
      std::fopen("/proc/sys/kernel/perf_event_paranoid", "re");
  if (file == nullptr) return value;
  if (std::fscanf(file, "%d", &value) != 1) value = kNoParanoidFile;
  std::fclose(file);
  return value;
}

// errno of counting instructions and cycles of this thread.
int counter_error() {
  for (const uint64_t event :
       {PERF_COUNT_HW_INSTRUCTIONS, PERF_COUNT_HW_CPU_CYCLES}) {
    perf_event_attr attributes = {};
    attributes.size = sizeof attributes;
    attributes.type = PERF_TYPE_HARDWARE;
    attributes.config = event;
    attributes.exclude_kernel = 1;
    attributes.exclude_hv = 1;
    const long file = syscall(SYS_perf_event_open, &attributes, 0, -1, -1,
                              PERF_FLAG_FD_CLOEXEC);
    if (file < 0) return errno;
    close(static_cast<int>(file));
  }
  return 0;
}

MachineFacts::Energy energy() {
  glob_t found = {};
  auto result = MachineFacts::Energy::kNone;
  if (glob("/sys/class/powercap/intel-rapl:*/energy_uj", 0, nullptr, &found) ==
      0) {
    result = access(found.gl_pathv[0], R_OK) == 0
                 ? MachineFacts::Energy::kReadable
                 : MachineFacts::Energy::kForbidden;
  }
  globfree(&found);
  return result;
}

// errno of sharing memory as ranks on one node do: one process makes a file in
// memory, another one opens it by /proc/PID/fd.
int sharing_error() {
  const int file = memfd_create("poprt", MFD_CLOEXEC);
  if (file < 0) return errno;
  const std::string path =
      "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(file);
  const pid_t child = fork();
  if (child == 0) {
    _exit(open(path.c_str(), O_RDWR | O_CLOEXEC) < 0 ? errno : 0);
  }
  int status = 0;
  const bool ended = child > 0 && waitpid(child, &status, 0) == child;
  const int error = ended ? WEXITSTATUS(status) : errno;
  close(file);
  return error;
}

// errno of making the part of this program writable that the loader has made
// read-only after relocation.
int table_error() {
  int error = 0;
  dl_iterate_phdr(
      [](dl_phdr_info* object, size_t, void* result) {
        for (int i = 0; i < object->dlpi_phnum; ++i) {
          const auto& part = object->dlpi_phdr[i];
          if (part.p_type != PT_GNU_RELRO) continue;
          const uintptr_t page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
          const uintptr_t begin =
              (object->dlpi_addr + part.p_vaddr) & ~(page - 1);
          void* const address = reinterpret_cast<void*>(begin);
          if (mprotect(address, page, PROT_READ | PROT_WRITE) != 0) {
            *static_cast<int*>(result) = errno;
          } else {
            mprotect(address, page, PROT_READ);
          }
          return 1;
        }
        return 0;
      },
      &error);
  return error;
}

int64_t shm_free_bytes() {
  struct statvfs facts;
  if (access("/dev/shm", W_OK) != 0 || statvfs("/dev/shm", &facts) != 0) {
    return -1;
  }
  return static_cast<int64_t>(facts.f_bavail) *
         static_cast<int64_t>(facts.f_frsize);
}

std::string first_in(const LoaderCache& cache, const std::string& prefix) {
  const auto found = cache.lower_bound(prefix);
  return found != cache.end() && found->first.rfind(prefix, 0) == 0
             ? found->first
             : "";
}

}  // namespace

MachineFacts machine_facts(const Environment& environment,
                           const LoaderCache& cache) {
  MachineFacts facts;
  for (const Launcher& launcher : kLaunchers) {
    const auto look_for = [&](std::string_view command) {
      const std::string name(command);
      const Program program = inspect_program(name, environment, cache);
      if (program.kind == Kind::kMissing) return;
      const std::string subcommand(launcher.subcommand);
      if (launcher_of({name, subcommand}, program) != &launcher) return;
      facts.launchers.push_back({program.path, &launcher});
    };
    for_each_word(launcher.shared_commands, look_for);
    for_each_word(launcher.commands, look_for);
  }
  facts.libomp = find_libomp({});
  if (facts.libomp.empty()) facts.libomp = first_in(cache, "libomp.so");
  facts.libgomp = first_in(cache, "libgomp.so");
  facts.papi = first_in(cache, "libpapi.so");
  facts.omp_tool_disabled = value_of(environment, "OMP_TOOL") == "disabled";
  facts.perf_event_paranoid = perf_event_paranoid();
  facts.counter_error = counter_error();
  facts.energy = energy();
  facts.table_error = table_error();
  facts.sharing_error = sharing_error();
  facts.shm_free_bytes = shm_free_bytes();
  facts.can_write_here = access(".", W_OK) == 0;
  return facts;
}

}  // namespace poprt
