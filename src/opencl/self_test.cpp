// SPDX-License-Identifier: MIT
// See self_test.h. The kernels are those of the folder probes.
#include "opencl/self_test.h"
#include "base/disk_cache.h"
#include "base/env.h"
#include "base/log.h"
#include "opencl/device.h"

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <thread>

#define HIPLZ_PROBE(name)                                                                                              \
  asm(".pushsection .rodata\n"                                                                                         \
      ".balign 16\n"                                                                                                   \
      "hiplz_opencl_" #name "_begin:\n"                                                                                \
      ".incbin \"" HIPLZ_OPENCL_PROBES "/" #name ".spv\"\n"                                                            \
      "hiplz_opencl_" #name "_end:\n"                                                                                  \
      ".popsection\n");                                                                                                \
  extern "C" const std::byte hiplz_opencl_##name##_begin[] __attribute__((visibility("hidden")));                      \
  extern "C" const std::byte hiplz_opencl_##name##_end[] __attribute__((visibility("hidden")));
HIPLZ_PROBE(doubles)
HIPLZ_PROBE(halfs)
HIPLZ_PROBE(atomics)
HIPLZ_PROBE(divergence)
HIPLZ_PROBE(subgroups)
HIPLZ_PROBE(votes)
HIPLZ_PROBE(variables)
HIPLZ_PROBE(launches)
#undef HIPLZ_PROBE

namespace hiplz::opencl {
namespace {

// Written by the kernels, 64 bits each; those behind keep what they were.
using Numbers = std::array<uint64_t, 256>;
using Group = std::array<size_t, 3>;
constexpr size_t kItems = 64;
constexpr uint64_t kNumber = 37;

constexpr std::pair<const char *, bool Abilities::*> kNames[] = {
    {"doubles", &Abilities::doubles},
    {"halfs", &Abilities::halfs},
    {"atomics64", &Abilities::atomics64},
    {"subgroups", &Abilities::subgroups},
    {"shaped-subgroups", &Abilities::shapedSubgroups},
    {"divergence", &Abilities::divergence},
    {"votes", &Abilities::votes},
    {"variables", &Abilities::variables},
    {"starts-unflushed", &Abilities::startsUnflushed},
};

/// A probe on a device, in a context of its own.
class Probe {
public:
  Probe(const Device &device, std::span<const std::byte> spirv) : device_(device), functions_(device.driver.memory()) {
    const cl_context_properties properties[] = {CL_CONTEXT_PLATFORM,
                                                reinterpret_cast<cl_context_properties>(device.driver.platform), 0};
    cl_int code = CL_SUCCESS;
    context_ = ClContext(cl().clCreateContext(properties, 1, &device.id, nullptr, nullptr, &code));
    checkCl(code, "clCreateContext");
    queue_ = ClQueue(cl().clCreateCommandQueueWithProperties(context_.get(), device.id, nullptr, &code));
    checkCl(code, "clCreateCommandQueueWithProperties");
    program_ = ClProgram(cl().clCreateProgramWithIL(context_.get(), spirv.data(), spirv.size(), &code));
    checkCl(code, "clCreateProgramWithIL");
    checkCl(cl().clBuildProgram(program_.get(), 1, &device.id, device.buildOptions().c_str(), nullptr, nullptr),
            "clBuildProgram");
    memory_ = functions_.allocDevice(context_.get(), device.id, nullptr, sizeof(Numbers), 8, &code);
    checkCl(code, "clDeviceMemAllocINTEL");
  }
  ~Probe() {
    if (memory_)
      functions_.free(context_.get(), memory_);
  }
  Probe(const Probe &) = delete;
  Probe &operator=(const Probe &) = delete;

