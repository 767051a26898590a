// SPDX-License-Identifier: MIT
// See store_fences.h.
#include "amdgcn/translator/store_fences.h"

using namespace llvm;

namespace hiplz::amdgcn {
namespace {

constexpr unsigned kStored = 1;

/// True if work-groups that other threads execute may see what the instruction writes. Private memory is no other wave's either.
bool storesForOthers(const Instruction &i) {
  const StringRef name = i.name;
  const bool writes = name.contains("store") || name.contains("atomic");
  return writes && !startsWith(name, "ds_") && !startsWith(name, "scratch_");
}

} // namespace

std::set<uint64_t> findStoreFences(const std::map<uint64_t, Instruction> &code, const std::set<uint64_t> &starts,
                                   const std::set<uint64_t> &entries, function_ref<bool(const Instruction &)> omitted) {
  std::set<uint64_t> fences;
  followDeeds(code, starts, entries, kStored, [&](const Instruction &i, unsigned done) {
    if (storesForOthers(i))
      return kStored;
    if (!isWaitForStores(i) || omitted(i))
      return done;
    if (done)
      fences.insert(i.address);
    return 0u;
  });
  return fences;
}

} // namespace hiplz::amdgcn
