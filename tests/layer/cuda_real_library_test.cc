// This layer's own declarations against CUPTI's headers, and its reading of
// records against the real library, which walks a buffer also where there is no
// driver.
#include <cupti.h>
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstring>
#include <string>
#include <vector>

#include "devices/cuda/cupti_library.h"
#include "devices/cuda/host_api.h"
#include "devices/cuda/records.h"

namespace poprt::cuda {
namespace {

static_assert(kOtherSubscriber ==
              CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED);
static_assert(kNotInitialized == CUPTI_ERROR_NOT_INITIALIZED);
static_assert(kDriverDomain == CUPTI_CB_DOMAIN_DRIVER_API);
static_assert(kRuntimeDomain == CUPTI_CB_DOMAIN_RUNTIME_API);
static_assert(kResourceDomain == CUPTI_CB_DOMAIN_RESOURCE);
static_assert(kSynchronizeDomain == CUPTI_CB_DOMAIN_SYNCHRONIZE);
static_assert(kContextDestroyStarting ==
              CUPTI_CBID_RESOURCE_CONTEXT_DESTROY_STARTING);
static_assert(kStreamSynchronized ==
              CUPTI_CBID_SYNCHRONIZE_STREAM_SYNCHRONIZED);
static_assert(kContextSynchronized ==
              CUPTI_CBID_SYNCHRONIZE_CONTEXT_SYNCHRONIZED);
static_assert(kForced == CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
static_assert(kBuffersPerThread ==
              CUPTI_ACTIVITY_ATTR_PER_THREAD_ACTIVITY_BUFFER);
static_assert(CUPTI_API_ENTER == 0 && CUPTI_API_EXIT == 1);

#define SAME_PLACE(Own, own, Theirs, theirs) \
  static_assert(offsetof(Own, own) == offsetof(Theirs, theirs))
SAME_PLACE(CallbackData, is_exit, CUpti_CallbackData, callbackSite);
SAME_PLACE(CallbackData, function_name, CUpti_CallbackData, functionName);
SAME_PLACE(CallbackData, arguments, CUpti_CallbackData, functionParams);
SAME_PLACE(CallbackData, return_value, CUpti_CallbackData, functionReturnValue);
SAME_PLACE(CallbackData, symbol_name, CUpti_CallbackData, symbolName);
SAME_PLACE(CallbackData, context, CUpti_CallbackData, context);
SAME_PLACE(CallbackData, context_id, CUpti_CallbackData, contextUid);
SAME_PLACE(CallbackData, of_call, CUpti_CallbackData, correlationData);
SAME_PLACE(CallbackData, correlation_id, CUpti_CallbackData, correlationId);
SAME_PLACE(ResourceData, context, CUpti_ResourceData, context);
SAME_PLACE(SubscriberParams, name, CUpti_SubscriberParams, subscriberName);
SAME_PLACE(SubscriberParams, other_name, CUpti_SubscriberParams,
           oldSubscriberName);
SAME_PLACE(SubscriberParams, other_size, CUpti_SubscriberParams,
           oldSubscriberSize);
static_assert(sizeof(SubscriberParams) == CUpti_SubscriberParams_STRUCT_SIZE);

// The library, which only this test needs.  Null: there is none here.
void* real_library() {
  static void* const library = dlopen(POPRT_REAL_CUPTI, RTLD_NOW | RTLD_LOCAL);
  return library;
}

template <class Function>
Function* real(const char* name) {
  return reinterpret_cast<Function*>(dlsym(real_library(), name));
}

#define NEEDS_LIBRARY()                                    \
  if (real_library() == nullptr) {                         \
    GTEST_SKIP() << "cannot load " POPRT_REAL_CUPTI        \
                    ": layouts of records "                \
                    "are only tested against its headers"; \
  }

template <class Theirs>
std::vector<uint8_t> bytes_of(const Theirs& record) {
  std::vector<uint8_t> bytes(sizeof record);
  std::memcpy(bytes.data(), &record, sizeof record);
  return bytes;
}

template <class Theirs>
Theirs filled(CUpti_ActivityKind kind, int number) {
  Theirs record;
  std::memset(static_cast<void*>(&record), 0x5c, sizeof record);
  record.kind = kind;
  record.start = 1000u + static_cast<uint64_t>(number);
  record.end = 2000u + static_cast<uint64_t>(number);
  record.deviceId = 3;
  record.contextId = 4;
  record.correlationId = 500u + static_cast<uint32_t>(number);
  return record;
}

void expect_read(const uint8_t* bytes, OperationKind kind, int number) {
  Record record;
  ASSERT_TRUE(read_record(bytes, &record));
  EXPECT_EQ(kind, record.kind);
  EXPECT_EQ(1000u + static_cast<uint64_t>(number), record.begin);
  EXPECT_EQ(2000u + static_cast<uint64_t>(number), record.end);
  EXPECT_EQ(3u, record.device);
  EXPECT_EQ(4u, record.context);
  EXPECT_EQ(500u + static_cast<uint32_t>(number), record.correlation);
}

template <class... Theirs>
void expect_all_read(CUpti_ActivityKind kind, OperationKind own) {
  (expect_read(bytes_of(filled<Theirs>(kind, sizeof(Theirs))).data(), own,
               sizeof(Theirs)),
   ...);
}

// Of CUDA 9 to 13.
TEST(CudaHeaders, RecordsOfAllVersionsAreRead) {
  expect_all_read<CUpti_ActivityKernel4, CUpti_ActivityKernel5,
                  CUpti_ActivityKernel6, CUpti_ActivityKernel7,
                  CUpti_ActivityKernel8, CUpti_ActivityKernel9,
                  CUpti_ActivityKernel10>(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL,
                                          OperationKind::kKernel);
  expect_all_read<CUpti_ActivityMemcpy3, CUpti_ActivityMemcpy4,
                  CUpti_ActivityMemcpy5, CUpti_ActivityMemcpy6>(
      CUPTI_ACTIVITY_KIND_MEMCPY, OperationKind::kCopy);
  expect_all_read<CUpti_ActivityMemcpyPtoP3, CUpti_ActivityMemcpyPtoP4>(
      CUPTI_ACTIVITY_KIND_MEMCPY2, OperationKind::kCopy);
  expect_all_read<CUpti_ActivityMemset2, CUpti_ActivityMemset3,
                  CUpti_ActivityMemset4>(CUPTI_ACTIVITY_KIND_MEMSET,
                                         OperationKind::kSet);
  expect_all_read<CUpti_ActivityGraphTrace, CUpti_ActivityGraphTrace2>(
      CUPTI_ACTIVITY_KIND_GRAPH_TRACE, OperationKind::kGraph);
}

template <class Theirs>
void append(std::vector<uint8_t>* buffer, const Theirs& record) {
  const std::vector<uint8_t> bytes = bytes_of(record);
  buffer->insert(buffer->end(), bytes.begin(), bytes.end());
}

TEST(CudaLibrary, WalksABufferOfSuchRecords) {
  NEEDS_LIBRARY();
  std::vector<uint8_t> buffer;
  constexpr int kEach = 20;
  for (int i = 0; i < kEach; ++i) {
    append(&buffer, filled<CUpti_ActivityKernel10>(
                        CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, i));
    append(&buffer,
           filled<CUpti_ActivityMemcpy6>(CUPTI_ACTIVITY_KIND_MEMCPY, i));
    append(&buffer,
           filled<CUpti_ActivityMemset4>(CUPTI_ACTIVITY_KIND_MEMSET, i));
    append(&buffer,
           filled<CUpti_ActivityMemcpyPtoP4>(CUPTI_ACTIVITY_KIND_MEMCPY2, i));
  }
  const auto next =
      real<int(uint8_t*, size_t, uint8_t**)>("cuptiActivityGetNextRecord");
  ASSERT_NE(nullptr, next);
  constexpr OperationKind kKinds[] = {OperationKind::kKernel,
                                      OperationKind::kCopy, OperationKind::kSet,
                                      OperationKind::kCopy};
  uint8_t* record = nullptr;
  int count = 0;
  while (next(buffer.data(), buffer.size(), &record) == kSuccess) {
    ASSERT_LT(count, 4 * kEach);
    expect_read(record, kKinds[count % 4], count / 4);
    ++count;
  }
  EXPECT_EQ(4 * kEach, count);
}

TEST(CudaLibrary, HasTheFunctionsAndTheirNames) {
  NEEDS_LIBRARY();
  uint32_t version = 0;
  const auto get_version = real<int(uint32_t*)>("cuptiGetVersion");
  ASSERT_NE(nullptr, get_version);
  EXPECT_EQ(kSuccess, get_version(&version));
  EXPECT_EQ(CUPTI_API_VERSION / 10000, version / 10000);
  const auto name_of =
      real<int(int, uint32_t, const char**)>("cuptiGetCallbackName");
  ASSERT_NE(nullptr, name_of);
  int launches_seen = 0;
  int copies_seen = 0;
  for (const int domain : {kDriverDomain, kRuntimeDomain}) {
    uint32_t id = 1;
    for (const char* text = nullptr; name_of(domain, id, &text) == kSuccess;
         ++id) {
      const std::string name = text;
      const auto has = [&](const char* part) {
        return name.find(part) != std::string::npos;
      };
      const HostApi api = host_api(name);
      if (has("Node") || has("Get") || has("HostFunc")) continue;
      if (has("LaunchKernel") || has("GraphLaunch")) {
        EXPECT_TRUE(api == HostApi::kLaunch || api == HostApi::kLaunchMany)
            << name;
        ++launches_seen;
      }
      if (has("Memcpy") || has("Memset")) {
        EXPECT_TRUE(launches(api)) << name;
        ++copies_seen;
      }
      if (has("Synchronize")) {
        EXPECT_EQ(HostApi::kSynchronize, api) << name;
      }
    }
    EXPECT_GT(id, 500u);
  }
  EXPECT_GT(launches_seen, 10);
  EXPECT_GT(copies_seen, 100);
}

// Nothing of the process may need a driver to learn that there is none.
TEST(CudaLibrary, WithoutADriverThisIsSaid) {
  if (void* const driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL)) {
    dlclose(driver);
    GTEST_SKIP() << "there is a driver here";
  }
  const LoadedCupti loaded = load_cupti({POPRT_REAL_CUPTI, ""});
  EXPECT_EQ("there is no driver (libcuda.so.1)", loaded.why_not);
  EXPECT_EQ(nullptr, dlerror());
}

}  // namespace
}  // namespace poprt::cuda
