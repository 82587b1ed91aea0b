// Runtimes of accelerators in the process: what runs on devices is not
// measured.
#ifndef POPRT_SESSION_DEVICE_RUNTIMES_H_
#define POPRT_SESSION_DEVICE_RUNTIMES_H_

#include <string>
#include <vector>

namespace poprt {

// A program or library in a process.
struct LoadedImage {
  std::string name;                 // of its file, without folder
  std::vector<std::string> needed;  // names of the libraries that it links
  bool is_own_of_mpi = false;
};

// The runtimes of accelerators (CUDA, HIP, Level Zero, OpenCL, LLVM's
// offloading) that the program, or a library of it, has linked or opened.  Not
// those that only plugins of MPI and hwloc have, which look for devices on
// behalf of no program.
std::vector<std::string> device_runtimes_among(
    const std::vector<LoadedImage>& images);

// Whether the host, below `root` ("": this one), certainly has no accelerator
// for a library that only looks for drivers when it is used (OpenCL, Level
// Zero): no file of a device, and no driver of OpenCL.
bool has_no_accelerator(const std::string& root);

// Those of this process, as it is now, but for those that have nothing to run.
std::vector<std::string> device_runtimes();

}  // namespace poprt

#endif  // POPRT_SESSION_DEVICE_RUNTIMES_H_
