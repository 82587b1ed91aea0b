# Not tried: no Spack could be had where poprt is tested.
# A recipe for Spack: copy it to packages/poprt/package.py of a repository of your own.
from spack.package import *


class Poprt(CMakePackage):
    """POP efficiency metrics at the end of any MPI + OpenMP run, without recompilation and without traces."""

    git = "file:///path/to/a/clone/of/poprt"
    license("BSD-3-Clause")

    version("0.1.0", tag="v0.1.0")
    version("main", branch="main")

    variant("command", default=True, description="The command poprt, which starts programs and reads run files")
    variant("figures", default=True, when="+command", description="Figures as files")
    variant("papi", default=True, description="Hardware counters")
    variant("locations", default=True, description="Lines of sources in reports")
    variant("openmp", default=True, description="OpenMP, by LLVM's omp-tools.h")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.22:", type="build")
    depends_on("python@3.6:", type="build")
    depends_on("fmt@8.1:", type="build")
    depends_on("nlohmann-json@3.9:", type="build")
    # Only its mpi.h: the libraries use the program's MPI.
    depends_on("mpi")
    depends_on("llvm-openmp", when="+openmp", type="build")
    depends_on("papi", when="+papi")
    depends_on("elfutils", when="+locations")
    depends_on("hwloc@2.1:")
    depends_on("pkgconfig", type="build")
    depends_on("cli11@2:", when="+command", type="build")
    depends_on("zlib-api", when="+command")
    depends_on("node-js", when="+command", type="build")
    depends_on("npm", when="+command", type="build")
    depends_on("duktape", when="+figures")

    def cmake_args(self):
        mpi = self.spec["mpi"]
        name = "openmpi" if mpi.name == "openmpi" else "mpich"
        args = [
            self.define("POPRT_MPI", [name, "abi"]),
            self.define(f"POPRT_{name}_CC", mpi.mpicc),
            self.define_from_variant("POPRT_COMMAND", "command"),
        ]
        off = {"papi": "POPRT_PAPI_DIR", "locations": "POPRT_LIBDW", "openmp": "POPRT_OMP_TOOLS_DIR", "figures": "POPRT_DUKTAPE"}
        if "+openmp" in self.spec:
            args.append(self.define("POPRT_OMP_TOOLS_DIR", self.spec["llvm-openmp"].prefix.include))
        args += [self.define(option, False) for variant, option in off.items() if f"+{variant}" not in self.spec]
        return args
