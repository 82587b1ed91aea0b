#include "command/installed.h"

#include <filesystem>
#include <system_error>

namespace poprt {

std::string own_program() {
  std::error_code error;
  const auto path = std::filesystem::read_symlink("/proc/self/exe", error);
  return error ? "poprt" : path.string();
}

Installation installation() {
  return installation_of(own_program(), POPRT_LIBDIR_FROM_BIN);
}

std::string example_command() {
  namespace fs = std::filesystem;
  const fs::path bin = fs::path(own_program()).parent_path();
  const fs::path source =
      (bin / POPRT_DOCDIR_FROM_BIN / "examples" / "hybrid.c")
          .lexically_normal();
  std::error_code error;
  if (!fs::exists(source, error)) return "";
  const fs::path include = (bin / POPRT_INCLUDEDIR_FROM_BIN).lexically_normal();
  return "mpicc -g -fopenmp -I " + include.string() + " " + source.string() +
         " -o hybrid -ldl";
}

}  // namespace poprt
