// SPDX-License-Identifier: MIT
// bench_level_zero [--smoke] [transfers|images|memory|compute|launches|ping-pong|peers ...]: see bench.h. Whatever driver the loader
// finds first; ZE_ENABLE_ALT_DRIVERS chooses it.
#include "bench.h"

#include <fstream>
#include <iterator>
#include <string_view>

namespace {

void start(Bench &bench) {
  CALL(zeInit(0));
  uint32_t count = 1;
  CALL(zeDriverGet(&count, &bench.driver));
  count = 0;
  CALL(zeDeviceGet(bench.driver, &count, nullptr));
  bench.devices.resize(count);
  CALL(zeDeviceGet(bench.driver, &count, bench.devices.data()));
  ze_context_desc_t desc{ZE_STRUCTURE_TYPE_CONTEXT_DESC, nullptr, 0};
  CALL(zeContextCreate(bench.driver, &desc, &bench.context));
  std::ifstream file(HIPLZ_BENCH_KERNELS, std::ios::binary);
  const std::vector<char> spirv(std::istreambuf_iterator<char>(file), {});
  ze_module_desc_t module{ZE_STRUCTURE_TYPE_MODULE_DESC,
                          nullptr,
                          ZE_MODULE_FORMAT_IL_SPIRV,
                          spirv.size(),
                          reinterpret_cast<const uint8_t *>(spirv.data()),
                          nullptr,
                          nullptr};
  CALL(zeModuleCreate(bench.context, bench.device(), &module, &bench.module, nullptr));
}

struct Part {
  std::string_view name;
  void (*measure)(const Bench &bench);
};
constexpr Part kParts[] = {{"transfers", measureTransfers}, {"images", measureImages},
                           {"memory", measureMemory},       {"compute", measureCompute},
                           {"launches", measureLaunches},   {"ping-pong", measurePingPong},
                           {"peers", measurePeers}};

} // namespace

int main(int argc, char **argv) {
  Bench bench;
  std::vector<const Part *> wanted;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    const Part *part =
        std::find_if(std::begin(kParts), std::end(kParts), [&](const Part &p) { return p.name == argument; });
    if (argument == "--smoke") {
      bench.smoke = true;
    } else if (part != std::end(kParts)) {
      wanted.push_back(part);
    } else {
      std::fprintf(
          stderr, "usage: bench_level_zero [--smoke] [transfers|images|memory|compute|launches|ping-pong|peers ...]\n");
      return 2;
    }
  }
  if (wanted.empty())
    for (const Part &part : kParts)
      wanted.push_back(&part);
  start(bench);
  for (const Part *part : wanted)
    part->measure(bench);
  CALL(zeModuleDestroy(bench.module));
  CALL(zeContextDestroy(bench.context));
  return 0;
}
