// SPDX-License-Identifier: MIT
// Throughput of arithmetic: for each operation and type the shapes of the kernel, then blocks and threads for the best of them. On
// the CPU device, single-precision multiply-adds in turn with a loop of intrinsics.
#include "roofline/device_facts.h"
#include "roofline/kernels/kernels.h"
#include "roofline/processor_peak.h"
#include "roofline/session.h"

#include <algorithm>

namespace hiplz::roofline {

namespace {

const char *nameOf(Operation operation) {
  return operation == Operation::Add ? "add" : operation == Operation::Mad ? "mad" : "special";
}
const char *nameOf(ElementType type) {
  return type == ElementType::Int     ? "int"
         : type == ElementType::Half  ? "half"
         : type == ElementType::Float ? "float"
                                      : "double";
}
size_t sizeOf(ElementType type) { return type == ElementType::Half ? 2 : type == ElementType::Double ? 8 : 4; }

// The arguments of an arithmetic kernel; the values keep chains of multiply-adds where numbers are normal.
struct Arguments {
  void *out;
  double a = 0.5, b = 1; // of the kernel's type, so as bytes
  unsigned iterations = 0;

  Arguments(void *memory, const ThroughputKernel &kernel) : out(memory) {
    const bool special = kernel.operation == Operation::Special;
    switch (kernel.type) {
    case ElementType::Int: set(3, 1); break;
    case ElementType::Half: set<uint16_t>(0x3800, 0x3c00); break; // 0.5 and 1
    case ElementType::Float: set(special ? 2.F : 0.5F, 1.F); break;
    case ElementType::Double: set(special ? 2. : 0.5, 1.); break;
    }
  }
  template <class T> void set(T first, T second) {
    std::copy_n(reinterpret_cast<const char *>(&first), sizeof first, reinterpret_cast<char *>(&a));
    std::copy_n(reinterpret_cast<const char *>(&second), sizeof second, reinterpret_cast<char *>(&b));
  }
};

// In the least disturbed repetition: what to search by.
double bestRate(const Sample &sample) { return sample.value * sample.time.median / sample.time.best; }

class ThroughputBench {
public:
  explicit ThroughputBench(Session &session) : session_(session) {
    const Facts &facts = session.facts();
    threads_ = std::min(64u, facts.maxThreads);
    blocks_ = facts.units * 8;
    if (facts.kind != "CPU") { // as many as are resident at once, four times
      threads_ = std::min(256u, facts.maxThreads);
      blocks_ = facts.units * 4 * std::max(1u, facts.residentThreads / threads_);
    }
  }

  unsigned threads() const { return threads_; }
  unsigned blocks() const { return blocks_; }

  // Index of the sample, or nothing.
  std::optional<size_t> run(const ThroughputKernel &kernel, unsigned blocks, unsigned threads, bool withEnergy) {
    Sample sample;
    const bool special = kernel.operation == Operation::Special;
    sample.section = special ? "special" : "throughput";
    sample.kernel =
        special ? std::string(kernel.name).substr(0, std::string(kernel.name).rfind('_')) : nameOf(kernel.operation);
    sample.type = nameOf(kernel.type);
    sample.width = kernel.width;
    sample.chains = kernel.chains;
    sample.blocks = blocks;
    sample.threads = threads;
    sample.unit = "Gop/s";
    try {
      reserve(size_t{blocks} * threads * kernel.width * sizeOf(kernel.type));
    } catch (const DeviceError &error) {
      session_.note(sample.section + ": " + error.what());
      return std::nullopt;
    }
    Arguments values(memory_->get(), kernel);
    const double operations = double{kUnrolled} * kernel.chains * kernel.width * blocks * threads *
                              (kernel.operation == Operation::Mad ? 2 : 1);
    const auto launch = [&](unsigned iterations) {
      values.iterations = iterations;
      void *arguments[] = {&values.out, &values.a, &values.b, &values.iterations};
      return session_.launch(kernel.function, blocks, threads, arguments);
    };
    if (!session_.measure(sample, launch, operations, withEnergy))
      return std::nullopt;
    session_.result().samples.push_back(sample);
    return session_.result().samples.size() - 1;
  }

private:
  void reserve(size_t bytes) {
    if (bytes > bytes_) {
      memory_.reset();
      memory_ = std::make_unique<DeviceMemory>(bytes);
      bytes_ = bytes;
    }
  }

