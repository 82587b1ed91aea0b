#include "wrappers/pmpi.h"

#include <dlfcn.h>
#include <link.h>

#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "base/image.h"
#include "base/known_mpi.h"
#include "base/log.h"
#include "base/mutex.h"

// Where the entries of entry.h jump to.
extern "C" {
extern const char poprt_entry_MPI_Init __attribute__((visibility("hidden")));
#define POPRT_MPI_FUNCTION(name) extern void* poprt_to_MPI_##name;
#include "mpi_functions.inc"
#undef POPRT_MPI_FUNCTION
}

namespace poprt::mpi {

Pmpi g_pmpi;
std::atomic<bool> g_resolved{false};

namespace {

constexpr MpiWords kOpenMpi = {"openmpi", "Open MPI"};
constexpr MpiWords kMpich = {"mpich", "MPICH"};
constexpr MpiWords kStandardAbi = {"abi", "MPI's standard ABI"};
constexpr MpiWords kOther = {"", "an MPI that this library does not know"};

constinit std::atomic<const MpiWords*> g_found{nullptr};

Mutex g_mutex;

// Where to look for MPI functions: behind this library in the order of loading.
void* g_scope = RTLD_NEXT;

// Whether the MPI library has a profiling interface: functions with PMPI names.
bool g_has_pmpi = true;

// Whether this is a function of another library: this one has the same names
// (entry.h).
bool is_another(const void* function) {
  return function != nullptr && function != &poprt_entry_MPI_Init;
}

// Python loads MPI with a scope of its own, where a lookup in the global scope
// does not find it.
void* handle_of_mpi() {
  std::vector<std::string> paths;
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* all) {
        if (info->dlpi_name != nullptr && info->dlpi_name[0] != '\0') {
          static_cast<std::vector<std::string>*>(all)->push_back(
              info->dlpi_name);
        }
        return 0;
      },
      &paths);
  // Not above: the loader takes its locks in another order.
  for (const std::string& path : paths) {
    void* const handle = dlopen(path.c_str(), RTLD_LAZY | RTLD_NOLOAD);
    if (handle == nullptr) continue;
    if (is_another(dlsym(handle, "PMPI_Init"))) return handle;
    dlclose(handle);
  }
  return nullptr;
}

// Takes the place of a function that the MPI library does not have.  A call of
// it cannot go on.
int missing_function() {
  say("a function of the MPI library was called that it does not have");
  std::abort();
}

// A function of the MPI library, by its PMPI name.  A library without a
// profiling interface, as those that take the place of MPI in a serial program,
// has MPI names only.
void* look_up_function(const char* name) {
  return g_has_pmpi ? look_up(name) : dlsym(RTLD_NEXT, name + 1);
}

template <class Function>
void find(Function& function, const char* name) {
  void* address = look_up_function((std::string("PMPI_") + name).c_str());
  if (address == nullptr) {
    address = reinterpret_cast<void*>(&missing_function);
  }
  std::memcpy(&function, &address, sizeof function);
}

// Members of Pmpi, the handles, and the objects that these are in Open MPI.
#define POPRT_HANDLES(X)                                        \
  X(comm_world, MPI_COMM_WORLD, "ompi_mpi_comm_world")          \
  X(comm_self, MPI_COMM_SELF, "ompi_mpi_comm_self")             \
  X(comm_null, MPI_COMM_NULL, "ompi_mpi_comm_null")             \
  X(request_null, MPI_REQUEST_NULL, "ompi_request_null")        \
  X(info_null, MPI_INFO_NULL, "ompi_mpi_info_null")             \
  X(group_null, MPI_GROUP_NULL, "ompi_mpi_group_null")          \
  X(byte, MPI_BYTE, "ompi_mpi_byte")                            \
  X(int_type, MPI_INT, "ompi_mpi_int")                          \
  X(datatype_null, MPI_DATATYPE_NULL, "ompi_mpi_datatype_null") \
  X(min, MPI_MIN, "ompi_mpi_op_min")                            \
  X(errors_return, MPI_ERRORS_RETURN, "ompi_mpi_errors_return")

#if defined(OPEN_MPI)

// An executable may hold a copy of the library's object (copy relocation).
// Then the copy is the handle: the first one in the order of loading.
template <class Handle>
void find_handle(Handle& handle, const char* name) {
  void* const first = dlsym(RTLD_DEFAULT, name);
  handle = static_cast<Handle>(first != nullptr ? first : look_up(name));
}
#define POPRT_FIND_HANDLE(member, value, name) find_handle(g_pmpi.member, name);

#else

#define POPRT_FIND_HANDLE(member, value, name) g_pmpi.member = value;

#endif

const MpiWords& mpi_in(std::string_view file) {
  const std::string_view key =
      key_of_known_mpi(file, [](const char* name) { return look_up(name); });
  for (const MpiWords* const each : {&kOpenMpi, &kMpich, &kStandardAbi}) {
    if (key == each->key) return *each;
  }
  return kOther;
}

}  // namespace

void* look_up(const char* name) { return dlsym(g_scope, name); }

void resolve_pmpi() {
  // Without the lock too: everyone finds the same functions, and a handler that
  // calls MPI_Abort() cannot do without.
  const MutexLock lock(g_mutex);
  if (g_resolved.load()) return;
  if (dlsym(RTLD_NEXT, "PMPI_Init") == nullptr) {
    void* const found = is_another(dlsym(RTLD_DEFAULT, "PMPI_Init"))
                            ? nullptr
                            : handle_of_mpi();
    g_scope = found == nullptr ? RTLD_DEFAULT : found;
    g_has_pmpi = is_another(look_up("PMPI_Init"));
  }
#define POPRT_MPI_FUNCTION(name) find(g_pmpi.name, #name);
  POPRT_LOCAL_MPI_FUNCTIONS(POPRT_MPI_FUNCTION)
  POPRT_LOCAL_SESSION_FUNCTIONS(POPRT_MPI_FUNCTION)
#include "mpi_functions.inc"
#undef POPRT_MPI_FUNCTION
  POPRT_HANDLES(POPRT_FIND_HANDLE)
  g_found = &mpi_in(mpi_file());
  g_pmpi.matches = &found_mpi() == &compiled_for();
  g_resolved.store(true, std::memory_order_release);
}

void step_aside() {
#define POPRT_MPI_FUNCTION(name)                                \
  if (void* const function = look_up_function("PMPI_" #name)) { \
    poprt_to_MPI_##name = function;                             \
  }
#include "mpi_functions.inc"
#undef POPRT_MPI_FUNCTION
}

const MpiWords& compiled_for() {
#if defined(OPEN_MPI)
  return kOpenMpi;
#elif defined(POPRT_STANDARD_ABI)
  return kStandardAbi;
#else
  return kMpich;
#endif
}

const MpiWords& found_mpi() { return *g_found.load(); }

const char* mpi_file() {
  const char* const path = image_of(look_up_function("PMPI_Init")).path;
  const char* const slash = std::strrchr(path, '/');
  return slash == nullptr ? path : slash + 1;
}

}  // namespace poprt::mpi
