// SPDX-License-Identifier: MIT
// A result with something of everything.
#pragma once
#include "roofline/result.h"

namespace hiplz::roofline {

inline Result exampleResult() {
  Result result;
  result.version = "1.0";
  result.date = "2024-01-02T03:04:05Z";
  result.mode = "quick";
  result.seconds = 12.5;
  result.drift = 0.01;
  result.energySource = "RAPL";
  result.device.name = "A <device> & \"more\"";
  result.device.uuid = "00112233-4455-6677-8899-aabbccddeeff";
  result.device.kind = "CPU";
  result.device.units = 2;
  result.device.lanesPerUnit = 32;
  result.device.lanesFormula = "16 lanes x 2 pipes";
  result.device.megahertz = 2500;
  result.device.warpSize = 32;
  result.device.maxThreads = 1024;
  result.device.residentThreads = 1024;
  result.device.memory = uint64_t{8} << 30;
  result.device.cache = 1 << 20;
  result.device.doubles = true;
  result.device.systemCaches = {{"L1", 48 << 10, 2, "system"}};
  const auto add = [&](const char *section, const char *kernel, const char *type, unsigned width, uint64_t bytes,
                       double value, const char *unit) {
    Sample sample;
    sample.section = section;
    sample.kernel = kernel;
    sample.type = type;
    sample.width = width;
    sample.bytes = bytes;
    sample.value = value;
    sample.unit = unit;
    sample.time = {0.01, 0.009, 0.02, 7};
    result.samples.push_back(sample);
  };
  add("throughput", "mad", "float", 1, 0, 250, "Gop/s");
  result.samples.back().chains = 4;
  result.samples.back().blocks = 16;
  result.samples.back().threads = 64;
  result.samples.back().watts = 20;
  result.samples.back().perJoule = 12.5;
  add("throughput", "mad", "float", 1, 0, 60, "Gop/s");
  result.samples.back().chains = 1;
  result.samples.back().blocks = 32;
  for (const uint64_t bytes : {uint64_t{32} << 10, uint64_t{1} << 20, uint64_t{256} << 20}) {
    add("bandwidth", "read", "float", 1, bytes, 300e3 / static_cast<double>(bytes >> 10), "GB/s");
    add("latency", "random", "", 0, bytes, static_cast<double>(bytes >> 12), "ns");
    add("mixed", "mixed_m4", "float", 1, bytes, 100, "Gop/s");
    result.samples.back().intensity = 2;
    add("copies", "host to device", "pinned", 0, bytes, 10, "GB/s");
  }
  add("atomics", "global, one counter", "int", 1, 0, 0.5, "Gop/s");
  add("overhead", "launch", "", 0, 0, 1.5, "us");
  result.levels = {{"L1", 48 << 10, 2, "latency", 1.5, 300}, {"memory", 0, 1, "latency", 90, 12}};
  result.peaks = {{"mad", "float", 250, 320, "2 units x 16 lanes", 0}};
  result.reference = 260;
  result.referenceShare = 0.96;
  result.referenceCode = "_mm512_fmadd_ps, 2 threads";
  result.notes = {"throughput mad double: failed"};
  return result;
}

} // namespace hiplz::roofline
