#include "launch/loader/program.h"

#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "base/known_mpi.h"
#include "base/standard_abi.h"
#include "launch/loader/mpi_tools.h"
#include "launch/loader/python.h"
#include "launch/loader/script.h"

namespace poprt {
namespace {

// The kernel follows this many scripts.
constexpr int kMostScripts = 5;

bool begins_with(std::string_view text, std::string_view begin) {
  return text.substr(0, begin.size()) == begin;
}

bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() &&
         text.substr(text.size() - end.size()) == end;
}

// For such programs the loader ignores LD_PRELOAD.
bool is_privileged(const std::string& path, const struct stat& facts) {
  if ((facts.st_mode & S_ISUID) != 0 && facts.st_uid != getuid()) return true;
  if ((facts.st_mode & S_ISGID) != 0 && facts.st_gid != getgid()) return true;
  return geteuid() != 0 &&
         getxattr(path.c_str(), "security.capability", nullptr, 0) > 0;
}

// Symbols that GCC's runtime has and LLVM's lacks or implements otherwise: see
// docs/gcc.md.
bool is_unserved(std::string_view symbol) {
  return begins_with(symbol, "GOMP_target") ||
         begins_with(symbol, "omp_target_") ||
         begins_with(symbol, "omp_init_allocator") ||
         symbol == "GOMP_scope_start" || symbol == "omp_fulfill_event" ||
         (begins_with(symbol, "omp_") && ends_with(symbol, "_8_"));
}

// An OpenMP runtime is known by what it defines, under whatever name.  One that
// is linked into the program itself cannot be replaced.
void find_runtime(const LoadedFile& file, bool is_program, Program* program) {
  bool is_runtime = false;
  bool is_gccs = false;
  bool is_others = false;
  bool is_for_tools = false;
  const auto bytes = open_bytes(file.path);
  if (!bytes) return;
  const auto look = [&](std::string_view symbol, bool is_defined) {
    is_for_tools |= symbol == "ompt_start_tool";
    if (!is_defined) return true;
    is_gccs |= symbol == "GOMP_parallel";
    is_others |= symbol == "__kmpc_fork_call";
    is_runtime |= symbol == "omp_get_thread_num";
    return true;
  };
  for_each_symbol(*bytes, look);
  if (is_program && !is_runtime && !is_gccs && !is_others) {
    for_each_full_symbol(*bytes, look);
    // The program may have it without a runtime.
    is_runtime = false;
  }
  if (!is_runtime && !is_gccs && !is_others) return;
  if (is_for_tools) {
    program->has_openmp_for_tools = true;
  } else if (is_gccs && !is_others && !is_program) {
    program->libgomp = file.path;
  } else {
    program->other_openmp = file.path;
  }
}

void find_openmp(const std::vector<LoadedFile>& files, Program* program) {
  for (const LoadedFile& file : files) {
    find_runtime(file, &file == &files.front(), program);
  }
  if (program->libgomp.empty()) return;
  const std::string libgomp = base_name(program->libgomp);
  for (const LoadedFile& file : files) {
    const std::vector<std::string>& needed = file.elf.needed;
    if (std::find(needed.begin(), needed.end(), libgomp) == needed.end()) {
      continue;
    }
    const auto bytes = open_bytes(file.path);
    if (!bytes) continue;
    for_each_symbol(*bytes, [&](std::string_view symbol, bool is_defined) {
      if (is_defined || !is_unserved(symbol)) return true;
      program->unserved_symbol = symbol;
      return false;
    });
  }
}

// CUDA's compiler puts this section into whatever has code for GPUs.
// MPI may have some of its own.
bool has_cuda_code(const std::vector<LoadedFile>& files,
                   const std::string& mpi_library) {
  return std::any_of(files.begin(), files.end(), [&](const LoadedFile& file) {
    const auto bytes = open_bytes(file.path);
    return file.path != mpi_library && bytes &&
           has_section(*bytes, ".nv_fatbin");
  });
}

std::string address_sanitizer_among(const std::vector<LoadedFile>& files) {
  for (const LoadedFile& file : files) {
    const std::string name = base_name(file.path);
    if (begins_with(name, "libasan.so") ||
        begins_with(name, "libclang_rt.asan")) {
      return file.path;
    }
  }
  return "";
}

// The MPI that the name of a missing library tells.
Mpi mpi_named(const std::string& library) {
  if (is_standard_abi(library)) return Mpi::kStandardAbi;
  if (is_mpich_by_name(library)) return Mpi::kMpich;
  return begins_with(library, "libmpi.so.") ? Mpi::kOpenMpi : Mpi::kNone;
}

std::string real_path(const std::string& path) {
  char* const real = realpath(path.c_str(), nullptr);
  const std::string result = real == nullptr ? path : real;
  std::free(real);
  return result;
}

Kind kind_of(const std::string& path, const struct stat& facts) {
  const auto bytes = open_bytes(path);
  // A program may be executable but not readable: then nothing is known of it.
  if (!bytes) return Kind::kUnknown;
  const auto elf = read_elf(*bytes);
  if (!elf) return Kind::kUnknown;
  if (!elf->is_native) return Kind::kForeign;
  if (elf->interpreter.empty()) return Kind::kStatic;
  if (begins_with(base_name(elf->interpreter), "ld-musl")) return Kind::kMusl;
  return is_privileged(path, facts) ? Kind::kPrivileged : Kind::kDynamic;
}

// Null if the library is no launcher's.
const Launcher* launcher_with_library(std::string_view name) {
  const Launcher* found = nullptr;
  for (const Launcher& launcher : kLaunchers) {
    for_each_word(launcher.libraries, [&](std::string_view library) {
      if (begins_with(name, library)) found = &launcher;
    });
  }
  return found;
}

}  // namespace

