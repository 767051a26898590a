// SPDX-License-Identifier: MIT
// Bandwidth of loads and stores over sizes, strides and mixes with arithmetic. All blocks of a grid are meant to run at the same
// time, each in a part of its own, so that the size is what the caches see.
#include "roofline/kernels/kernels.h"
#include "roofline/session.h"
#include "roofline/sizes.h"

#include <algorithm>

namespace hiplz::roofline {

namespace {

struct Shape {
  unsigned blocks, threads;
  bool once = false; ///< a launch goes through the data once, in blocks that need not be resident
};

// On processors a worker runs the warps of a block one after the other, and would go through a part of the block's part only:
// one warp a block, one block a worker. What no cache of a worker holds is read faster in many small blocks, where compiled code
// looks ahead from group to group: a long loop in one block has no more lines under way than the processor by itself, a quarter of
// the bandwidth on some machines.
Shape shapeFor(const Facts &facts, uint64_t bytes) {
  constexpr uint64_t kBeyondWorkers = 4 << 20; // bytes of each worker
  if (facts.kind == "CPU" && bytes / facts.units >= kBeyondWorkers)
    return {0, std::min(128u, facts.maxThreads), true};
  if (facts.kind == "CPU")
    return {facts.units, std::max(1u, facts.warpSize)};
  const unsigned threads = std::min(256u, facts.maxThreads);
  return {facts.units * std::max(1u, facts.residentThreads / threads), threads};
}

// Elements of the part of a block, where `arrays` together have about `bytes`; zero if they cannot be so few.
unsigned elementsOf(Shape &shape, uint64_t bytes, unsigned arrays, unsigned elementBytes, unsigned width) {
  const uint64_t granule = uint64_t{shape.threads} * accessesOf(width);
  if (shape.once) {
    shape.blocks = static_cast<unsigned>(std::min<uint64_t>(bytes / arrays / elementBytes / granule, 1u << 30));
    return static_cast<unsigned>(granule);
  }
  for (;;) {
    const uint64_t elements = bytes / arrays / elementBytes / shape.blocks / granule * granule;
    if (elements || shape.blocks == 1)
      return static_cast<unsigned>(std::min<uint64_t>(elements, 1u << 30));
    shape.blocks = (shape.blocks + 1) / 2;
  }
}

class MemoryBench {
public:
  MemoryBench(Session &session, uint64_t most) : session_(session), memory_(most), most_(most) {}

  std::optional<size_t> run(const MemoryKernel &kernel, uint64_t bytes, bool withEnergy) {
    const unsigned arrays = std::max(1u, kernel.loads + kernel.stores - (isUpdate(kernel) ? 1 : 0));
    Shape shape = shapeFor(session_.facts(), bytes);
    const unsigned elements = elementsOf(shape, std::min(bytes, most_), arrays, kernel.width * 4, kernel.width);
    if (!elements)
      return std::nullopt;
    const uint64_t each = uint64_t{elements} * shape.blocks * kernel.width * 4;
    Sample sample;
    sample.section = "bandwidth";
    sample.kernel = kernel.name;
    sample.bytes = each * arrays;
    sample.width = kernel.width;
    const double traffic = static_cast<double>(each) * (kernel.loads + kernel.stores);
    return measure(sample, kernel.function, shape, elements, each, traffic, withEnergy);
  }

  std::optional<size_t> runMixed(const MixedKernel &kernel, uint64_t bytes) {
    Shape shape = shapeFor(session_.facts(), bytes);
    const unsigned elements = elementsOf(shape, std::min(bytes, most_), 1, 4, 1);
    if (!elements)
      return std::nullopt;
    Sample sample;
    sample.section = "mixed";
    sample.kernel = kernel.name;
    sample.bytes = uint64_t{elements} * shape.blocks * 4;
    sample.width = 1;
    sample.intensity = 2.0 * kernel.mads / 4;
    const double operations = static_cast<double>(sample.bytes) * sample.intensity;
    sample.unit = "Gop/s";
    return measure(sample, kernel.function, shape, elements, 0, operations, false);
  }

  std::optional<size_t> runStrided(uint64_t bytes, unsigned stride) {
    Shape shape = shapeFor(session_.facts(), bytes);
    unsigned loads = elementsOf(shape, std::min(bytes, most_), 1, 4 * stride, 1);
    if (!loads)
      return std::nullopt;
    Sample sample;
    sample.section = "strided";
    sample.kernel = "read";
    sample.type = "float";
    sample.width = 1;
    sample.blocks = shape.blocks;
    sample.threads = shape.threads;
    sample.bytes = uint64_t{loads} * shape.blocks * stride * 4;
    sample.stride = stride * 4;
    sample.unit = "GB/s";
    void *out = memory_.get(), *in = out;
    float never = -1;
    const auto run = [&](unsigned passes) {
      return launch(stridedKernel(), shape, passes, [&](unsigned &each, auto go) {
        void *arguments[] = {&out, &in, &loads, &stride, &each, &never};
        return go(arguments);
      });
    };
    return add(sample, run, 4.0 * loads * shape.blocks, false);
  }

private:
  static bool isUpdate(const MemoryKernel &kernel) { return std::string(kernel.name) == "update"; }

