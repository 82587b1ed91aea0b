// Which function of CUDA is what, by its name.
#include "devices/cuda/host_api.h"

#include <gtest/gtest.h>

namespace poprt::cuda {
namespace {

TEST(HostApi, IsToldByTheName) {
  for (const char* const name :
       {"cudaLaunch_v3020", "cudaLaunchKernel_v7000",
        "cudaLaunchKernel_ptsz_v7000", "cudaLaunchKernelExC_v11060",
        "cudaLaunchCooperativeKernel_v9000", "__cudaLaunchKernel_v13000",
        "cuLaunchKernel", "cuLaunchKernelEx_ptsz", "cuLaunchGridAsync"}) {
    EXPECT_EQ(HostApi::kLaunch, host_api(name)) << name;
  }
  for (const char* const name :
       {"cudaGraphLaunch_v10000", "cuGraphLaunch_ptsz",
        "cudaLaunchCooperativeKernelMultiDevice_v9000",
        "cuMemcpyBatchAsync_v2_ptsz", "cudaMemcpy3DBatchAsync_v12080"}) {
    EXPECT_EQ(HostApi::kLaunchMany, host_api(name)) << name;
  }
  for (const char* const name :
       {"cudaMemcpy_v3020", "cudaMemcpy2DArrayToArray_ptds_v7000",
        "cudaMemcpyPeer_v4000", "cuMemcpyHtoD_v2", "cu64MemcpyDtoH",
        "cuMemcpy3DPeer_ptds"}) {
    EXPECT_EQ(HostApi::kCopy, host_api(name)) << name;
  }
  for (const char* const name :
       {"cudaMemcpyAsync_v3020", "cudaMemcpyPeerAsync_v4000",
        "cuMemcpyDtoDAsync_v2_ptsz", "cudaMemcpy3DAsync_ptsz_v7000"}) {
    EXPECT_EQ(HostApi::kCopyAsync, host_api(name)) << name;
  }
  for (const char* const name : {"cudaMemset_v3020", "cudaMemset2DAsync_v3020",
                                 "cuMemsetD2D32_v2", "cuMemsetD8Async"}) {
    EXPECT_EQ(HostApi::kSet, host_api(name)) << name;
  }
  for (const char* const name :
       {"cudaDeviceSynchronize_v3020", "cudaStreamSynchronize_ptsz_v7000",
        "cudaEventSynchronize_v3020", "cudaThreadSynchronize_v3020",
        "cuCtxSynchronize_v2", "cuStreamSynchronize"}) {
    EXPECT_EQ(HostApi::kSynchronize, host_api(name)) << name;
  }
  EXPECT_EQ(HostApi::kBeginCapture, host_api("cudaStreamBeginCapture_v10000"));
  EXPECT_EQ(HostApi::kBeginCapture,
            host_api("cuStreamBeginCaptureToGraph_ptsz"));
  EXPECT_EQ(HostApi::kEndCapture, host_api("cuStreamEndCapture"));
  for (const char* const name :
       {"cudaMalloc_v3020", "cudaFreeAsync_v11020", "cuMemAllocManaged",
        "cudaHostRegister_v4000", "cudaStreamCreateWithFlags_v5000",
        "cudaStreamQuery_v3020", "cudaEventRecordWithFlags_ptsz_v11010",
        "cuStreamWaitEvent", "cuModuleLoadDataEx", "cudaDeviceReset_v3020",
        "cudaGraphInstantiate_v12000", "cuInit", "cuDevicePrimaryCtxRetain",
        "cudaLaunchHostFunc_v10000", "cuMemPrefetchAsync_v2"}) {
    EXPECT_EQ(HostApi::kOther, host_api(name)) << name;
  }
  for (const char* const name :
       {"", "INVALID", "cuda", "cudaGetDevice_v3020", "cudaGetLastError_v3020",
        "__cudaPushCallConfiguration_v13000", "cudaSetDevice_v3020",
        "cuMemGetInfo_v2", "cudaMemPoolGetAttribute", "cuCtxPushCurrent_v2",
        "cudaConfigureCall_v3020", "nvtxRangePush"}) {
    EXPECT_EQ(HostApi::kNone, host_api(name)) << name;
  }
}

TEST(HostApi, SaysWhatTheThreadDoes) {
  EXPECT_EQ(HostActivity::kWaiting, activity_in(HostApi::kSynchronize));
  EXPECT_EQ(HostActivity::kCopying, activity_in(HostApi::kCopy));
  EXPECT_EQ(HostActivity::kLaunching, activity_in(HostApi::kCopyAsync));
  EXPECT_EQ(HostActivity::kLaunching, activity_in(HostApi::kLaunch));
  EXPECT_EQ(HostActivity::kLaunching, activity_in(HostApi::kOther));
}

TEST(HostApi, SizesAreThirdArguments) {
  for (const char* const name :
       {"cudaMemcpy_v3020", "cudaMemcpyAsync_ptsz_v7000", "cudaMemset_v3020",
        "cuMemcpy", "cuMemcpyHtoD_v2", "cuMemcpyDtoDAsync_v2_ptsz",
        "cuMemsetD32_v2", "cuMemsetD8Async"}) {
    EXPECT_TRUE(third_argument_is_size(name)) << name;
  }
  for (const char* const name :
       {"cudaMemcpy2D_v3020", "cudaMemcpyToSymbol_v3020",
        "cudaMemcpyPeerAsync_v4000", "cuMemcpyHtoD", "cuMemcpyHtoDAsync",
        "cuMemsetD8", "cudaLaunchKernel_v7000", "cudaMemset2DAsync_v3020",
        ""}) {
    EXPECT_FALSE(third_argument_is_size(name)) << name;
  }
}

TEST(HostApi, KernelsOfCommunicationLibraries) {
  for (const char* const name :
       {"_Z40ncclDevKernel_AllReduce_Sum_f32_RING_LL24ncclDevKernelArgs",
        "ncclKernel", "_Z21nvshmemi_proxy_kernelv", "_ZN7nvshmem4waitEv"}) {
    EXPECT_TRUE(is_of_communication_library(name)) << name;
  }
  for (const char* const name : {"", "_Z", "_Z4busyPfi", "_Z9my_ncclopv"}) {
    EXPECT_FALSE(is_of_communication_library(name)) << name;
  }
}

}  // namespace
}  // namespace poprt::cuda