  /// The kernel's output.
  Numbers run(const char *name, const Group &group) {
    cl_int code = CL_SUCCESS;
    const ClKernel kernel(cl().clCreateKernel(program_.get(), name, &code));
    checkCl(code, "clCreateKernel");
    Numbers numbers{};
    checkCl(functions_.copy(queue_.get(), CL_TRUE, memory_, &numbers, sizeof numbers, 0, nullptr, nullptr),
            "enqueueing a copy");
    checkCl(functions_.setArgument(kernel.get(), 0, memory_), "setting an address as an argument");
    checkCl(cl().clSetKernelArg(kernel.get(), 1, sizeof kNumber, &kNumber), "clSetKernelArg");
    checkCl(cl().clEnqueueNDRangeKernel(queue_.get(), kernel.get(), 3, nullptr, group.data(), group.data(), 0, nullptr,
                                        nullptr),
            "clEnqueueNDRangeKernel");
    checkCl(functions_.copy(queue_.get(), CL_TRUE, &numbers, memory_, sizeof numbers, 0, nullptr, nullptr),
            "enqueueing a copy");
    return numbers;
  }

  /// True if launches begin without a flush: one, a row of many, and one behind a command that waits. The host looks at memory, because
  /// asking OpenCL for their state may be a flush.
  bool startsUnflushed() {
    cl_int code = CL_SUCCESS;
    const ClKernel kernel(cl().clCreateKernel(program_.get(), "probe", &code));
    checkCl(code, "clCreateKernel");
    const ClEvent gate(cl().clCreateUserEvent(context_.get(), &code));
    checkCl(code, "clCreateUserEvent");
    const auto release = [this](void *memory) {
      cl().clFinish(queue_.get());
      functions_.free(context_.get(), memory);
    };
    const std::unique_ptr<void, decltype(release)> memory(
        functions_.allocHost(context_.get(), nullptr, sizeof(uint64_t), 8, &code), release);
    checkCl(code, "clHostMemAllocINTEL");
    volatile uint64_t *const sum = static_cast<uint64_t *>(memory.get());
    *sum = 0;
    checkCl(functions_.setArgument(kernel.get(), 0, memory.get()), "setting an address as an argument");
    checkCl(cl().clSetKernelArg(kernel.get(), 1, sizeof kNumber, &kNumber), "clSetKernelArg");
    uint64_t expected = 0;
    const auto launch = [&] {
      const size_t one = 1;
      checkCl(cl().clEnqueueNDRangeKernel(queue_.get(), kernel.get(), 1, nullptr, &one, &one, 0, nullptr, nullptr),
              "clEnqueueNDRangeKernel");
      expected += kNumber;
    };
    const auto ends = [&] {
      constexpr auto kPatience = std::chrono::milliseconds(500);
      for (const auto begin = std::chrono::steady_clock::now();
           *sum != expected && std::chrono::steady_clock::now() - begin < kPatience;)
        std::this_thread::sleep_for(std::chrono::microseconds(50));
      return *sum == expected;
    };
    launch();
    bool good = ends();
    for (int i = 0; i < 300; ++i)
      launch();
    good = good && ends();
    const cl_event awaited = gate.get();
    checkCl(cl().clEnqueueBarrierWithWaitList(queue_.get(), 1, &awaited, nullptr), "clEnqueueBarrierWithWaitList");
    checkCl(cl().clFlush(queue_.get()), "clFlush");
    launch();
    checkCl(cl().clSetUserEventStatus(awaited, CL_COMPLETE), "clSetUserEventStatus");
    return good && ends();
  }