  std::optional<size_t> measure(Sample &sample, const void *function, Shape shape, unsigned elements, uint64_t each,
                                double work, bool withEnergy) {
    sample.type = "float";
    sample.blocks = shape.blocks;
    sample.threads = shape.threads;
    if (sample.unit.empty())
      sample.unit = "GB/s";
    void *out = memory_.get(), *first = memory_.as<char>() + each, *second = memory_.as<char>() + 2 * each;
    if (sample.bytes <= each)
      first = out;
    float value = -1; // what writes leave is whole and seldom sums up to this; if it does, one store more
    const auto run = [&](unsigned passes) {
      return launch(function, shape, passes, [&](unsigned &each, auto go) {
        void *arguments[] = {&out, &first, &second, &elements, &each, &value};
        return go(arguments);
      });
    };
    return add(sample, run, work, withEnergy);
  }

  // Seconds of so many passes; `arguments` makes those of a launch with some of them.
  template <class Arguments>
  double launch(const void *function, const Shape &shape, unsigned passes, Arguments arguments) {
    unsigned each = shape.once ? 1 : passes;
    double seconds = 0;
    for (unsigned done = 0; done < passes; done += each)
      seconds +=
          arguments(each, [&](void **list) { return session_.launch(function, shape.blocks, shape.threads, list); });
    return seconds;
  }

  std::optional<size_t> add(Sample &sample, const std::function<double(unsigned)> &run, double work, bool withEnergy) {
    if (!session_.measure(sample, run, work, withEnergy))
      return std::nullopt;
    session_.result().samples.push_back(sample);
    return session_.result().samples.size() - 1;
  }

  Session &session_;
  DeviceMemory memory_;
  const uint64_t most_;
};

} // namespace

void measureBandwidth(Session &session) {
  const std::vector<uint64_t> sizes = bandwidthSizes(session.facts(), session.mode());
  MemoryBench bench(session, sizes.back());
  std::vector<MemoryKernel> kernels = memoryKernels();
  if (session.mode() != Mode::Full)
    std::erase_if(kernels, [&](const MemoryKernel &kernel) {
      return kernel.width != 1 &&
             (session.mode() == Mode::Smoke || kernel.width != 4 || std::string(kernel.name) != "read");
    });
  session.progress().steps(static_cast<unsigned>(kernels.size() * sizes.size()));
  for (const MemoryKernel &kernel : kernels)
    for (size_t index = 0; index < sizes.size(); ++index) {
      session.progress().step(std::string(kernel.name) + " x" + std::to_string(kernel.width));
      // One kernel shows where the steps are; of the others every second size, up to the largest, shows how high.
      const bool first = &kernel == &kernels.front();
      if (session.mode() != Mode::Quick || first || (sizes.size() - 1 - index) % 2 == 0)
        bench.run(kernel, sizes[index], session.mode() == Mode::Full);
    }
}

void measureStrides(Session &session) {
  const std::vector<uint64_t> sizes = bandwidthSizes(session.facts(), session.mode());
  MemoryBench bench(session, sizes.back());
  std::vector<unsigned> strides = {1, 2, 4, 8, 16, 32, 64, 128, 256};
  if (session.mode() != Mode::Full)
    strides = {1, 16, 64};
  // One size of the nearest cache and the largest, which is memory's.
  session.progress().steps(static_cast<unsigned>(strides.size()) * 2);
  for (const uint64_t bytes : {sizes[sizes.size() / 3], sizes.back()})
    for (const unsigned stride : strides) {
      session.progress().step(std::to_string(stride * 4) + " bytes");
      bench.runStrided(bytes, stride);
    }
}

void measureMixed(Session &session) {
  const std::vector<uint64_t> sizes = bandwidthSizes(session.facts(), session.mode());
  MemoryBench bench(session, sizes.back());
  std::vector<MixedKernel> kernels = mixedKernels();
  if (session.mode() != Mode::Full)
    std::erase_if(kernels,
                  [](const MixedKernel &kernel) { return kernel.mads != 1 && kernel.mads != 8 && kernel.mads != 64; });
  session.progress().steps(static_cast<unsigned>(kernels.size()) * 2);
  for (const uint64_t bytes : {nearSize(session.facts()), sizes.back()})
    for (const MixedKernel &kernel : kernels) {
      session.progress().step(kernel.name);
      bench.runMixed(kernel, bytes);
    }
}

void measureShared(Session &session) {
  DeviceMemory memory(256);
  void *out = memory.get();
  const Facts &facts = session.facts();
  const unsigned threads = std::min(256u, facts.maxThreads);
  const unsigned blocks = facts.units * (facts.kind == "CPU" ? 4 : 4 * std::max(1u, facts.residentThreads / threads));
  std::vector<unsigned> strides = {1, 2, 3, 4, 8, 16, 17, 32, 33};
  if (session.mode() != Mode::Full)
    strides = {1, 2, 32};
  session.progress().steps(static_cast<unsigned>(strides.size()) * 2);
  for (const bool stores : {false, true})
    for (unsigned stride : strides) {
      session.progress().step(stores ? "write" : "read");
      Sample sample;
      sample.section = "shared";
      sample.kernel = stores ? "write" : "read";
      sample.type = "float";
      sample.width = 1;
      sample.blocks = blocks;
      sample.threads = threads;
      sample.bytes = kTile * 4;
      sample.stride = stride * 4;
      sample.unit = "GB/s";
      float never = -1;
      const auto run = [&](unsigned iterations) {
        void *arguments[] = {&out, &stride, &iterations, &never};
        return session.launch(stores ? sharedWriteKernel() : sharedReadKernel(), blocks, threads, arguments);
      };
      if (session.measure(sample, run, 4.0 * kUnrolled * blocks * threads, session.mode() == Mode::Full))
        session.result().samples.push_back(sample);
    }
}

} // namespace hiplz::roofline