const char* name_of(Mpi mpi) {
  return mpi == Mpi::kOpenMpi       ? "Open MPI"
         : mpi == Mpi::kMpich       ? "MPICH"
         : mpi == Mpi::kStandardAbi ? "MPI's standard ABI"
         : mpi == Mpi::kOther       ? "an MPI that this poprt does not know"
                                    : "";
}

const char* key_of(Mpi mpi) {
  return mpi == Mpi::kOpenMpi       ? "openmpi"
         : mpi == Mpi::kMpich       ? "mpich"
         : mpi == Mpi::kStandardAbi ? "abi"
                                    : "";
}

std::string path_of_command(const std::string& word,
                            const Environment& environment) {
  if (word.find('/') != std::string::npos) {
    return access(word.c_str(), F_OK) == 0 ? word : "";
  }
  if (word.empty()) return "";
  const auto path = environment.find("PATH");
  // As execvp does.
  for (const std::string& folder : path_entries(
           path == environment.end() ? "/bin:/usr/bin" : path->second)) {
    const std::string file = folder + "/" + word;
    struct stat facts;
    if (stat(file.c_str(), &facts) == 0 && S_ISREG(facts.st_mode) &&
        access(file.c_str(), X_OK) == 0) {
      return file;
    }
  }
  return "";
}

std::string script_interpreter(const std::string& path) {
  char head[512];
  const auto bytes = open_bytes(path);
  if (!bytes) return "";
  const size_t length =
      static_cast<size_t>(std::min<uint64_t>(bytes->size, sizeof head));
  if (!bytes->read(0, head, length)) return "";
  return interpreter_of({head, length});
}