  Session &session_;
  unsigned threads_, blocks_;
  size_t bytes_ = 0;
  std::unique_ptr<DeviceMemory> memory_;
};

std::vector<ThroughputKernel> kernelsOf(const Session &session) {
  std::vector<ThroughputKernel> kernels = floatKernels();
  const auto add = [&](const std::vector<ThroughputKernel> &more) {
    kernels.insert(kernels.end(), more.begin(), more.end());
  };
  add(intKernels());
  add(halfKernels());
  if (session.facts().doubles)
    add(doubleKernels());
  // The dependent chain, and what has most often been the fastest.
  if (session.mode() != Mode::Full)
    std::erase_if(kernels, [&](const ThroughputKernel &kernel) {
      const unsigned shape = kernel.width * 100 + kernel.chains;
      const bool wanted =
          session.mode() == Mode::Quick ? shape == 101 || shape == 108 || shape == 402 || shape == 403 : shape == 104;
      return !wanted;
    });
  return kernels;
}

// The best number of blocks and threads; the samples of the search are part of the result.
void search(Session &session, ThroughputBench &bench, const ThroughputKernel &kernel, size_t &best) {
  const Facts &facts = session.facts();
  std::vector<unsigned> threads = {32, 64, 128, 256, 512, 1024}, factors = {1, 2, 4, 8, 16, 32, 64, 128};
  if (facts.kind != "CPU")
    factors = {1, 2, 4, 7, 8, 14, 16, 28, 32, 56, 64};
  if (session.mode() != Mode::Full) {
    threads = {32, 256};
    factors = {4, 128};
  }
  for (const unsigned count : threads)
    for (const unsigned factor : factors) {
      if (count > facts.maxThreads)
        continue;
      if (const auto index = bench.run(kernel, facts.units * factor, count, false);
          index && bestRate(session.result().samples[*index]) > bestRate(session.result().samples[best]))
        best = *index;
    }
}

// Single-precision multiply-adds of the kernel with the best shape and of intrinsics, in turn.
void compareWithProcessor(Session &session, const ThroughputKernel &kernel, const Sample &best) {
  Result &result = session.result();
  DeviceMemory memory(size_t{best.blocks} * best.threads * best.width * sizeof(float));
  Arguments values(memory.get(), kernel);
  const double operations = 2.0 * kUnrolled * kernel.chains * kernel.width * best.blocks * best.threads;
  const auto run = [&](unsigned iterations) {
    values.iterations = iterations;
    void *arguments[] = {&values.out, &values.a, &values.b, &values.iterations};
    return session.launch(kernel.function, best.blocks, best.threads, arguments);
  };
  // Long enough that launching and waking threads, which the loop of intrinsics has behind it, do not count.
  Effort effort = session.effort();
  effort.target = std::max(effort.target, 0.02);
  const unsigned iterations = calibrate(run, effort, 1u << 28);
  // The best of each: what disturbs one round would otherwise be taken for a difference between them.
  double reference = 0, device = 0;
  const unsigned rounds = session.mode() == Mode::Full ? 30 : session.mode() == Mode::Quick ? 15 : 1;
  for (unsigned round = 0; round < rounds; ++round) {
    reference = std::max(reference, processorPeak(session.facts().units, effort.target));
    if (const double seconds = run(iterations); seconds > 0)
      device = std::max(device, operations * iterations / seconds / 1e9);
  }
  result.reference = reference;
  if (device > 0)
    result.referenceShare = device / reference;
  result.referenceCode = std::string(processorCode().what) + ", " + std::to_string(session.facts().units) + " threads";
}

} // namespace

void measureThroughput(Session &session) {
  ThroughputBench bench(session);
  const std::vector<ThroughputKernel> kernels = kernelsOf(session);
  session.progress().steps(static_cast<unsigned>(kernels.size()) * 2);
  Result &result = session.result();
  for (size_t first = 0; first < kernels.size();) {
    // The kernels of one operation and type.
    size_t end = first;
    std::optional<size_t> best;
    size_t bestKernel = first;
    for (; end < kernels.size() && kernels[end].operation == kernels[first].operation &&
           kernels[end].type == kernels[first].type;
         ++end) {
      session.progress().step(kernels[end].name);
      const auto index = bench.run(kernels[end], bench.blocks(), bench.threads(), session.mode() == Mode::Full);
      if (index && (!best || bestRate(result.samples[*index]) > bestRate(result.samples[*best]))) {
        best = index;
        bestKernel = end;
      }
    }
    if (best) {
      const ThroughputKernel &kernel = kernels[bestKernel];
      for (size_t i = first; i < end; ++i)
        session.progress().step(std::string("grid of ") + kernel.name);
      search(session, bench, kernel, *best);
      // Once more, with the energy.
      const Sample sample = result.samples[*best];
      if (const auto again = bench.run(kernel, sample.blocks, sample.threads, true)) {
        if (result.samples[*again].value > sample.value)
          best = again;
        result.samples[*best].watts = result.samples[*again].watts;
        result.samples[*best].perJoule = result.samples[*again].perJoule;
      }
      Peak peak;
      peak.operation = nameOf(kernel.operation);
      peak.type = nameOf(kernel.type);
      peak.value = result.samples[*best].value;
      peak.theoretical = theoretical(session.facts(), peak.operation, peak.type, peak.formula);
      peak.sample = *best;
      result.peaks.push_back(peak);
      if (session.facts().kind == "CPU" && kernel.type == ElementType::Float && kernel.operation == Operation::Mad)
        compareWithProcessor(session, kernel, sample);
    }
    first = end;
  }
}

void measureSpecial(Session &session) {
  ThroughputBench bench(session);
  std::vector<ThroughputKernel> kernels = floatSpecialKernels();
  if (session.facts().doubles) {
    const std::vector<ThroughputKernel> more = doubleSpecialKernels();
    kernels.insert(kernels.end(), more.begin(), more.end());
  }
  if (session.mode() == Mode::Smoke)
    kernels.resize(1);
  session.progress().steps(static_cast<unsigned>(kernels.size()));
  for (const ThroughputKernel &kernel : kernels) {
    session.progress().step(kernel.name);
    bench.run(kernel, bench.blocks(), bench.threads(), session.mode() == Mode::Full);
  }
}

} // namespace hiplz::roofline