  std::optional<uint64_t> addressOf(const char *variable) const {
    size_t size = 0;
    void *where = nullptr;
    if (!functions_.variable || functions_.variable(device_.id, program_.get(), variable, &size, &where) != CL_SUCCESS)
      return std::nullopt;
    return reinterpret_cast<uint64_t>(where);
  }

private:
  const Device &device_;
  const MemoryFunctions &functions_;
  ClContext context_;
  ClQueue queue_;
  ClProgram program_;
  void *memory_ = nullptr;
};

bool hasDoubles(Probe &probe) {
  const Numbers out = probe.run("probe", {1, 1, 1});
  return out[0] == std::bit_cast<uint64_t>(static_cast<double>(kNumber) / 3.0) && out[1] == kNumber * kNumber;
}

bool hasHalfs(Probe &probe) {
  const Numbers out = probe.run("probe", {1, 1, 1});
  return out[0] == 0x6559 && out[1] == kNumber; // 1369 has eleven bits; the fraction is cut off
}

bool hasAtomics64(Probe &probe) {
  const Numbers out = probe.run("probe", {kItems, 1, 1});
  return out[0] == kItems * kNumber && out[1] == kNumber << 40;
}

bool hasSubgroups(Probe &probe, const Group &group) {
  const Numbers out = probe.run("probe", group);
  for (uint64_t item = 0; item < kItems; ++item) {
    const uint64_t *mine = &out[4 * item], next = item / 32 * 32 + (item + 1) % 32;
    if (mine[0] != 32 || mine[1] != item % 32 || mine[2] != next + kNumber || mine[3] != 0x55555555)
      return false;
  }
  return true;
}

bool hasDivergence(Probe &probe) {
  const Numbers out = probe.run("probe", {kItems, 1, 1});
  for (uint64_t item = 0; item < kItems; ++item) {
    uint64_t ballot = 0, sum = 0;
    for (uint64_t lane = 0; lane < 32; ++lane) {
      const uint64_t other = item / 32 * 32 + lane;
      ballot |= static_cast<uint64_t>(other % 6 == 0) << lane;
    }
    for (uint64_t round = 0; round < item % 4; ++round)
      sum += 24 - 8 * round;
    if (out[2 * item] != (item % 3 == 0 ? ballot : kNumber) || out[2 * item + 1] != sum)
      return false;
  }
  return true;
}

bool hasVotes(Probe &probe) {
  const Numbers out = probe.run("probe", {kItems, 1, 1});
  for (uint64_t item = 0; item < kItems; ++item) {
    const bool votes = item % 2, isThere = item / 32 == kNumber / 32;
    if (out[2 * item] != (votes ? isThere : 2u) || out[2 * item + 1] != (votes ? !isThere : 2u))
      return false;
  }
  return true;
}

bool hasVariables(Probe &probe) {
  const auto address = probe.addressOf("value");
  const Numbers first = probe.run("probe", {1, 1, 1}), second = probe.run("again", {1, 1, 1});
  return address && first[0] == 5 && first[1] == *address && second[0] == 2 * kNumber && second[1] == *address;
}

struct Outcome {
  Abilities abilities;
  bool isFinal = true; ///< false: memory was short, so another process may find more
};

class SelfTest {
public:
  explicit SelfTest(const Device &device) : device_(device) {}
  Outcome run();

private:
  /// True if the test passes. If anything goes wrong in it, the device has to do without.
  template <class Test> bool passes(const char *what, std::span<const std::byte> spirv, Test test) {
    try {
      Probe probe(device_, spirv);
      if (test(probe))
        return true;
      HIPLZ_LOG_INFO("the self-test of %s on OpenCL's device %s: wrong results", what,
                     device_.text(CL_DEVICE_NAME).c_str());
    } catch (const Error &error) {
      outcome_.isFinal &=
          error.code != ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY && error.code != ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY;
      HIPLZ_LOG_INFO("the self-test of %s on OpenCL's device %s fails in %s", what,
                     device_.text(CL_DEVICE_NAME).c_str(), error.reason);
    }
    return false;
  }

