// SPDX-License-Identifier: MIT
// SYCL on the CPU device: what a program gets that knows nothing of HIP. The host side needs no SYCL compiler; kernels are SPIR-V
// of OpenCL C, and SYCL source that Intel's runtime compiles while the program runs.
#include "check.h"

#include <sycl/sycl.hpp>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <numeric>
#include <thread>

namespace syclexp = sycl::ext::oneapi::experimental;

namespace {

using Executable = sycl::kernel_bundle<sycl::bundle_state::executable>;

sycl::queue inOrder() { return sycl::queue{sycl::property::queue::in_order{}}; }

template <class Source>
Executable build(const sycl::context &context, syclexp::source_language language, const Source &source) {
  auto bundle = syclexp::create_kernel_bundle_from_source(context, language, source);
  return syclexp::build(bundle);
}

Executable openClKernels(const sycl::context &context) {
  std::ifstream file(KERNELS, std::ios::binary);
  const std::vector<char> text((std::istreambuf_iterator<char>(file)), {});
  std::vector<std::byte> bytes(text.size());
  std::memcpy(bytes.data(), text.data(), text.size());
  return build(context, syclexp::source_language::spirv, bytes);
}

sycl::event addTo(sycl::queue &queue, const sycl::kernel &add, float *data, size_t count, float value,
                  const std::vector<sycl::event> &after = {}) {
  return queue.submit([&](sycl::handler &handler) {
    handler.depends_on(after);
    handler.set_args(data, value);
    handler.parallel_for(sycl::range<1>(count), add);
  });
}

const char *const kSource = R"(
#include <sycl/sycl.hpp>
namespace syclexp = sycl::ext::oneapi::experimental;
namespace item = sycl::ext::oneapi::this_work_item;

extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclexp::nd_range_kernel<1>))
void reverseInGroup(int *data, sycl::local_accessor<int, 1> scratch) {
  auto it = item::get_nd_item<1>();
  scratch[it.get_local_id(0)] = data[it.get_global_id(0)];
  sycl::group_barrier(it.get_group());
  data[it.get_global_id(0)] = scratch[it.get_local_range(0) - 1 - it.get_local_id(0)];
}

extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclexp::nd_range_kernel<1>))
void subGroups(const int *in, int *out) {
  auto it = item::get_nd_item<1>();
  auto sub = it.get_sub_group();
  int value = in[it.get_global_id(0)];
  int sum = sycl::reduce_over_group(sub, value, sycl::plus<>());
  int before = sycl::exclusive_scan_over_group(sub, 1, sycl::plus<>());
  int first = sycl::group_broadcast(sub, value, 0);
  int next = sycl::shift_group_left(sub, value, 1);
  bool any = sycl::any_of_group(sub, value == first);
  bool last = sub.get_local_linear_id() + 1 == sub.get_local_linear_range();
  out[it.get_global_id(0)] = sum + before + first + (last ? 0 : next - value) + (any ? 1 : 0);
}

extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclexp::nd_range_kernel<1>))
void reduceAll(const int *in, int *out) {
  auto it = item::get_nd_item<1>();
  int sum = sycl::reduce_over_group(it.get_group(), in[it.get_global_id(0)], sycl::plus<>());
  if (it.get_group().leader())
    sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::device>(*out) += sum;
}
)";

Executable syclKernels(const sycl::context &context) {
  static const Executable kernels = build(context, syclexp::source_language::sycl, std::string(kSource));
  return kernels;
}

void describesItself() {
  sycl::queue queue;
  const sycl::device device = queue.get_device();
  CHECK(device.is_gpu());
  CHECK(device.get_backend() == sycl::backend::ext_oneapi_level_zero);
  CHECK(!device.get_info<sycl::info::device::name>().empty());
  CHECK(device.has(sycl::aspect::usm_device_allocations) && device.has(sycl::aspect::usm_shared_allocations));
  CHECK(device.has(sycl::aspect::fp64));
  CHECK(device.get_info<sycl::info::device::max_compute_units>() > 0);
  CHECK(device.get_info<sycl::info::device::global_mem_size>() > 0);
  CHECK(device.get_info<sycl::info::device::local_mem_size>() > 0);
  CHECK(device.get_info<sycl::info::device::sub_group_sizes>() == std::vector<size_t>{32});
}

