// The functions that wait for commands or compile them.
#include "devices/opencl/layer.h"

namespace poprt::opencl {
namespace {

using Table = cl_icd_dispatch;

template <auto kEntry, HostActivity kCall, class Function>
struct PlainCall;

template <auto kEntry, HostActivity kCall, class... Arguments>
struct PlainCall<kEntry, kCall, cl_int(CL_API_CALL*)(Arguments...)> {
  static cl_int CL_API_CALL call(Arguments... arguments) {
    const CallScope scope(kCall);
    return (g_layer.below->*kEntry)(arguments...);
  }
};

template <auto kEntry, HostActivity kCall, class Function>
void put_call(Function* place) {
  *place = PlainCall<kEntry, kCall, Function>::call;
}

}  // namespace

void put_waiting_functions(Table* table) {
  using enum HostActivity;
  put_call<&Table::clFinish, kWaiting>(&table->clFinish);
  put_call<&Table::clWaitForEvents, kWaiting>(&table->clWaitForEvents);
  put_call<&Table::clFlush, kLaunching>(&table->clFlush);
  put_call<&Table::clBuildProgram, kLaunching>(&table->clBuildProgram);
}

}  // namespace poprt::opencl
