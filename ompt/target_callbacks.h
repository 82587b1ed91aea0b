// Regions and operations of `target` constructs, and how they reach this tool.
#ifndef POPRT_OMPT_TARGET_CALLBACKS_H_
#define POPRT_OMPT_TARGET_CALLBACKS_H_

#include <vector>

#include "ompt/callbacks.h"

namespace poprt::ompt {

// Empty if the user does not want devices of OpenMP.  A runtime that lacks some
// of these events has no devices, or a note (note_targets()).
std::vector<Registration> target_callbacks();
// The runtime has started: at the end of the run there is a note if target
// regions may have been, and were not seen.
void note_targets();

// The library by which LLVM's library of devices finds the tool's callbacks
// (target_bridge.cc).
inline constexpr const char* kBridgeFile = "poprt-libomp.so";
enum class TargetBridge { kUnneeded, kOpen, kMissing };
TargetBridge target_bridge();
// Opens it if it is needed, once.  `own_code`: an address in this library,
// beside which it is.
void open_target_bridge(const void* own_code);

}  // namespace poprt::ompt

#endif  // POPRT_OMPT_TARGET_CALLBACKS_H_
