#include "launch/plan.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <string_view>

#include "base/launched.h"
#include "base/launchers.h"
#include "base/library_list.h"
#include "base/mpi_libraries.h"
#include "document/format.h"

namespace poprt {
namespace {

// The variables that launched_as() reads.
auto variables_in(const Environment& environment) {
  return [&environment](const char* name) {
    const auto found = environment.find(name);
    return found == environment.end() ? nullptr : found->second.c_str();
  };
}

std::string existing(const std::string& path) {
  if (access(path.c_str(), R_OK) != 0) return "";
  return std::filesystem::path(path).lexically_normal().string();
}

// Whether it is a tool for OpenMP's runtimes; a missing one lacks more than
// that.
bool hears_openmp(const std::string& library) {
  const auto bytes = open_bytes(library);
  if (!bytes) return true;
  bool found = false;
  for_each_symbol(*bytes, [&](std::string_view symbol, bool is_defined) {
    found |= is_defined && symbol == "ompt_start_tool";
    return !found;
  });
  return found;
}

// Why nothing can be preloaded; "" if it can.
std::string obstacle(const std::string& name, const Program& program) {
  switch (program.kind) {
    case Kind::kStatic:
      return name +
             " is statically linked, so that nothing can be preloaded "
             "into it; it runs unmeasured. Link it dynamically";
    case Kind::kPrivileged:
      return name +
             " is setuid, setgid or has capabilities, so that the "
             "loader preloads nothing into it; it runs unmeasured. Use a copy "
             "without them";
    case Kind::kForeign:
      return name +
             " is for another machine than this poprt; it runs "
             "unmeasured";
    case Kind::kMusl:
      return name +
             " is for musl's C library, and this poprt for GNU's; it runs "
             "unmeasured";
    default:
      return "";
  }
}

// What the message says of OpenMP, and which runtime is preloaded.
struct OpenMp {
  std::string measured;  // what is measured besides MPI; "" for nothing
  std::string note;      // why it is not measured
  std::string preload;
};

// Of a runtime that needs this version of glibc.
std::string too_new(const std::string& version) {
  return "it needs a newer C library (" + version + ") than the program has";
}

OpenMp plan_openmp(const Program& program, const OpenMpChoice& choice,
                   bool sees_openmp) {
  const bool is_named = choice.wish != "auto" && choice.wish != "keep";
  if (!sees_openmp) {
    const bool has_openmp = is_named || program.has_openmp_for_tools ||
                            !program.libgomp.empty() ||
                            !program.other_openmp.empty();
    return {"",
            has_openmp ? "its OpenMP is not seen: poprt was built without "
                         "omp-tools.h"
                       : "",
            is_named && choice.missing_version.empty() ? choice.wish : ""};
  }
  if (is_named && !choice.missing_version.empty()) {
    return {program.has_openmp_for_tools ? "OpenMP" : "",
            "--omp=" + printable(choice.wish) +
                " is not preloaded: " + too_new(choice.missing_version),
            ""};
  }
  if (is_named) {
    return {"OpenMP (runtime " + printable(choice.wish) + ")", "", choice.wish};
  }
  if (program.libgomp.empty()) {
    return {program.has_openmp_for_tools ? "OpenMP" : "",
            program.other_openmp.empty()
                ? ""
                : "its OpenMP (" + printable(base_name(program.other_openmp)) +
                      ") tells tools nothing",
            ""};
  }
  const std::string unseen = "its OpenMP is GCC's, which tells tools nothing";
  if (choice.wish == "keep") {
    return {"", unseen + " (--omp=auto runs it under LLVM's)", ""};
  }
  if (!program.unserved_symbol.empty()) {
    return {"",
            unseen + ", and stays: LLVM's does not serve its " +
                printable(program.unserved_symbol) + " (--omp=PATH insists)",
            ""};
  }
  if (!choice.libomp.empty() && !choice.missing_version.empty()) {
    return {"",
            unseen + ", and stays: LLVM's runtime here (" +
                printable(choice.libomp) +
                ") cannot take its place: " + too_new(choice.missing_version),
            ""};
  }
  if (choice.libomp.empty()) {
    return {"",
            unseen +
                ", and no LLVM runtime is here to take its place: install "
                "libomp, or name it by --omp=PATH",
            ""};
  }
  return {"OpenMP (under LLVM's runtime " + printable(choice.libomp) +
              " in place of GCC's; --omp=keep does not)",
          "", choice.libomp};
}

// "MPI (MPICH) and OpenMP".
std::string measured(Mpi mpi, const std::string& openmp) {
  std::string text =
      mpi == Mpi::kNone ? "" : fmt::format("MPI ({})", name_of(mpi));
  if (!openmp.empty()) text += (text.empty() ? "" : " and ") + openmp;
  return text;
}

// "--mpi=openmpi or --mpi=mpich": the MPIs for which this poprt has a library.
std::string choices_of(const Installation& installation) {
  std::string text;
  for (const auto& [mpi, path] : installation.mpi_libraries) {
    text += std::string(text.empty() ? "" : " or ") + "--mpi=" + key_of(mpi);
  }
  return text;
}

}  // namespace

std::optional<MpiChoice> mpi_choice_of(const std::string& wish) {
  if (wish == "auto") return MpiChoice{};
  for (const Mpi mpi : kMpis) {
    if (wish == key_of(mpi)) return MpiChoice{wish, mpi, ""};
  }
  const MpiLibrary found = mpi_library(wish);
  if (found.is_poprt) return MpiChoice{wish, Mpi::kNone, wish};
  if (found.mpi == Mpi::kNone) return std::nullopt;
  return MpiChoice{wish, found.mpi, ""};
}

Installation installation_of(const std::string& self,
                             const std::string& libdir) {
  Installation found;
  const std::string bin = folder_of(self);
  const std::string installed = bin + "/" + libdir;
  const std::string built = bin + "/../lib";
  const auto first = [](const std::string& one, const std::string& other) {
    const std::string path = existing(one);
    return path.empty() ? existing(other) : path;
  };
  for (const Mpi mpi : kMpis) {
    const std::string file = std::string(key_of(mpi)) + "/libpoprt.so";
    const std::string path =
        first(installed + "/poprt/" + file, built + "/" + file);
    if (!path.empty()) found.mpi_libraries[mpi] = path;
    const std::string program = std::string(key_of(mpi)) + "/hybrid";
    const std::string example =
        first(installed + "/poprt/" + program, bin + "/../examples/" + program);
    if (!example.empty()) found.examples[mpi] = example;
  }
  found.omp_library =
      first(installed + "/libpoprt-omp.so", built + "/libpoprt-omp.so");
  const auto helper = [&](const std::string& name) {
    return first(installed + "/poprt/" + name, built + "/" + name);
  };
  found.locations = helper("poprt-locations");
  found.topology = helper("poprt-topology");
  found.sees_openmp = hears_openmp(found.omp_library);
  return found;
}

bool can_be_preloaded(const std::string& path) {
  return path.find_first_of(": ") == std::string::npos;
}

std::string unloadable_library(const Installation& installation) {
  for (const auto& [mpi, path] : installation.mpi_libraries) {
    if (!can_be_preloaded(path)) return path;
  }
  return can_be_preloaded(installation.omp_library) ? ""
                                                    : installation.omp_library;
}

Mpi mpi_of_job(const Environment& environment) {
  const auto has = [&](const char* name) {
    return name != nullptr && environment.count(name) != 0;
  };
  for (const Launcher& each : kLaunchers) {
    if (!has(each.variables.rank) || has(each.variables.of_other)) continue;
    for (const Mpi mpi : kMpis) {
      if (each.mpi == key_of(mpi)) return mpi;
    }
  }
  return Mpi::kNone;
}

bool is_in_job(const Environment& environment) {
  return launched_as(variables_in(environment)).by_launcher;
}

bool is_first_of_job(const Environment& environment) {
  return launched_as(variables_in(environment)).is_first;
}

Plan plan_program(const std::string& name, const Program& program,
                  const Environment& environment,
                  const Installation& installation, const OpenMpChoice& openmp,
                  const MpiChoice& choice) {
  Plan plan;
  const std::string shown = printable(name);
  plan.message = obstacle(shown, program);
  if (!plan.message.empty()) return plan;

  // A program that shows no MPI may load one later, or start a program that has
  // one.
  const bool is_named = choice.wish != "auto";
  const bool is_certain = is_named || program.mpi != Mpi::kNone;
  const Mpi mpi = is_named     ? choice.mpi
                  : is_certain ? program.mpi
                               : mpi_of_job(environment);
  if (mpi == Mpi::kOther) {
    plan.message =
        fmt::format("{} uses {} ({}); it runs unmeasured", shown, name_of(mpi),
                    printable(base_name(program.mpi_library)));
    return plan;
  }
  const auto library = installation.mpi_libraries.find(mpi);
  if (mpi != Mpi::kNone && library == installation.mpi_libraries.end()) {
    plan.message = fmt::format(
        "{} uses {}, for which there is no libpoprt.so beside this poprt; it "
        "runs unmeasured. Build poprt with that MPI's mpicc in PATH",
        shown, name_of(mpi));
    return plan;
  }
  const std::string path = !choice.library.empty() ? choice.library
                           : mpi == Mpi::kNone     ? installation.omp_library
                                                   : library->second;
  if (path.empty()) {
    plan.message = fmt::format(
        "libpoprt-omp.so is not beside this poprt; {} runs unmeasured", shown);
    return plan;
  }
  const std::string version = missing_version(path, program.c_library);
  if (!version.empty()) {
    plan.message = fmt::format(
        "{} runs with an older C library ({}, without {}) than this poprt "
        "needs; it runs unmeasured. Build poprt where that one is",
        shown, printable(program.c_library), version);
    return plan;
  }
  const bool sees_openmp =
      choice.library.empty() ? installation.sees_openmp : hears_openmp(path);
  const OpenMp other = plan_openmp(program, openmp, sees_openmp);
  std::string preload = preload_list(value_of(environment, "LD_PRELOAD"));
  const auto put_first = [&preload](const std::string& each) {
    if (!each.empty()) preload = list_with(preload, each);
  };
  put_first(other.preload);
  put_first(path);
  for (size_t i = program.mpi_tools.size(); i-- > 0;) {
    put_first(program.mpi_tools[i]);
  }
  // It ends the program where it is not the first one.
  put_first(program.address_sanitizer);
  plan.changes["LD_PRELOAD"] = preload;
  plan.changes["OMP_TOOL_LIBRARIES"] =
      list_with(value_of(environment, "OMP_TOOL_LIBRARIES"), path);

  if (mpi == Mpi::kNone && !is_named) {
    plan.other_mpis = choices_of(installation);
  }
  if (!is_named) {
    std::string libraries;
    for (const auto& [each, file] : installation.mpi_libraries) {
      add_mpi_library(key_of(each), file, &libraries);
    }
    plan.changes[kMpiLibrariesVariable] = libraries;
  }
  if (!choice.library.empty()) {
    plan.message = fmt::format("measuring MPI (by {}) of {}",
                               printable(choice.library), shown);
    if (!other.measured.empty()) plan.message += ", and " + other.measured;
  } else if (is_certain || !other.measured.empty()) {
    plan.message =
        fmt::format("measuring {} of {}", measured(mpi, other.measured), shown);
  } else if (mpi != Mpi::kNone) {
    plan.message = fmt::format(
        "{} needs no MPI itself; measuring {} that it loads or starts", shown,
        name_of(mpi));
  } else if (other.note.empty()) {
    plan.message = fmt::format(
        "{} needs neither MPI nor OpenMP; measuring {}{}programs that it "
        "starts",
        shown,
        value_of(environment, "POPRT_THREADS") == "all" ? "its threads, " : "",
        sees_openmp ? "OpenMP that it loads, and " : "");
    if (!plan.other_mpis.empty()) {
      plan.message += " (MPI that it loads: " + plan.other_mpis + ")";
    }
  } else {
    plan.message = fmt::format("measuring only regions of {}", shown);
  }
  if (!other.note.empty()) plan.message += "; " + other.note;
  if (sees_openmp && value_of(environment, "OMP_TOOL") == "disabled") {
    plan.message += "; OMP_TOOL=disabled hides OpenMP";
  }
  const std::string devices = value_of(environment, "POPRT_DEVICES");
  if (program.has_cuda && devices.find("cuda") == std::string::npos) {
    plan.message += "; its CUDA is not measured (POPRT_DEVICES=cuda does)";
  }
  return plan;
}

}  // namespace poprt
