// A hash table of pointers, because programs with hundreds of kernels are common and the lookup is part of each launch.
#include "lz/kernel_cache.h"
#include "lz/lz_kernel.h"

#include <algorithm>

namespace hiplz {
namespace {
size_t homeOf(const LZKernel *kernel) { return (reinterpret_cast<uintptr_t>(kernel) * 0x9e3779b97f4a7c15u) >> 32; }
constexpr size_t kFirstTable = 16;
} // namespace

KernelInstance *KernelCache::find(const LZKernel *kernel) const {
  if (table_.empty())
    return nullptr;
  for (size_t at = homeOf(kernel);; ++at) {
    KernelInstance *found = table_[at & (table_.size() - 1)];
    if (!found || found->kernel == kernel)
      return found;
  }
}

KernelInstance &KernelCache::add(const LZKernel &kernel, ZeKernel ze) {
  size_t bytes = 0;
  for (const spirv::Arg &argument : kernel.args())
    bytes += argument.size;
  auto instance = std::make_unique<KernelInstance>();
  instance->kernel = &kernel;
  instance->ze = std::move(ze);
  instance->values = std::make_unique<std::byte[]>(bytes);
  instances_.push_back(std::move(instance));
  rehash();
  return *instances_.back();
}

void KernelCache::forgetModule(const LZModule &module) {
  std::erase_if(instances_, [&](const auto &instance) { return &instance->kernel->module() == &module; });
  rehash();
}

void KernelCache::rehash() {
  size_t size = kFirstTable;
  while (size < instances_.size() * 2)
    size *= 2;
  table_.assign(size, nullptr);
  for (const auto &instance : instances_) {
    size_t at = homeOf(instance->kernel);
    while (table_[at & (size - 1)])
      ++at;
    table_[at & (size - 1)] = instance.get();
  }
}

} // namespace hiplz
