#include "launch/loader/program.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "launch/loader/measured_program.h"
#include "launch/loader/python.h"
#include "unit/elf_builder.h"
#include "unit/temporary_folder.h"

namespace poprt {
namespace {

class ProgramTest : public ::testing::Test {
 protected:
  std::string make(const std::string& name, const std::string& content) {
    const std::string path = root_ + "/" + name;
    std::filesystem::create_directories(folder_of(path));
    std::ofstream(path) << content;
    chmod(path.c_str(), 0755);
    return path;
  }

  Program inspect(const std::string& word) {
    return inspect_program(
        word, {{"LD_LIBRARY_PATH", root_ + "/lib"}, {"PATH", root_ + "/bin"}},
        {});
  }

  const test::TemporaryFolder folder_;
  const std::string& root_ = folder_.path();
};

std::string program_of(const std::vector<std::string>& needed,
                       const std::vector<std::string>& uses = {}) {
  return built_elf({"/ld", needed, "", "", {}, uses});
}

std::string library_with(const std::vector<std::string>& symbols) {
  return built_elf({"", {}, "", "", symbols, {}});
}

TEST_F(ProgramTest, MpiIsKnownByItsSymbolsAndNotByItsName) {
  make("lib/libmpi.so.12", library_with({"MPI_Init", "ompi_mpi_comm_world"}));
  EXPECT_EQ(Mpi::kOpenMpi,
            inspect(make("a", program_of({"libmpi.so.12"}))).mpi);
  make("lib/libmpi.so.12", library_with({"MPI_Init"}));
  EXPECT_EQ(Mpi::kMpich, inspect(root_ + "/a").mpi);
  make("lib/libmpi-1f.so.3", library_with({"MPI_Init", "MPIR_Dup_fn"}));
  EXPECT_EQ(Mpi::kMpich,
            inspect(make("b", program_of({"libmpi-1f.so.3"}))).mpi);
  // As in Open MPI 6.
  make("lib/libmpi.so.12", built_elf({"",
                                      {"libopen_mpi.so.40"},
                                      "",
                                      "",
                                      {"MPI_Init"},
                                      {"ompi_mpi_comm_world"}}));
  EXPECT_EQ(Mpi::kOpenMpi, inspect(root_ + "/a").mpi);
}

TEST_F(ProgramTest, AnMpiOfWhichNothingIsKnownIsNoOther) {
  make("lib/libmpi_mpt.so", library_with({"MPI_Init", "PMPI_Init"}));
  const Program program = inspect(make("a", program_of({"libmpi_mpt.so"})));
  EXPECT_EQ(Mpi::kOther, program.mpi);
  EXPECT_EQ(root_ + "/lib/libmpi_mpt.so", program.mpi_library);
  // One without PMPI names is one, unless there is another.
  make("lib/libmpiseq.so", library_with({"MPI_Init"}));
  EXPECT_EQ(Mpi::kOther, inspect(make("a", program_of({"libmpiseq.so"}))).mpi);
  make("lib/libmpich.so.12", library_with({"MPI_Init", "PMPI_Init"}));
  EXPECT_EQ(
      Mpi::kMpich,
      inspect(make("a", program_of({"libmpiseq.so", "libmpich.so.12"}))).mpi);
  // A tool of PMPI is none.
  make("lib/libmpiP.so",
       built_elf({"", {}, "", "", {"MPI_Init"}, {"PMPI_Init"}}));
  make("lib/libmpi.so", library_with({"MPI_Init", "PMPI_Init", "MPIR_Dup_fn"}));
  EXPECT_EQ(Mpi::kMpich,
            inspect(make("b", program_of({"libmpiP.so", "libmpi.so"}))).mpi);
  EXPECT_EQ(Mpi::kNone, inspect(make("c", program_of({"libmpiP.so"}))).mpi);
  // It may have the standard ABI, which only its function tells.
  make("lib/libmpi_own.so",
       library_with({"MPI_Init", "PMPI_Init", "PMPI_Abi_get_version"}));
  EXPECT_EQ(Mpi::kStandardAbi,
            inspect(make("d", program_of({"libmpi_own.so"}))).mpi);
}

// Open MPI's is one of both.
TEST_F(ProgramTest, TheStandardAbiIsNoOtherMpi) {
  make("lib/libmpi_abi.so.0",
       library_with({"ompi_mpi_comm_world", "MPI_Init"}));
  EXPECT_EQ(Mpi::kStandardAbi,
            inspect(make("a", program_of({"libmpi_abi.so.0"}))).mpi);
  EXPECT_EQ(Mpi::kStandardAbi,
            inspect(make("b", program_of({"libmpi_abi.so.1"}))).mpi);
  const std::string file = root_ + "/lib/libmpi_abi_openmpi.so.1.0.0";
  std::filesystem::rename(root_ + "/lib/libmpi_abi.so.0", file);
  EXPECT_EQ(Mpi::kStandardAbi, mpi_library(file).mpi);
}

TEST_F(ProgramTest, MpiIsFoundBehindOtherLibraries) {
  make("lib/libmpi.so.40", library_with({"MPI_Init", "ompi_mpi_comm_world"}));
  make("lib/libsolver.so", program_of({"libmpi.so.40"}));
  EXPECT_EQ(Mpi::kOpenMpi,
            inspect(make("a", program_of({"libsolver.so"}))).mpi);
}

TEST_F(ProgramTest, AMissingMpiIsKnownByItsName) {
  EXPECT_EQ(Mpi::kOpenMpi,
            inspect(make("a", program_of({"libmpi.so.40"}))).mpi);
  EXPECT_EQ(Mpi::kMpich, inspect(make("b", program_of({"libmpi.so.12"}))).mpi);
  EXPECT_EQ(Mpi::kNone, inspect(make("c", program_of({"libmpiless.so"}))).mpi);
}

std::string tool_for(const std::string& mpi,
                     const std::vector<std::string>& defined,
                     const std::vector<std::string>& called) {
  return built_elf({"", {mpi}, "", "", defined, called});
}

TEST_F(ProgramTest, MpiToolsThatArePreloadedOrLinked) {
  const std::string mpi = "libmpi.so.12";
  make("lib/" + mpi, library_with({"MPI_Init", "PMPI_Init", "MPI_Send"}));
  make("lib/libpoprt.so",
       library_with({"MPI_Init", "PMPI_Init", "pop_region_start"}));
  make("lib/libinit.so", tool_for(mpi, {"MPI_Init"}, {}));
  make("lib/libsends.so", tool_for(mpi, {"MPI_Send"}, {"PMPI_Send"}));
  make("lib/liblinked.so", tool_for(mpi, {"MPI_Recv"}, {"PMPI_Recv"}));
  // A library with names of its own, and bindings of Fortran.
  make("lib/libsolver.so",
       tool_for(mpi, {"MPI_Solve", "MPI_SEND"}, {"MPI_Send", "PMPI_Send"}));
  const std::string program = make(
      "bin/a", program_of({"liblinked.so", "libsolver.so", "libinit.so", mpi}));
  const std::string sends = root_ + "/lib/libsends.so";
  const Environment environment = {
      {"LD_LIBRARY_PATH", root_ + "/lib"},
      {"LD_PRELOAD", mpi + ":libinit.so " + sends + ":libpoprt.so:liba.so"}};
  EXPECT_EQ((std::vector<std::string>{"libinit.so", sends,
                                      root_ + "/lib/liblinked.so"}),
            inspect_program(program, environment, {}).mpi_tools);
}

TEST_F(ProgramTest, AnOpenMpRuntimeInTheProgramCannotBeReplaced) {
  const std::string path = make(
      "a",
      built_elf(
          {"/ld", {}, "", "", {"GOMP_parallel", "omp_get_thread_num"}, {}}));
  const Program program = inspect(path);
  EXPECT_EQ("", program.libgomp);
  EXPECT_EQ(path, program.other_openmp);
}

TEST_F(ProgramTest, AnOpenMpRuntimeThatTheProgramDoesNotExport) {
  const auto made = [&](const std::vector<std::string>& defined,
                        const std::vector<std::string>& undefined) {
    return inspect(make(
        "a", built_elf({"/ld", {}, "", "", defined, undefined, SHT_SYMTAB})));
  };
  EXPECT_EQ(root_ + "/a", made({"GOMP_parallel"}, {}).other_openmp);
  EXPECT_TRUE(
      made({"__kmpc_fork_call", "ompt_start_tool"}, {}).has_openmp_for_tools);
  // Without a runtime.
  EXPECT_EQ("", made({"omp_get_thread_num"}, {"GOMP_parallel"}).other_openmp);
}

TEST_F(ProgramTest, OpenMpRuntimes) {
  make("lib/libgomp.so.1", library_with({"GOMP_parallel"}));
  make("lib/libomp.so.5",
       library_with({"GOMP_parallel", "__kmpc_fork_call", "ompt_start_tool"}));
  make("lib/libvendor.so", library_with({"_mp_fork", "omp_get_thread_num"}));
  make("lib/librenamed.so", library_with({"GOMP_parallel"}));
  const Program gcc =
      inspect(make("a", program_of({"libgomp.so.1"}, {"GOMP_parallel"})));
  EXPECT_EQ(root_ + "/lib/libgomp.so.1", gcc.libgomp);
  EXPECT_EQ("", gcc.unserved_symbol);
  EXPECT_FALSE(gcc.has_openmp_for_tools);
  const Program llvm = inspect(make("b", program_of({"libomp.so.5"})));
  EXPECT_TRUE(llvm.has_openmp_for_tools);
  EXPECT_EQ("", llvm.libgomp);
  EXPECT_EQ(root_ + "/lib/libvendor.so",
            inspect(make("b", program_of({"libvendor.so"}))).other_openmp);
  const Program renamed =
      inspect(make("b", program_of({"librenamed.so"}, {"omp_fulfill_event"})));
  EXPECT_EQ(root_ + "/lib/librenamed.so", renamed.libgomp);
  EXPECT_EQ("omp_fulfill_event", renamed.unserved_symbol);
  for (const char* symbol :
       {"GOMP_target_ext", "omp_fulfill_event", "omp_set_num_threads_8_",
        "omp_target_alloc", "GOMP_scope_start", "omp_init_allocator"}) {
    EXPECT_EQ(symbol, inspect(make("c", program_of({"libgomp.so.1"}, {symbol})))
                          .unserved_symbol);
  }
}

TEST_F(ProgramTest, TheAddressSanitizersRuntime) {
  make("lib/libasan.so.8", library_with({}));
  EXPECT_EQ(root_ + "/lib/libasan.so.8",
            inspect(make("a", program_of({"libasan.so.8"}))).address_sanitizer);
  EXPECT_EQ("", inspect(make("b", program_of({}))).address_sanitizer);
}

TEST_F(ProgramTest, Kinds) {
  EXPECT_EQ(Kind::kMissing, inspect(root_ + "/nothing").kind);
  EXPECT_EQ(Kind::kMissing, inspect("nothing").kind);
  EXPECT_EQ(Kind::kNotExecutable, inspect(root_).kind);
  EXPECT_EQ(Kind::kStatic, inspect(make("s", built_elf({}))).kind);
  EXPECT_EQ(Kind::kUnknown, inspect(make("t", "echo hello")).kind);
  EXPECT_EQ(Kind::kDynamic, inspect(make("bin/d", program_of({}))).kind);
  EXPECT_EQ(root_ + "/bin/d", inspect("d").path);
  chmod((root_ + "/bin/d").c_str(), 0644);
  EXPECT_EQ(Kind::kMissing, inspect("d").kind);
  EXPECT_EQ(Kind::kNotExecutable, inspect(root_ + "/bin/d").kind);
  std::string other = program_of({});
  other[offsetof(Elf64_Ehdr, e_machine)] = 3;
  EXPECT_EQ(Kind::kForeign, inspect(make("f", other)).kind);
  const ElfParts for_musl = {"/lib/ld-musl-x86_64.so.1", {}, "", "", {}, {}};
  EXPECT_EQ(Kind::kMusl, inspect(make("m", built_elf(for_musl))).kind);
}

TEST_F(ProgramTest, PrivilegesOfAnotherUserCount) {
  const std::string path = make("p", program_of({}));
  chmod(path.c_str(), 04755);
  EXPECT_EQ(Kind::kDynamic, inspect(path).kind);  // setuid to the same user
  if (chown(path.c_str(), getuid() + 1, getgid()) != 0) {
    GTEST_SKIP() << "only root can give a file away";
  }
  chmod(path.c_str(), 04755);
  EXPECT_EQ(Kind::kPrivileged, inspect(path).kind);
}

TEST_F(ProgramTest, ScriptsAreFollowedToTheirInterpreter) {
  make("lib/libmpi.so.40", library_with({"MPI_Init", "ompi_mpi_comm_world"}));
  make("bin/solver", program_of({"libmpi.so.40"}));
  make("inner", "#!/usr/bin/env solver\n");
  const Program program = inspect(make("outer", "#!" + root_ + "/inner -x\n"));
  EXPECT_EQ(Kind::kDynamic, program.kind);
  EXPECT_EQ(root_ + "/outer", program.path);
  EXPECT_EQ(root_ + "/bin/solver", program.binary);
  EXPECT_EQ(Mpi::kOpenMpi, program.mpi);
  // A script that names itself as its interpreter does not loop for ever.
  EXPECT_EQ(Kind::kUnknown,
            inspect(make("self", "#!" + root_ + "/self\n")).kind);
}

TEST_F(ProgramTest, PythonHasTheMpiOfItsMpi4py) {
  make("lib/libmpich.so.12", library_with({"MPI_Init"}));
  make("bin/python3.11", program_of({}));
  std::filesystem::create_symlink("python3.11", root_ + "/bin/python3");
  const Program without = inspect("python3");
  EXPECT_TRUE(without.is_python);
  const std::string module =
      make("lib/python3.11/site-packages/mpi4py/MPI.cpython-311.so",
           program_of({"libmpich.so.12"}));
  EXPECT_EQ(Mpi::kMpich, inspect("python3").mpi);
  EXPECT_EQ(Mpi::kMpich, inspect(make("x.py", "#!/usr/bin/env python3\n")).mpi);
  // The interpreter of a virtual environment is a link to another interpreter.
  make("venv/lib/python3.11/site-packages/mpi4py/MPI.so", program_of({}));
  EXPECT_EQ(
      root_ + "/venv/lib/python3.11/site-packages/mpi4py/MPI.so",
      mpi4py_module(root_ + "/venv/bin/python", root_ + "/bin/python3.11", {}));
  // Packages of another version of Python are not taken; those of PYTHONPATH
  // are.
  EXPECT_NE(module, mpi4py_module(root_ + "/bin/python3.12",
                                  root_ + "/bin/python3.12", {}));
  EXPECT_EQ(
      module,
      mpi4py_module("/p/python3.12", "/p/python3.12",
                    {{"PYTHONPATH", root_ + "/lib/python3.11/site-packages"}}));
}

TEST_F(ProgramTest, ALoaderIsMeasuredAsItsProgram) {
  make("other/libmpi.so.12", library_with({"MPI_Init"}));
  const std::string solver = make("solver", program_of({"libmpi.so.12"}));
  const std::string serial = make("serial", program_of({}));
  const std::string loader = make("ld-linux-x86-64.so.2", built_elf({}));
  std::filesystem::create_directory(root_ + "/bin");
  std::filesystem::create_symlink(loader, root_ + "/bin/ld.so");
  const auto measured = [&](const std::vector<std::string>& words) {
    std::string name;
    Program program =
        measured_program(words, {{"PATH", root_ + "/bin"}}, {}, &name);
    EXPECT_EQ(program.path, path_of_command(name, {{"PATH", root_ + "/bin"}}));
    return program;
  };
  const Program with_mpi =
      measured({loader, "--inhibit-cache", "--argv0", "solver",
                "--library-path", root_ + "/other", solver, serial});
  EXPECT_EQ(solver, with_mpi.path);
  EXPECT_EQ(Mpi::kMpich, with_mpi.mpi);
  EXPECT_EQ(solver, measured({"ld.so", solver}).path);
  // The value of an option is not the program.
  EXPECT_EQ(serial, measured({loader, "--preload", solver, serial}).path);
  EXPECT_EQ(Kind::kDynamic, measured({loader, serial}).kind);
  EXPECT_EQ(Kind::kStatic, measured({loader, "--help"}).kind);
  EXPECT_EQ(Kind::kStatic,
            measured({make("ld-static", built_elf({})), serial}).kind);
}

}  // namespace
}  // namespace poprt