void unifiedSharedMemory() {
  sycl::queue queue = inOrder();
  constexpr size_t kCount = 1000;
  std::vector<float> host(kCount), back(kCount);
  std::iota(host.begin(), host.end(), 0.0f);
  auto *device = sycl::malloc_device<float>(kCount, queue);
  auto *shared = sycl::malloc_shared<float>(kCount, queue);
  auto *pinned = sycl::malloc_host<float>(kCount, queue);
  CHECK(sycl::get_pointer_type(device, queue.get_context()) == sycl::usm::alloc::device);
  CHECK(sycl::get_pointer_type(shared, queue.get_context()) == sycl::usm::alloc::shared);
  CHECK(sycl::get_pointer_type(pinned, queue.get_context()) == sycl::usm::alloc::host);
  CHECK(sycl::get_pointer_type(host.data(), queue.get_context()) == sycl::usm::alloc::unknown);
  for (int round = 0; round < 20; ++round) {
    queue.memcpy(device, host.data(), kCount * sizeof(float));
    queue.memcpy(shared, device, kCount * sizeof(float));
    queue.memcpy(pinned, shared, kCount * sizeof(float));
    queue.memset(device, 0, kCount * sizeof(float));
    queue.memcpy(shared, device, kCount * sizeof(float));
    queue.memcpy(back.data(), pinned, kCount * sizeof(float));
    queue.wait();
    CHECK(back == host);
    CHECK(std::all_of(shared, shared + kCount, [](float value) { return value == 0.0f; }));
  }
  for (float *pointer : {device, shared, pinned})
    sycl::free(pointer, queue);
}

// Everything a round leaves to the runtime is given back while the next rounds run: events, lists, staging memory.
void inOrderQueue() {
  sycl::queue queue = inOrder();
  const sycl::kernel add = openClKernels(queue.get_context()).ext_oneapi_get_kernel("add");
  constexpr size_t kCount = 4096;
  auto *data = sycl::malloc_device<float>(kCount, queue);
  for (int round = 0; round < 50; ++round) {
    std::vector<float> in(kCount, static_cast<float>(round)), out(kCount);
    queue.memcpy(data, in.data(), kCount * sizeof(float));
    for (int step = 0; step < 10; ++step)
      addTo(queue, add, data, kCount, 1.0f);
    queue.memcpy(out.data(), data, kCount * sizeof(float)).wait();
    CHECK(out == std::vector<float>(kCount, static_cast<float>(round) + 10.0f));
  }
  sycl::free(data, queue);
}

void outOfOrderQueue() {
  sycl::queue queue;
  const sycl::kernel add = openClKernels(queue.get_context()).ext_oneapi_get_kernel("add");
  constexpr size_t kCount = 4096;
  auto *a = sycl::malloc_shared<float>(kCount, queue), *b = sycl::malloc_shared<float>(kCount, queue);
  for (int round = 0; round < 50; ++round) {
    const sycl::event zeroA = queue.memset(a, 0, kCount * sizeof(float)),
                      zeroB = queue.memset(b, 0, kCount * sizeof(float));
    const sycl::event one = addTo(queue, add, a, kCount, 1.0f, {zeroA});
    const sycl::event two = addTo(queue, add, b, kCount, 2.0f, {zeroB});
    const sycl::event copied = queue.memcpy(a, b, kCount * sizeof(float), {one, two});
    addTo(queue, add, a, kCount, 3.0f, {copied}).wait();
    CHECK(std::all_of(a, a + kCount, [](float value) { return value == 5.0f; }));
  }
  sycl::free(a, queue);
  sycl::free(b, queue);
}

