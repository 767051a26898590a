// SPDX-License-Identifier: MIT
// The results of hiplz-roofline: facts about the device, measurements, and what is derived from them. Files and pictures are made
// of this alone, so that a saved result can be drawn and compared on any machine.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hiplz::roofline {

/// Repetitions of one measurement. Times are seconds of one repetition.
struct Statistics {
  double median = 0;
  double best = 0;
  double spread = 0; ///< distance of the quartiles as a share of the median
  unsigned repetitions = 0;
};

/// One measurement. Fields that mean nothing for it are zero or empty.
struct Sample {
  std::string section; ///< throughput, special, atomics, bandwidth, strided, shared, mixed, latency, copies, overhead
  std::string kernel;
  std::string type;    ///< int, half, float or double; of copies: the kind of host memory
  unsigned width = 0;  ///< elements of the vector type
  unsigned chains = 0; ///< independent chains of operations of a work-item
  unsigned blocks = 0;
  unsigned threads = 0; ///< of a block
  uint64_t bytes = 0;   ///< memory that the kernel goes through, or that is copied
  uint64_t stride = 0;  ///< bytes from one access to the next
  double intensity = 0; ///< operations for each byte
  double value = 0;     ///< in `unit`, from the median
  std::string unit;     ///< Gop/s, GB/s, ns or us; powers of ten
  Statistics time;
  std::optional<double> watts;    ///< while this kernel ran
  std::optional<double> perJoule; ///< operations or bytes, in thousand millions
};

/// A cache, or the memory behind them.
struct Level {
  std::string name;       ///< L1, L2, ..., memory
  uint64_t bytes = 0;     ///< of one instance; 0 for memory
  unsigned instances = 1; ///< how many of them the whole device has
  std::string source;     ///< "latency" or "system"
  double latency = 0;     ///< nanoseconds, 0 if not measured
  double bandwidth = 0;   ///< GB/s of all instances together, 0 if not measured
};

/// The best of all measurements of an operation.
struct Peak {
  std::string operation; ///< add or mad
  std::string type;
  double value = 0;       ///< Gop/s; a multiply-add is two
  double theoretical = 0; ///< Gop/s, 0 if not known
  std::string formula;    ///< where that comes from
  size_t sample = 0;      ///< index of the measurement
};

struct Facts {
  std::string name, uuid, kind; ///< kind: GPU or CPU
  unsigned units = 0;           ///< what runs work-groups: multiprocessors, worker threads
  unsigned lanesPerUnit = 0;    ///< single-precision operations that a unit starts in a cycle
  std::string lanesFormula;     ///< how that number comes about
  double megahertz = 0;
  unsigned warpSize = 0;
  unsigned maxThreads = 0;      ///< of a block
  unsigned residentThreads = 0; ///< of a unit
  uint64_t memory = 0;
  uint64_t cache = 0; ///< as the device reports it
  bool doubles = false;
  std::vector<Level> systemCaches; ///< what Linux says, of the CPU device only
};

struct Result {
  std::string version; ///< of HIPLZ
  std::string date;    ///< ISO 8601, UTC
  std::string mode;    ///< full, quick or smoke
  double seconds = 0;
  Facts device;
  std::vector<Sample> samples;
  std::vector<Level> levels; ///< found by latency
  std::vector<Peak> peaks;
  std::optional<double> reference;      ///< Gop/s of intrinsics on the CPU device, single precision, same program
  std::optional<double> referenceShare; ///< of the device's kernel measured in turn with them
  std::string referenceCode;            ///< what the intrinsics are
  std::optional<double> drift;    ///< of the clock between the sections (ClockProbe), as a share; nothing: not known
  std::string energySource;       ///< or why there is none
  std::vector<std::string> notes; ///< sentences: what could not be measured and why
};

/// The names of the schema, version 1 (docs/roofline.md).
constexpr int kSchema = 1;

} // namespace hiplz::roofline
