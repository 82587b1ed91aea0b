// The functions that enqueue commands: which operation each is, and whether the
// program may ask it to block.
#include <tuple>
#include <type_traits>
#include <utility>

#include "devices/opencl/commands.h"
#include "devices/opencl/layer.h"

namespace poprt::opencl {
namespace {

using Table = cl_icd_dispatch;

template <auto kEntry>
using FunctionOf =
    std::remove_reference_t<decltype(std::declval<Table&>().*kEntry)>;

constexpr int kNeverBlocks = -1;

// kBlocking: the number of the argument behind the queue that says so.
template <auto kEntry, OperationKind kKind, int kBlocking,
          class Function = FunctionOf<kEntry>>
struct Enqueue;

template <int kBlocking, class Arguments>
bool blocks(const Arguments& arguments) {
  if constexpr (kBlocking == kNeverBlocks) {
    return false;
  } else {
    return std::get<static_cast<size_t>(kBlocking)>(arguments) != CL_FALSE;
  }
}

// The last argument is a place for the event.
template <auto kEntry, OperationKind kKind, int kBlocking, class... Rest>
struct Enqueue<kEntry, kKind, kBlocking,
               cl_int(CL_API_CALL*)(cl_command_queue, Rest...)> {
  static cl_int CL_API_CALL call(cl_command_queue queue, Rest... rest) {
    std::tuple<Rest...> arguments(rest...);
    EnqueueCall enqueue(queue, kKind, blocks<kBlocking>(arguments),
                        &std::get<sizeof...(Rest) - 1>(arguments));
    const cl_int result = std::apply(
        [queue](Rest... all) {
          return (g_layer.below->*kEntry)(queue, all...);
        },
        arguments);
    enqueue.end(result);
    return result;
  }
};

// Memory is mapped: the last argument is a place for the result.
template <auto kEntry, OperationKind kKind, int kBlocking, class... Rest>
struct Enqueue<kEntry, kKind, kBlocking,
               void*(CL_API_CALL*)(cl_command_queue, Rest...)> {
  static void* CL_API_CALL call(cl_command_queue queue, Rest... rest) {
    std::tuple<Rest...> arguments(rest...);
    cl_int own_result = CL_SUCCESS;
    cl_int*& result = std::get<sizeof...(Rest) - 1>(arguments);
    if (result == nullptr) result = &own_result;
    EnqueueCall enqueue(queue, kKind, blocks<kBlocking>(arguments),
                        &std::get<sizeof...(Rest) - 2>(arguments));
    void* const memory = std::apply(
        [queue](Rest... all) {
          return (g_layer.below->*kEntry)(queue, all...);
        },
        arguments);
    enqueue.end(*result);
    return memory;
  }
};

template <auto kEntry, OperationKind kKind, int kBlocking = kNeverBlocks>
void put_enqueue(Table* table) {
  table->*kEntry = Enqueue<kEntry, kKind, kBlocking>::call;
}

}  // namespace

void put_command_functions(Table* table) {
  using enum OperationKind;
  put_enqueue<&Table::clEnqueueNDRangeKernel, kKernel>(table);
  put_enqueue<&Table::clEnqueueTask, kKernel>(table);
  put_enqueue<&Table::clEnqueueNativeKernel, kKernel>(table);
  put_enqueue<&Table::clEnqueueReadBuffer, kCopy, 1>(table);
  put_enqueue<&Table::clEnqueueReadBufferRect, kCopy, 1>(table);
  put_enqueue<&Table::clEnqueueReadImage, kCopy, 1>(table);
  put_enqueue<&Table::clEnqueueWriteBuffer, kCopy, 1>(table);
  put_enqueue<&Table::clEnqueueWriteBufferRect, kCopy, 1>(table);
  put_enqueue<&Table::clEnqueueWriteImage, kCopy, 1>(table);
  put_enqueue<&Table::clEnqueueCopyBuffer, kCopy>(table);
  put_enqueue<&Table::clEnqueueCopyBufferRect, kCopy>(table);
  put_enqueue<&Table::clEnqueueCopyImage, kCopy>(table);
  put_enqueue<&Table::clEnqueueCopyImageToBuffer, kCopy>(table);
  put_enqueue<&Table::clEnqueueCopyBufferToImage, kCopy>(table);
  put_enqueue<&Table::clEnqueueMapBuffer, kCopy, 1>(table);
  put_enqueue<&Table::clEnqueueMapImage, kCopy, 1>(table);
  put_enqueue<&Table::clEnqueueUnmapMemObject, kCopy>(table);
  put_enqueue<&Table::clEnqueueMigrateMemObjects, kCopy>(table);
  put_enqueue<&Table::clEnqueueFillBuffer, kSet>(table);
  put_enqueue<&Table::clEnqueueFillImage, kSet>(table);
  put_enqueue<&Table::clEnqueueSVMMemcpy, kCopy, 0>(table);
  put_enqueue<&Table::clEnqueueSVMMap, kCopy, 0>(table);
  put_enqueue<&Table::clEnqueueSVMUnmap, kCopy>(table);
  put_enqueue<&Table::clEnqueueSVMMigrateMem, kCopy>(table);
  put_enqueue<&Table::clEnqueueSVMMemFill, kSet>(table);
}

}  // namespace poprt::opencl