MpiLibrary mpi_library(const std::string& path) {
  bool has_init = false;
  bool calls_pmpi = false;
  bool has_regions = false;
  bool is_open_mpi = false;
  bool is_mpich = is_mpich_by_name(path);
  bool tells_abi = false;
  const auto bytes = open_bytes(path);
  if (!bytes) return {};
  for_each_symbol(*bytes, [&](std::string_view symbol, bool is_defined) {
    has_init |= is_defined && symbol == "MPI_Init";
    calls_pmpi |= !is_defined && symbol == "PMPI_Init";
    has_regions |= is_defined && symbol == "pop_region_start";
    // Defined, or since Open MPI 6 taken from another of its libraries.
    is_open_mpi |= symbol == kOpenMpiSymbol;
    is_mpich |= is_defined && symbol == kMpichSymbol;
    tells_abi |= is_defined && symbol == "PMPI_Abi_get_version";
    return !is_open_mpi || !has_init;
  });
  if (has_init && is_standard_abi(path)) return {Mpi::kStandardAbi, false};
  if (has_regions && has_init) return {Mpi::kNone, true};
  if (is_open_mpi) return {Mpi::kOpenMpi, false};
  if (has_init && is_mpich) return {Mpi::kMpich, false};
  // Only a tool calls another library's PMPI_Init.
  if (!has_init || calls_pmpi) return {};
  // One without that ABI, too, may have the function: the library for it asks.
  return {tells_abi ? Mpi::kStandardAbi : Mpi::kOther, false};
}

// One that is not known may be a tool that looks its MPI up: any other is the
// program's.
Mpi mpi_among(const std::vector<LoadedFile>& files, std::string* library) {
  std::string other;
  for (const LoadedFile& file : files) {
    if (begins_with(base_name(file.path), "libmpi")) {
      *library = file.path;
      const Mpi mpi = mpi_library(file.path).mpi;
      if (mpi == Mpi::kOther) {
        other = file.path;
      } else if (mpi != Mpi::kNone) {
        return mpi;
      }
    }
    for (const std::string& name : file.missing) {
      *library = name;
      if (const Mpi mpi = mpi_named(name); mpi != Mpi::kNone) return mpi;
    }
  }
  *library = other;
  return other.empty() ? Mpi::kNone : Mpi::kOther;
}

Program inspect_program(const std::string& word, const Environment& environment,
                        const LoaderCache& cache) {
  Program program;
  program.path = path_of_command(word, environment);
  if (program.path.empty()) return program;
  std::string command = program.path;
  for (int scripts = 0; scripts < kMostScripts; ++scripts) {
    const std::string interpreter = script_interpreter(command);
    if (interpreter.empty()) break;
    const std::string found = path_of_command(interpreter, environment);
    // Starting it will report that its interpreter is missing.
    if (found.empty()) break;
    command = found;
  }
  program.binary = real_path(command);
  struct stat facts;
  if (stat(program.path.c_str(), &facts) != 0) return program;
  if (!S_ISREG(facts.st_mode) || access(program.path.c_str(), X_OK) != 0) {
    program.kind = Kind::kNotExecutable;
    return program;
  }
  if (stat(program.binary.c_str(), &facts) != 0) return program;
  program.kind = kind_of(program.binary, facts);
  if (program.kind != Kind::kDynamic) return program;

  const std::string library_path = value_of(environment, "LD_LIBRARY_PATH");
  std::vector<LoadedFile> files =
      loaded_files(program.binary, library_path, cache);
  program.c_library = c_library_of(program.binary, library_path, cache);
  program.is_python = is_python(program.binary);
  if (program.is_python) {
    const std::string module =
        mpi4py_module(command, program.binary, environment);
    for (LoadedFile& file : loaded_files(module, library_path, cache)) {
      files.push_back(std::move(file));
    }
  }
  program.mpi = mpi_among(files, &program.mpi_library);
  program.mpi_tools = mpi_tools_of(files, environment, cache);
  for (const LoadedFile& file : files) {
    const Launcher* const its = launcher_with_library(base_name(file.path));
    if (its != nullptr) program.launcher_needed = its;
  }
  find_openmp(files, &program);
  program.has_cuda = has_cuda_code(files, program.mpi_library);
  program.address_sanitizer = address_sanitizer_among(files);
  return program;
}

}  // namespace poprt
