// SPDX-License-Identifier: MIT
// The runtime's answers about its devices agree with one another.
#include "check.h"

#include <cstdlib>
#include <cstring>
#include <regex>
#include <string>

#pragma clang diagnostic ignored "-Wdeprecated-declarations" // contexts are deprecated in HIP and used nevertheless

// Ways in which programs for AMD's GPUs take the name apart: the part before a colon, a number in decimal or hexadecimal digits,
// the generation in front of its last two digits. Those from 10 on have warps of 32 lanes.
void checkArchitecture(const hipDeviceProp_t &prop) {
  const std::string whole = prop.gcnArchName, name = whole.substr(0, whole.find(':'));
  CHECK(std::regex_match(whole, std::regex("gfx[0-9a-f]+(:[a-z]+[+-])*")));
  CHECK_EQ(name.rfind("gfx", 0), size_t(0));
  CHECK_EQ(std::atoi(name.c_str() + 3), prop.gcnArch);
  CHECK_EQ(std::strtol(name.c_str() + 3, nullptr, 16) >> 8, 0x10);
  CHECK(std::stoi(name.substr(3, name.size() - 5)) >= 10);
  // Host code that knows the GPU counts on kernels that were compiled for it.
  for (const char *known : {"gfx1010", "gfx1030", "gfx1100", "gfx1200", "gfx90a"})
    CHECK(name.find(known) == name.npos);
}

