#include "session/hand_over.h"

#include <dlfcn.h>
#include <unistd.h>

#include <climits>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "base/image.h"
#include "base/kept_environment.h"
#include "base/kernel_text.h"
#include "base/known_mpi.h"
#include "base/library_list.h"
#include "base/mpi_libraries.h"
#include "base/valgrind.h"

namespace poprt {
namespace {

// The file of this library, as LD_PRELOAD names it; "" if that is not known.
std::string_view own_file() {
  return image_of(reinterpret_cast<const void*>(&hand_over_to_mpi_library))
      .path;
}

const char* key_of_mpi(void* init) {
  return key_of_known_mpi(image_of(init).path, [](const char* name) {
    return dlsym(RTLD_DEFAULT, name);
  });
}

// Sets a variable of the environment; the destructor restores it.
class Changed {
 public:
  Changed(const char* name, const std::string& value) : name_(name) {
    const char* const before = kept_variable(name);
    is_set_ = before != nullptr;
    if (is_set_) before_ = before;
    setenv(name, value.c_str(), 1);
  }
  Changed(const Changed&) = delete;
  Changed& operator=(const Changed&) = delete;
  ~Changed() {
    if (is_set_) {
      setenv(name_, before_.c_str(), 1);
    } else {
      unsetenv(name_);
    }
  }

 private:
  const char* name_;
  bool is_set_ = false;
  std::string before_;
};

}  // namespace

void hand_over_to_mpi_library() {
  // Most processes end here: shells, compilers, all without `poprt run`.
  const char* const libraries = kept_variable(kMpiLibrariesVariable);
  // A tool that runs the program would not run the one that begins anew.
  if (libraries == nullptr || is_in_valgrind()) return;
  // Libraries of poprt have this function, too.
  void* const init = dlsym(RTLD_NEXT, "PMPI_Init");
  if (init == nullptr) return;
  const std::string path = mpi_library_in(libraries, key_of_mpi(init));
  const char* const preload = kept_variable("LD_PRELOAD");
  const std::string_view own = own_file();
  if (path.empty() || own.empty() || preload == nullptr) return;
  // It is there already; without this a process could begin anew for ever.
  if (std::string_view(preload).find(path) != std::string_view::npos) return;
  // What main() gets would lack the loader, if the program was started by it.
  const std::string program = own_executable();
  std::vector<std::string> command = own_command();
  if (program.empty() || program.size() >= PATH_MAX || command.empty()) return;
  std::vector<char*> words;
  for (std::string& word : command) words.push_back(word.data());
  words.push_back(nullptr);
  const char* const tools = kept_variable("OMP_TOOL_LIBRARIES");
  const Changed loaded("LD_PRELOAD",
                       list_with_instead(preload_list(preload), own, path));
  const Changed named(
      "OMP_TOOL_LIBRARIES",
      list_with_instead(tools == nullptr ? "" : tools, own, path));
  execv(program.c_str(), words.data());
}

}  // namespace poprt
