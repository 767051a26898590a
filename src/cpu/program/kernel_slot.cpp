// SPDX-License-Identifier: MIT
// See kernel_slot.h.
#include "cpu/program/kernel_slot.h"

namespace hiplz::cpu {

bool KernelSlot::add(Loading &loading, const KernelPiece &piece, GroupShape shape, bool debuggable,
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
  for (uint32_t i = 0; i < kGroupShapes; ++i) {
    if (i != static_cast<uint32_t>(shape) && !(code->shapes & setOf(GroupShape(i))))
      continue;
    const KernelCode *before = codes_[i].load(std::memory_order_relaxed);
    if (before && before->isQuick && !code->isQuick)
      std::atomic_ref(before->better).store(code, std::memory_order_release);
    if (!before || before->isQuick || !code->isQuick)
      codes_[i].store(code, std::memory_order_release);
  }
  return true;
}

} // namespace hiplz::cpu