  const Device &device_;
  Outcome outcome_;
};

#define HIPLZ_PROBE(name) std::span<const std::byte>(hiplz_opencl_##name##_begin, hiplz_opencl_##name##_end)

/// The device's own answers.
Abilities listedAbilities(const Device &device) {
  Abilities listed;
  listed.doubles = device.listsDoubles();
  listed.halfs = device.hasExtension("cl_khr_fp16");
  listed.atomics64 = device.hasExtension("cl_khr_int64_base_atomics");
  const auto sizes = device.listedSubgroupSizes();
  listed.subgroups = std::find(sizes.begin(), sizes.end(), 32u) != sizes.end();
  listed.shapedSubgroups = listed.divergence = listed.votes = listed.subgroups;
  listed.variables = device.driver.memory().variable;
  return listed;
}

Outcome SelfTest::run() {
  Abilities &found = outcome_.abilities;
  // An ability that the device does not list is not tried: there are implementations that end the process.
  const Abilities listed = listedAbilities(device_);
  found.doubles = listed.doubles && passes("doubles", HIPLZ_PROBE(doubles), hasDoubles);
  found.halfs = listed.halfs && passes("halfs", HIPLZ_PROBE(halfs), hasHalfs);
  found.atomics64 = listed.atomics64 && passes("atomic operations on 64 bits", HIPLZ_PROBE(atomics), hasAtomics64);
  if (listed.subgroups) {
    found.subgroups = passes("sub-groups of 32", HIPLZ_PROBE(subgroups), [&](Probe &probe) {
      const bool isRight = hasSubgroups(probe, {kItems, 1, 1});
      found.shapedSubgroups = isRight && hasSubgroups(probe, {8, 4, 2});
      return isRight;
    });
    found.divergence = found.subgroups && passes("sub-groups under branches", HIPLZ_PROBE(divergence), hasDivergence);
    found.votes = found.subgroups && passes("non-uniform votes", HIPLZ_PROBE(votes), hasVotes);
  }
  if (device_.isCpu() && sharesWithHost(device_.driver.memoryAccess()))
    found.startsUnflushed =
        passes("launches without a flush", HIPLZ_PROBE(launches), [](Probe &probe) { return probe.startsUnflushed(); });
  found.variables = listed.variables && passes("program-scope variables", HIPLZ_PROBE(variables), hasVariables);
  return outcome_;
}

/// Of the implementation and of the tests.
std::string keyOf(const Device &device) {
  std::string key = "abilities " + device.identity();
  for (const auto probe : {HIPLZ_PROBE(doubles), HIPLZ_PROBE(halfs), HIPLZ_PROBE(atomics), HIPLZ_PROBE(divergence),
                           HIPLZ_PROBE(subgroups), HIPLZ_PROBE(votes), HIPLZ_PROBE(variables), HIPLZ_PROBE(launches)})
    key += '\n' + contentKey(probe);
  return key;
}
#undef HIPLZ_PROBE

} // namespace

std::string Abilities::text() const {
  std::string text;
  for (const auto &[name, member] : kNames)
    if (this->*member)
      text += (text.empty() ? "" : " ") + std::string(name);
  return text;
}

Abilities Abilities::fromText(const std::string &text) {
  Abilities abilities;
  for (const auto &[name, member] : kNames)
    abilities.*member = listsExtension(text, name);
  return abilities;
}

Abilities testedAbilities(const Device &device) {
  if (!envFlag(EnvVar::HIPLZ_OPENCL_SELF_TEST))
    return listedAbilities(device);
  const DiskCache cache("opencl");
  const std::string key = keyOf(device);
  if (const auto known = cache.load(key))
    return Abilities::fromText({reinterpret_cast<const char *>(known->data()), known->size()});
  const Outcome outcome = SelfTest(device).run();
  const std::string text = outcome.abilities.text();
  HIPLZ_LOG_INFO("OpenCL's device %s has %s", device.text(CL_DEVICE_NAME).c_str(),
                 text.empty() ? "nothing" : text.c_str());
  if (outcome.isFinal)
    cache.store(key, std::as_bytes(std::span(text)));
  return outcome.abilities;
}

} // namespace hiplz::opencl
