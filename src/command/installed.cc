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

std::string example_source() {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path path = (fs::path(own_program()).parent_path() /
                         POPRT_DOCDIR_FROM_BIN / "examples" / "hybrid.c")
                            .lexically_normal();
  return fs::exists(path, error) ? path.string() : "";
}

}  // namespace poprt
