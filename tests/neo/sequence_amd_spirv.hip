// SPDX-License-Identifier: MIT
// Modules of AMD's compiler (tests/data/amd-spirv): Intel's compiler takes what becomes of them, and makes each kernel.
// HIPLZ_AMD_MODULES is their folder.
#include "sequence.h"

#include <fstream>
#include <iterator>
#include <string>

static int take(const char *name, std::initializer_list<const char *> kernels) {
  std::ifstream file(std::string(HIPLZ_AMD_MODULES) + "/" + name + ".spv", std::ios::binary);
  const std::string image{std::istreambuf_iterator<char>(file), {}};
  hipModule_t module;
  MUST(hipModuleLoadData(&module, image.data()));
  for (const char *kernel : kernels) {
    hipFunction_t function;
    MUST(hipModuleGetFunction(&function, module, kernel));
    int threads = 0;
    MUST(hipFuncGetAttribute(&threads, HIP_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function));
    std::printf("%s: %s: %d threads\n", name, kernel, threads);
    if (threads < 32)
      return 1;
  }
  MUST(hipModuleUnload(module));
  return 0;
}

int main() {
  if (const int result = requireIntel())
    return result;
  const int failed = take("basic", {"add", "sum", "dimensions", "reverse", "structures", "managed"}) |
                     take("groups", {"tiles", "coalesced", "reduction"}) |
                     take("grid", {"hidden", "memories", "together"}) | take("intrinsics", {"dots", "integers"}) |
                     take("messages", {"strings", "numbers", "results", "loops"}) | take("missing", {"works"}) |
                     take("mixed_pointers", {"mix"}) | take("odd_vectors", {"neighbours"}) |
                     take("bfloat", {"arithmetic", "conversions"}) |
                     take("llvm", {"singles", "doubles", "halves", "integers", "pairsOfSingles", "pairsOfDoubles",
                                   "vectors", "carries", "aligned", "clocks", "saturates"}) |
                     take("pointers", {"calls", "choose", "applies"}) | take("wide", {"quotients"}) |
                     take("numbers", {"mathematics", "halves", "integers", "atomics"}) |
                     take("objects", {"calls", "variables", "nested"}) | take("scopes", {"scopes", "message"}) |
                     take("services", {"prints", "asserts", "traps", "allocates", "releases"}) |
                     take("textures", {"fetches", "samples", "words", "fractions", "volumes", "surfaces"}) |
                     take("warp", {"ballots", "sums", "shuffles", "votes"});
  std::printf(failed ? "failed\n" : "passed\n");
  return failed;
}
