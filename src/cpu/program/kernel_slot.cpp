// SPDX-License-Identifier: MIT
// See kernel_slot.h.
#include "cpu/program/kernel_slot.h"

namespace hiplz::cpu {

const KernelCode *KernelSlot::find(const GroupKind &kind) const {
  if (!kind.size)
    return codes_[static_cast<size_t>(kind.shape)].load(std::memory_order_acquire);
  for (const Entry &entry : ofSizes_) {
    const KernelCode *code = entry.load(std::memory_order_acquire);
    if (!code || code->onlySize == kind.size)
      return code;
  }
  return nullptr;
}

GroupKind KernelSlot::kindFor(const GroupSize &size) const {
  const bool hasRoom = !ofSizes_.back().load(std::memory_order_acquire);
  const GroupKind exact(size);
  return hasRoom || find(exact) ? exact : GroupKind(exact.shape);
}

void KernelSlot::set(Entry &entry, const KernelCode *code) {
  const KernelCode *before = entry.load(std::memory_order_relaxed);
  if (before && before->isQuick && !code->isQuick)
    std::atomic_ref(before->better).store(code, std::memory_order_release);
  if (!before || before->isQuick || !code->isQuick)
    entry.store(code, std::memory_order_release);
}

bool KernelSlot::add(Loading &loading, const KernelPiece &piece, const GroupKind &kind, bool debuggable,
                     const ElfScope &scope, std::string &why) {
  auto loaded = std::make_unique<Loaded>();
  loaded->code = piece.code;
  loaded->object = ElfObject::load(piece.object, debuggable, why, scope);
  if (!loaded->object)
    return false;
  const ElfObject::Symbol symbol = loaded->object->find(kernelSymbol(piece.kernel));
  if (!symbol.address || !symbol.executable) {
    why = "program binary: the kernel " + piece.kernel + " has no code";
    return false;
  }
  loaded->code.function = reinterpret_cast<KernelFunction>(symbol.address);
  const ElfObject::Symbol slow = loaded->object->find(oneByOneSymbol(piece.kernel));
  loaded->code.oneByOne = slow.executable ? reinterpret_cast<KernelFunction>(slow.address) : nullptr;
  const KernelCode *code = &loaded->code;
  loading.loaded.push_back(std::move(loaded));
  if (code->onlySize) {
    for (Entry &entry : ofSizes_)
      if (const KernelCode *before = entry.load(std::memory_order_relaxed);
          !before || before->onlySize == code->onlySize) {
        set(entry, code);
        break;
      }
    return true;
  }
  for (uint32_t i = 0; i < kGroupShapes; ++i)
    if (i == static_cast<uint32_t>(kind.shape) || (code->shapes & setOf(GroupShape(i))))
      set(codes_[i], code);
  return true;
}

} // namespace hiplz::cpu