void eventsAndProfiling() {
  sycl::queue queue{sycl::property_list{sycl::property::queue::in_order{}, sycl::property::queue::enable_profiling{}}};
  const sycl::kernel add = openClKernels(queue.get_context()).ext_oneapi_get_kernel("add");
  auto *data = sycl::malloc_shared<float>(64, queue);
  queue.memset(data, 0, 64 * sizeof(float));
  const sycl::event done = addTo(queue, add, data, 64, 1.0f);
  sycl::event(done).wait();
  CHECK(data[63] == 1.0f);
  CHECK(done.get_info<sycl::info::event::command_execution_status>() == sycl::info::event_command_status::complete);
  const auto start = done.get_profiling_info<sycl::info::event_profiling::command_start>();
  const auto end = done.get_profiling_info<sycl::info::event_profiling::command_end>();
  CHECK(start > 0 && end >= start);
  sycl::queue other{queue.get_context(), queue.get_device()};
  queue.memset(data, 0, 64 * sizeof(float));
  const sycl::event last = addTo(queue, add, data, 64, 1.0f);
  other.ext_oneapi_submit_barrier({last}).wait();
  bool called = false;
  queue.submit([&](sycl::handler &handler) { handler.host_task([&] { called = true; }); });
  queue.wait();
  CHECK(called && data[63] == 1.0f);
  sycl::free(data, queue);
}

void queuesOfManyThreads() {
  sycl::queue queue;
  const sycl::kernel add = openClKernels(queue.get_context()).ext_oneapi_get_kernel("add");
  std::vector<std::thread> threads;
  std::vector<int> good(4);
  for (size_t index = 0; index < good.size(); ++index)
    threads.emplace_back([&, index] {
      sycl::queue own{queue.get_context(), queue.get_device(), sycl::property::queue::in_order{}};
      auto *data = sycl::malloc_shared<float>(256, own);
      own.memset(data, 0, 256 * sizeof(float));
      for (int step = 0; step < 100; ++step)
        addTo(own, add, data, 256, 1.0f);
      own.wait();
      good[index] = std::all_of(data, data + 256, [](float value) { return value == 100.0f; });
      sycl::free(data, own);
    });
  for (std::thread &thread : threads)
    thread.join();
  CHECK(good == std::vector<int>(4, 1));
}

void buffers() {
  sycl::queue queue;
  const sycl::kernel add = openClKernels(queue.get_context()).ext_oneapi_get_kernel("addBuffers");
  std::vector<float> a(1000, 1.0f), b(1000, 2.0f), sum(1000);
  {
    sycl::buffer<float> bufferA(a), bufferB(b), bufferSum(sum);
    for (int round = 0; round < 5; ++round)
      queue.submit([&](sycl::handler &handler) {
        handler.set_arg(0, bufferA.get_access<sycl::access_mode::read_write>(handler));
        handler.set_arg(1, bufferB.get_access<sycl::access_mode::read>(handler));
        handler.set_arg(2, bufferA.get_access<sycl::access_mode::read_write>(handler));
        handler.parallel_for(sycl::range<1>(a.size()), add);
      });
    queue.submit([&](sycl::handler &handler) {
      handler.copy(bufferA.get_access<sycl::access_mode::read>(handler),
                   bufferSum.get_access<sycl::access_mode::write>(handler));
    });
    const sycl::host_accessor host(bufferSum);
    CHECK(host[999] == 11.0f);
  }
  CHECK(sum == std::vector<float>(1000, 11.0f) && a == sum);
}

void localMemoryAndBarriers() {
  sycl::queue queue = inOrder();
  const sycl::kernel reverse = syclKernels(queue.get_context()).ext_oneapi_get_kernel("reverseInGroup");
  auto *data = sycl::malloc_shared<int>(256, queue);
  std::iota(data, data + 256, 0);
  queue.submit([&](sycl::handler &handler) {
    handler.set_arg(0, data);
    handler.set_arg(1, sycl::local_accessor<int, 1>(64, handler));
    handler.parallel_for(sycl::nd_range<1>(256, 64), reverse);
  });
  queue.wait();
  for (int index = 0; index < 256; ++index)
    CHECK(data[index] == index / 64 * 64 + 63 - index % 64);
  sycl::free(data, queue);
}

void subGroupFunctions() {
  sycl::queue queue = inOrder();
  const sycl::kernel kernel = syclKernels(queue.get_context()).ext_oneapi_get_kernel("subGroups");
  auto *in = sycl::malloc_shared<int>(128, queue), *out = sycl::malloc_shared<int>(128, queue);
  std::iota(in, in + 128, 0);
  queue.submit([&](sycl::handler &handler) {
    handler.set_args(in, out);
    handler.parallel_for(sycl::nd_range<1>(128, 64), kernel);
  });
  queue.wait();
  for (int index = 0; index < 128; ++index) {
    const int lane = index % 32, first = index - lane;
    CHECK(out[index] == 32 * first + 31 * 16 + lane + first + (lane == 31 ? 0 : 1) + 1);
  }
  sycl::free(in, queue);
  sycl::free(out, queue);
}

