// The functions that wait for commands or compile them.
#include "devices/opencl/layer.h"

namespace poprt::opencl {
namespace {

using Table = cl_icd_dispatch;

template <auto kEntry, DeviceCall kCall, class Function>
struct Call;

template <auto kEntry, DeviceCall kCall, class... Arguments>
struct Call<kEntry, kCall, cl_int(CL_API_CALL*)(Arguments...)> {
  static cl_int CL_API_CALL call(Arguments... arguments) {
    const CallScope scope(kCall);
    return (g_layer.below->*kEntry)(arguments...);
  }
};

template <auto kEntry, DeviceCall kCall, class Function>
void put(Function* place) {
  *place = Call<kEntry, kCall, Function>::call;
}

}  // namespace

void put_waiting_functions(Table* table) {
  using enum DeviceCall;
  put<&Table::clFinish, kWaiting>(&table->clFinish);
  put<&Table::clWaitForEvents, kWaiting>(&table->clWaitForEvents);
  put<&Table::clFlush, kLaunching>(&table->clFlush);
  put<&Table::clBuildProgram, kLaunching>(&table->clBuildProgram);
}

}  // namespace poprt::opencl
