// SPDX-License-Identifier: MIT
#include "roofline/device_facts.h"

#include "hip/hip_runtime_api.h"
#include "hiplz/interop.h"
#include "roofline/processor_peak.h"
#include "roofline/session.h"
#include "roofline/system_caches.h"

#include <level_zero/ze_api.h>

#include <algorithm>
#include <cstdio>

namespace hiplz::roofline {

namespace {

std::string uuidText(const char *bytes) {
  std::string text;
  for (int i = 0; i < 16; ++i) {
    char digits[3];
    std::snprintf(digits, sizeof digits, "%02x", static_cast<unsigned char>(bytes[i]));
    text += (i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "") + std::string(digits);
  }
  return text;
}

} // namespace

Facts readFacts(int device) {
  hipDeviceProp_t properties;
  check(hipGetDeviceProperties(&properties, device), "hipGetDeviceProperties");
  Facts facts;
  facts.name = properties.name;
  facts.uuid = uuidText(properties.uuid.bytes);
  facts.units = static_cast<unsigned>(properties.multiProcessorCount);
  facts.megahertz = properties.clockRate / 1000.0;
  facts.warpSize = static_cast<unsigned>(properties.warpSize);
  facts.maxThreads = static_cast<unsigned>(properties.maxThreadsPerBlock);
  facts.residentThreads = static_cast<unsigned>(properties.maxThreadsPerMultiProcessor);
  facts.memory = properties.totalGlobalMem;
  facts.cache = static_cast<uint64_t>(std::max(0, properties.l2CacheSize));
  facts.doubles = properties.arch.hasDoubles != 0;
  facts.kind = "GPU";
  ze_device_handle_t native = nullptr;
  ze_device_properties_t ze{};
  ze.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES;
  check(hiplzGetNativeDevice(device, &native), "hiplzGetNativeDevice");
  if (zeDeviceGetProperties(native, &ze) == ZE_RESULT_SUCCESS && ze.type == ZE_DEVICE_TYPE_CPU)
    facts.kind = "CPU";
  if (facts.kind == "CPU") {
    const ProcessorCode &code = processorCode();
    facts.lanesPerUnit = code.lanes * kProcessorPipes;
    facts.lanesFormula = std::to_string(code.lanes) + " lanes (" + code.name + ") x " +
                         std::to_string(kProcessorPipes) + " pipes (assumed)";
    facts.systemCaches = systemCaches();
  } else {
    // The driver counts the lanes of all pipes of an execution unit: 8 on Gen9, which are 2 pipes of 4.
    facts.lanesPerUnit = ze.numEUsPerSubslice * ze.physicalEUSimdWidth;
    facts.lanesFormula = std::to_string(ze.numEUsPerSubslice) + " execution units x " +
                         std::to_string(ze.physicalEUSimdWidth) + " lanes";
  }
  return facts;
}

double theoretical(const Facts &facts, const std::string &operation, const std::string &type, std::string &formula) {
  const bool cpu = facts.kind == "CPU";
  // Of the other types neither the properties of a GPU nor those of a processor say how many a unit starts in a cycle.
  double factor = 1;
  if (type == "double" && cpu)
    factor = 0.5;
  else if (type != "float" && !(type == "int" && operation == "add"))
    return 0;
  if (operation == "mad")
    factor *= 2;
  const double value = facts.units * facts.lanesPerUnit * factor * facts.megahertz / 1000;
  if (value <= 0)
    return 0;
  char text[200];
  std::snprintf(text, sizeof text, "%u units x %s%s%s x %g MHz", facts.units, facts.lanesFormula.c_str(),
                type == "double" ? " x 1/2 (64 bits)" : "", operation == "mad" ? " x 2 operations" : "",
                facts.megahertz);
  formula = text;
  return value;
}

} // namespace hiplz::roofline