void reductions() {
  sycl::queue queue = inOrder();
  const sycl::kernel kernel = syclKernels(queue.get_context()).ext_oneapi_get_kernel("reduceAll");
  constexpr int kCount = 1 << 14;
  auto *in = sycl::malloc_shared<int>(kCount, queue), *out = sycl::malloc_shared<int>(1, queue);
  std::iota(in, in + kCount, 0);
  *out = 0;
  queue.submit([&](sycl::handler &handler) {
    handler.set_args(in, out);
    handler.parallel_for(sycl::nd_range<1>(kCount, 256), kernel);
  });
  queue.wait();
  CHECK(*out == kCount / 2 * (kCount - 1));
  sycl::free(in, queue);
  sycl::free(out, queue);
}

void images() {
  sycl::queue queue;
  CHECK(queue.get_device().has(sycl::aspect::ext_intel_legacy_image));
  CHECK(queue.get_device().get_info<sycl::info::device::image2d_max_width>() >= 8192);
  constexpr size_t kWidth = 16, kHeight = 8;
  std::vector<sycl::float4> in(kWidth * kHeight), out(in.size());
  for (size_t i = 0; i < in.size(); ++i)
    in[i] = {float(i % kWidth), float(i / kWidth), 1, float(i)};
  const sycl::kernel blur = openClKernels(queue.get_context()).ext_oneapi_get_kernel("blur");
  {
    constexpr auto kOrder = sycl::image_channel_order::rgba;
    constexpr auto kType = sycl::image_channel_type::fp32;
    sycl::image<2> from(in.data(), kOrder, kType, sycl::range<2>(kWidth, kHeight));
    sycl::image<2> to(out.data(), kOrder, kType, sycl::range<2>(kWidth, kHeight));
    sycl::sampler sampler(sycl::coordinate_normalization_mode::unnormalized, sycl::addressing_mode::clamp_to_edge,
                          sycl::filtering_mode::linear);
    queue.submit([&](sycl::handler &handler) {
      handler.set_args(from.get_access<sycl::float4, sycl::access::mode::read>(handler),
                       to.get_access<sycl::float4, sycl::access::mode::write>(handler), sampler);
      handler.parallel_for(sycl::range<2>(kHeight, kWidth), blur); // the last dimension is the first of OpenCL C
    });
  } // the image goes back to where it came from
  for (size_t i = 0; i < out.size(); ++i) {
    const size_t x = i % kWidth, y = i / kWidth;
    CHECK(out[i].x() == (x ? float(x) - 0.5f : 0) && out[i].y() == (y ? float(y) - 0.5f : 0) && out[i].z() == 1);
  }
}

void exceptions() {
  sycl::queue queue;
  bool refused = false;
  try {
    const std::vector<std::byte> noise(64);
    build(queue.get_context(), syclexp::source_language::spirv, noise);
  } catch (const sycl::exception &) {
    refused = true;
  }
  CHECK(refused);
  refused = false;
  try {
    const sycl::kernel add = openClKernels(queue.get_context()).ext_oneapi_get_kernel("add");
    auto *data = sycl::malloc_shared<float>(4096, queue);
    queue.submit([&](sycl::handler &handler) {
      handler.set_args(data, 1.0f);
      handler.parallel_for(sycl::nd_range<1>(4096, 4096), add); // more than a work-group may have
    });
    queue.wait();
  } catch (const sycl::exception &) {
    refused = true;
  }
  CHECK(refused);
}

} // namespace

int main(int argc, char **argv) {
  return runScenarios(argc, argv,
                      {{"describes itself", describesItself},
                       {"unified shared memory", unifiedSharedMemory},
                       {"in-order queue", inOrderQueue},
                       {"out-of-order queue", outOfOrderQueue},
                       {"events and profiling", eventsAndProfiling},
                       {"queues of many threads", queuesOfManyThreads},
                       {"buffers", buffers},
                       {"local memory and barriers", localMemoryAndBarriers},
                       {"sub-group functions", subGroupFunctions},
                       {"reductions", reductions},
                       {"images", images},
                       {"exceptions", exceptions}});
}
