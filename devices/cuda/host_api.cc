#include "devices/cuda/host_api.h"

#include <algorithm>
#include <iterator>

namespace poprt::cuda {
namespace {

// Begins of names of functions that may take time and launch nothing.
constexpr std::string_view kOthers[] = {
    // memory
    "Malloc", "Free", "MemAlloc", "MemFree", "MemHost", "HostAlloc",
    "HostRegister", "HostUnregister", "MemCreate", "MemRelease", "MemMap",
    "MemUnmap", "MemSetAccess", "MemAddress", "MemPool", "MemPrefetch",
    "MemDiscard", "MemAdvise", "MemBatchDecompress", "MemPeer", "Array",
    "Mipmapped", "IpcOpen", "IpcClose", "PeerRegister", "DeviceEnablePeer",
    "CtxEnablePeer", "ImportExternal", "DestroyExternal",
    // streams and events
    "StreamCreate", "StreamDestroy", "StreamQuery", "StreamWait", "StreamWrite",
    "StreamBatchMemOp", "StreamAddCallback", "StreamAttachMem",
    "LaunchHostFunc", "EventCreate", "EventDestroy", "EventQuery",
    "EventRecord", "SignalExternal", "WaitExternal", "CtxRecordEvent",
    "CtxWaitEvent",
    // code
    "ModuleLoad", "ModuleUnload", "LibraryLoad", "LibraryUnload", "FuncLoad",
    "Link", "CompilePtx", "GraphInstantiate", "GraphUpload", "GraphExec",
    "GraphDestroy",
    // devices
    "Init", "DeviceReset", "DevicePrimaryCtx", "CtxCreate", "CtxDestroy",
    "CtxDetach", "GreenCtx", "ThreadExit"};

// Of the form (to, from or value, size), with and without "Async".
constexpr std::string_view kSized[] = {"Memcpy", "Memset"};
// As these, if an address has 64 bits: of the driver's first version it had 32.
constexpr std::string_view kSizedOfDriver[] = {"MemcpyHtoD", "MemcpyDtoH",
                                               "MemcpyDtoD", "MemsetD8",
                                               "MemsetD16",  "MemsetD32"};

constexpr std::string_view kAsync = "Async";

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

template <class Names>
bool is_one_of(std::string_view name, const Names& names) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

// Without "cuda" or "cu", and without the version and the default stream behind
// it: "MemcpyAsync".
std::string_view bare(std::string_view name) {
  name.remove_prefix(std::min(name.find_first_not_of('_'), name.size()));
  for (const std::string_view prefix : {"cuda", "cu64", "cu"}) {
    if (name.substr(0, prefix.size()) != prefix) continue;
    name.remove_prefix(prefix.size());
    return name.substr(0, name.find('_'));
  }
  return {};
}

}  // namespace

HostApi host_api(std::string_view full_name) {
  const std::string_view name = bare(full_name);
  const auto begins = [name](std::string_view with) {
    return name.substr(0, with.size()) == with;
  };
  if (name.empty() || contains(name, "Get")) return HostApi::kNone;
  if (begins("StreamBeginCapture")) return HostApi::kBeginCapture;
  if (begins("StreamEndCapture")) return HostApi::kEndCapture;
  if (contains(name, "Synchronize")) return HostApi::kSynchronize;
  if (begins("Memset")) return HostApi::kSet;
  if (begins("Memcpy")) {
    if (contains(name, "Batch")) return HostApi::kLaunchMany;
    return contains(name, kAsync) ? HostApi::kCopyAsync : HostApi::kCopy;
  }
  for (const std::string_view other : kOthers) {
    if (begins(other)) return HostApi::kOther;
  }
  if (begins("GraphLaunch") || contains(name, "MultiDevice")) {
    return HostApi::kLaunchMany;
  }
  return begins("Launch") ? HostApi::kLaunch : HostApi::kNone;
}

bool third_argument_is_size(std::string_view full_name) {
  std::string_view name = bare(full_name);
  const bool is_async = name.size() > kAsync.size() &&
                        name.substr(name.size() - kAsync.size()) == kAsync;
  if (is_async) name.remove_suffix(kAsync.size());
  if (is_one_of(name, kSized)) return true;
  const bool has_long_addresses =
      contains(full_name, "_v2") || (is_async && name[3] == 's');
  return has_long_addresses && is_one_of(name, kSizedOfDriver);
}

bool is_of_communication_library(std::string_view kernel) {
  if (kernel.substr(0, 2) == "_Z") {
    const size_t begin = kernel.find_first_not_of("NL0123456789", 2);
    kernel.remove_prefix(std::min(begin, kernel.size()));
  }
  return kernel.substr(0, 4) == "nccl" || kernel.substr(0, 7) == "nvshmem";
}

}  // namespace poprt::cuda