int main() {
  int count = 0;
  HIP_CHECK(hipInit(0));
  CHECK_EQ(hipInit(1), hipErrorInvalidValue);
  HIP_CHECK(hipGetDeviceCount(&count));
  CHECK(count >= 1);
  for (int device = 0; device < count; ++device) {
    HIP_CHECK(hipSetDevice(device));
    int current = -1;
    HIP_CHECK(hipGetDevice(&current));
    CHECK_EQ(current, device);
    hipDeviceProp_t prop;
    HIP_CHECK(hipGetDeviceProperties(&prop, device));
    CHECK(prop.name[0] != 0);
    CHECK_EQ(prop.warpSize, 32);
    checkArchitecture(prop);
    CHECK(prop.multiProcessorCount >= 1);
    CHECK(prop.maxThreadsPerBlock >= 32 && prop.maxThreadsPerMultiProcessor >= prop.maxThreadsPerBlock);
    CHECK(prop.maxThreadsDim[0] >= 32 && prop.maxGridSize[0] >= 65535);
    CHECK(prop.sharedMemPerBlock >= 16384);
    CHECK(prop.totalGlobalMem > 0 && prop.totalConstMem > 0);
    CHECK(prop.regsPerBlock > 0);
    CHECK(prop.managedMemory == 1 && prop.unifiedAddressing == 1 && prop.canMapHostMemory == 1);
    CHECK(prop.arch.hasWarpShuffle && prop.arch.hasGlobalInt32Atomics);

    struct {
      hipDeviceAttribute_t attribute;
      long long value;
    } const attributes[] = {
        {hipDeviceAttributeWarpSize, prop.warpSize},
        {hipDeviceAttributeMaxThreadsPerBlock, prop.maxThreadsPerBlock},
        {hipDeviceAttributeMaxBlockDimZ, prop.maxThreadsDim[2]},
        {hipDeviceAttributeMaxGridDimY, prop.maxGridSize[1]},
        {hipDeviceAttributeMultiprocessorCount, prop.multiProcessorCount},
        {hipDeviceAttributeMaxSharedMemoryPerBlock, static_cast<long long>(prop.sharedMemPerBlock)},
        {hipDeviceAttributeClockRate, prop.clockRate},
        {hipDeviceAttributeComputeCapabilityMajor, prop.major},
        {hipDeviceAttributePciBusId, prop.pciBusID},
        {hipDeviceAttributeIntegrated, prop.integrated},
        {hipDeviceAttributeManagedMemory, prop.managedMemory},
    };
    for (const auto &expected : attributes) {
      int value = -1;
      HIP_CHECK(hipDeviceGetAttribute(&value, expected.attribute, device));
      CHECK_EQ(value, expected.value);
    }
    // Every attribute that HIP 6.4 names is answered.
    for (int attribute = hipDeviceAttributeCudaCompatibleBegin;
         attribute <= hipDeviceAttributeMemoryPoolSupportedHandleTypes; ++attribute) {
      int value;
      const bool unused = attribute == hipDeviceAttributeUnused1 || attribute == hipDeviceAttributeUnused2 ||
                          attribute == hipDeviceAttributeLuid;
      CHECK_EQ(hipDeviceGetAttribute(&value, static_cast<hipDeviceAttribute_t>(attribute), device),
               unused ? hipErrorInvalidValue : hipSuccess);
    }

    hipDeviceProp_tR0000 older;
    HIP_CHECK(hipGetDevicePropertiesR0000(&older, device));
    CHECK(std::strcmp(older.name, prop.name) == 0 && older.totalGlobalMem == prop.totalGlobalMem);
    int chosen = -1;
    HIP_CHECK(hipChooseDevice(&chosen, &prop));
    CHECK(chosen >= 0 && chosen <= device); // the first of equals

    hipDevice_t handle;
    char name[256], bus[32], tooShort[4];
    size_t total;
    int major, minor, found = -1;
    hipUUID uuid;
    HIP_CHECK(hipDeviceGet(&handle, device));
    HIP_CHECK(hipDeviceGetName(name, sizeof name, handle));
    CHECK(std::strcmp(name, prop.name) == 0);
    HIP_CHECK(hipDeviceTotalMem(&total, handle));
    CHECK_EQ(total, prop.totalGlobalMem);
    HIP_CHECK(hipDeviceComputeCapability(&major, &minor, handle));
    CHECK(major == prop.major && minor == prop.minor);
    HIP_CHECK(hipDeviceGetUuid(&uuid, handle));
    CHECK(std::memcmp(uuid.bytes, prop.uuid.bytes, sizeof uuid.bytes) == 0);
    HIP_CHECK(hipDeviceGetPCIBusId(bus, sizeof bus, device));
    HIP_CHECK(hipDeviceGetByPCIBusId(&found, bus));
    CHECK_EQ(found, device);
    std::string address = bus;
    HIP_CHECK(hipDeviceGetByPCIBusId(&found, address.substr(0, address.rfind('.')).c_str()));
    CHECK(found >= 0 && found <= device); // devices that differ in the function alone are parts of one
    if (prop.pciDomainID == 0) {
      HIP_CHECK(hipDeviceGetByPCIBusId(&found, address.substr(address.find(':') + 1).c_str()));
      CHECK_EQ(found, device);
    }
    for (char function = '0'; function < '8'; ++function) {
      address.back() = function;
      if (hipDeviceGetByPCIBusId(&found, address.c_str()) == hipSuccess)
        CHECK(function == bus[std::strlen(bus) - 1] || found != device);
    }
    (void)hipGetLastError();
    CHECK_EQ(hipDeviceGetPCIBusId(tooShort, sizeof tooShort, device), hipErrorInvalidValue);
    size_t limit;
    HIP_CHECK(hipDeviceGetLimit(&limit, hipLimitPrintfFifoSize));
    HIP_CHECK(hipDeviceSetLimit(hipLimitPrintfFifoSize, limit));
    CHECK_EQ(hipDeviceSetLimit(hipLimitPrintfFifoSize, SIZE_MAX), hipErrorInvalidValue);
    HIP_CHECK(hipDeviceGetLimit(&limit, hipLimitMallocHeapSize));
    CHECK_EQ(limit, size_t{8} << 20);
    HIP_CHECK(hipDeviceGetLimit(&limit, hipLimitStackSize));
    CHECK_EQ(limit, 1024u);
    for (size_t wanted : {65536, 262072, 1024}) {
      HIP_CHECK(hipDeviceSetLimit(hipLimitStackSize, wanted));
      HIP_CHECK(hipDeviceGetLimit(&limit, hipLimitStackSize));
      CHECK_EQ(limit, wanted);
    }
    CHECK_EQ(hipDeviceSetLimit(hipLimitStackSize, 262073), hipErrorInvalidValue);
    CHECK_EQ(hipDeviceSetLimit(static_cast<hipLimit_t>(100), 1), hipErrorInvalidValue);
    CHECK_EQ(hipDeviceGetLimit(&limit, static_cast<hipLimit_t>(100)), hipErrorInvalidValue);
    CHECK_EQ(hipDeviceSetLimit(static_cast<hipLimit_t>(-1), 1), hipErrorUnsupportedLimit);
    CHECK_EQ(hipDeviceGetLimit(&limit, static_cast<hipLimit_t>(-1)), hipErrorUnsupportedLimit);
    int peer = -1;
    HIP_CHECK(hipDeviceCanAccessPeer(&peer, device, device));
    CHECK_EQ(peer, 0);

    hipCtx_t context, same;
    HIP_CHECK(hipDevicePrimaryCtxRetain(&context, device));
    HIP_CHECK(hipCtxSetCurrent(context));
    HIP_CHECK(hipCtxGetCurrent(&same));
    CHECK(context == same);
    HIP_CHECK(hipCtxPushCurrent(context));
    HIP_CHECK(hipCtxPopCurrent(&same));
    CHECK(context == same);
    CHECK_EQ(hipCtxPopCurrent(&same), hipErrorInvalidContext);
    HIP_CHECK(hipDevicePrimaryCtxRelease(device));
  }
  return testResult();
}
