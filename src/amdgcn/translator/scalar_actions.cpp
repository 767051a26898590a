// SPDX-License-Identifier: MIT
// Scalar operations that do more than compute one result: comparisons, the mask EXEC, loads, the mode, waiting.
#include "amdgcn/translator/float_values.h"
#include "amdgcn/translator/memory_access.h"
#include "amdgcn/translator/operations.h"
#include "base/llvm_compat.h"

using namespace llvm;

namespace hiplz::amdgcn {
namespace {

using I = const Instruction &;

void nothing(Wave &, I) {}

void compare(Wave &w, I i, CmpInst::Predicate predicate) {
  w.setScc(w.b.CreateICmp(predicate, w.readScalar(i.operands[0], 32), w.readScalar(i.operands[1], 32)));
}

// The constant of a compact comparison is signed or not, like the comparison.
void compareConstant(Wave &w, I i, CmpInst::Predicate predicate, bool isSigned) {
  const uint32_t constant = isSigned ? static_cast<uint32_t>(i.simm16()) : static_cast<uint16_t>(i.simm16());
  w.setScc(w.b.CreateICmp(predicate, w.readScalar(i.operands[0], 32), w.b.getInt32(constant)));
}

Value *constant(Wave &w, I i) { return w.b.getInt32(static_cast<uint32_t>(i.simm16())); }

// D = EXEC; EXEC = combined; SCC = EXEC != 0.
template <class Combine> void saveExec(Wave &w, I i, Combine combine) {
  const bool isWide = StringRef(i.name).contains("_b64");
  if (isWide)
    w.refuse("waves of 64 lanes are not implemented");
  Value *source = w.readScalar(i.operands[1], 32), *before = w.exec();
  Value *after = combine(w, source, before);
  w.writeScalar(i.operands[0], before);
  w.setScalarRegister(kExec, after);
  w.setScc(w.b.CreateICmpNE(after, w.b.getInt32(0)));
}

// EXEC = combined; D = EXEC.
template <class Combine> void writeExec(Wave &w, I i, Combine combine) {
  Value *after = combine(w, w.readScalar(i.operands[1], 32), w.exec());
  w.setScalarRegister(kExec, after);
  w.writeScalar(i.operands[0], after);
  w.setScc(w.b.CreateICmpNE(after, w.b.getInt32(0)));
}

#define HIPLZ_COMBINE(expression) [](Wave &w, Value *s, Value *e) -> Value * { return expression; }

// The offset of a scalar load: a constant or a register or both.
Value *offsetOf(Wave &w, I i) {
  Value *offset = w.b.getInt64(static_cast<uint64_t>(i.number("offset")));
  if (i.operands.size() > 2) {
    const Operand &given = i.operands[2];
    if (given.kind == Operand::Kind::integer) // printed with 21 bits, of which the highest is the sign
      offset = w.b.CreateAdd(offset, w.b.getInt64(static_cast<uint64_t>(SignExtend64<21>(given.integer))));
    else
      offset = w.b.CreateAdd(offset, w.b.CreateZExt(w.readScalar(given, 32), w.i64));
  }
  return offset;
}

void load(Wave &w, I i) {
  const unsigned count = static_cast<unsigned>(i.operands[0].count);
  Value *address = w.b.CreateAdd(w.readScalar(i.operands[1], 64), offsetOf(w, i));
  address = w.b.CreateAnd(address, w.b.getInt64(~uint64_t{3}));
  SmallVector<Value *, 16> values;
  for (unsigned n = 0; n < count; ++n) {
    Value *place = w.b.CreateIntToPtr(w.b.CreateAdd(address, w.b.getInt64(4 * n)), w.b.getPtrTy());
    values.push_back(w.b.CreateAlignedLoad(w.i32, place, Align(4)));
  }
  for (unsigned n = 0; n < count; ++n)
    w.setScalarRegister(i.operands[0].index + n, values[n]);
}

// A buffer of so many bytes, or so many records as long as its stride. Words out of range are 0.
void loadBuffer(Wave &w, I i) {
  const auto [start, stride, records] = bufferBounds(w, i.operands[1]);
  auto &b = w.b;
  const unsigned count = static_cast<unsigned>(i.operands[0].count);
  Value *base = b.CreateAnd(start, b.getInt64(~uint64_t{3}));
  Value *size = b.CreateSelect(b.CreateICmpEQ(stride, b.getInt64(0)), records, b.CreateMul(records, stride));
  Value *offset = b.CreateAnd(offsetOf(w, i), b.getInt64(~uint64_t{3}));
  SmallVector<Value *, 16> values;
  for (unsigned n = 0; n < count; ++n) {
    Value *at = b.CreateAdd(offset, b.getInt64(4 * n));
    Value *isInside = b.CreateICmpULE(b.CreateAdd(at, b.getInt64(4)), size);
    // The code object can be read in any case.
    Value *address = b.CreateSelect(isInside, b.CreateAdd(base, at), w.around.image);
    Value *word = b.CreateAlignedLoad(w.i32, b.CreateIntToPtr(address, b.getPtrTy()), Align(4));
    values.push_back(b.CreateSelect(isInside, word, b.getInt32(0)));
  }
  for (unsigned n = 0; n < count; ++n)
    w.setScalarRegister(i.operands[0].index + n, values[n]);
}

// Hardware registers that code asks for. The rest is about the hardware that there is not.
enum HardwareRegister {
  kHwMode = 1,
  kHwMemoryBases = 15,
  kHwFlatScratchLow = 20,
  kHwFlatScratchHigh = 21,
  kHwId1 = 23,
  kHwId2 = 24,
  kHwShaderCycles = 29
};

struct Field {
  unsigned id, offset, size;
  explicit Field(I i) : id(i.words[0] & 63), offset(i.words[0] >> 6 & 31), size((i.words[0] >> 11 & 31) + 1) {}
  uint32_t mask() const { return size == 32 ? ~0u : (1u << size) - 1; }
};

void getRegister(Wave &w, I i) {
  const Field field(i);
  Value *whole;
  switch (field.id) {
  case kHwMode: whole = w.mode(); break;
  case kHwMemoryBases: whole = w.b.getInt32(kSharedAperture | kPrivateAperture >> 16); break;
  // Where the wave runs: in the first compute unit, like all others.
  case kHwId1:
  case kHwId2: whole = w.b.getInt32(0); break;
  case kHwShaderCycles: whole = w.lowHalf(w.around.clock(w.b)); break;
  default: w.refuse("the hardware register " + std::to_string(field.id) + " is not implemented");
  }
  w.writeScalar(i.operands[0], w.b.CreateAnd(w.b.CreateLShr(whole, field.offset), field.mask()));
}

void changeMode(Wave &w, unsigned offset, uint32_t mask, Value *value) {
  Value *kept = w.b.CreateAnd(w.mode(), w.b.getInt32(~(mask << offset)));
  w.setMode(w.b.CreateOr(kept, w.b.CreateShl(w.b.CreateAnd(value, mask), offset)));
}

// Registers that programs save and restore hold what is implemented; a value that is known only when the program runs and holds something
// else is a fault of the kernel.
void setMode(Wave &w, const Field &field, Value *value) {
  const uint32_t missing = ~kModeImplemented >> field.offset & field.mask();
  Value *wrong = w.b.CreateAnd(value, w.b.getInt32(missing));
  if (auto *known = dyn_cast<ConstantInt>(wrong)) {
    if (!known->isZero())
      w.refuse("the bits " + std::to_string(known->getZExtValue() << field.offset) +
               " of the mode are not implemented");
  } else {
    w.faultIf(w.b.CreateICmpNE(wrong, w.b.getInt32(0)), "mode");
  }
  changeMode(w, field.offset, field.mask(), value);
}

void setRegister(Wave &w, I i) {
  const Field field(i);
  Value *value = i.name == "s_setreg_imm32_b32" ? w.b.getInt32(i.words[1]) : w.readScalar(i.operands.back(), 32);
  if (field.id == kHwFlatScratchLow || field.id == kHwFlatScratchHigh)
    return; // the address of private memory, which is the surroundings' to say
  if (field.id != kHwMode)
    w.refuse("the hardware register " + std::to_string(field.id) + " is not implemented");
  setMode(w, field, value);
}

/// An interrupt tells the host to look at memory, which it does by itself here.
void sendMessage(Wave &w, I i) {
  if (i.text.find("MSG_INTERRUPT") == std::string::npos && i.text.find("MSG_DEALLOC_VGPRS") == std::string::npos)
    w.refuse("the message is not implemented");
}

/// A message that is answered.
void askMessage(Wave &w, I i) {
  constexpr uint32_t kGetRealTime = 0x83;
  if ((i.words[0] & 0xff) != kGetRealTime)
    w.refuse("the message is not implemented");
  w.writeScalar(i.operands[0], w.around.clock(w.b));
}

// clang-format off
constexpr ActionRow kScalarActions[] = {
    {"s_cmp_eq_i32", [](Wave &w, I i) { compare(w, i, CmpInst::ICMP_EQ); }},
    {"s_cmp_lg_i32", [](Wave &w, I i) { compare(w, i, CmpInst::ICMP_NE); }},
    {"s_cmp_gt_i32", [](Wave &w, I i) { compare(w, i, CmpInst::ICMP_SGT); }},
    {"s_cmp_ge_i32", [](Wave &w, I i) { compare(w, i, CmpInst::ICMP_SGE); }},
    {"s_cmp_lt_i32", [](Wave &w, I i) { compare(w, i, CmpInst::ICMP_SLT); }},
    {"s_cmp_le_i32", [](Wave &w, I i) { compare(w, i, CmpInst::ICMP_SLE); }},
    {"s_cmp_eq_u32", [](Wave &w, I i) { compare(w, i, CmpInst::ICMP_EQ); }},
    {"s_cmp_lg_u32", [](Wave &w, I i) { compare(w, i, CmpInst::ICMP_NE); }},
    {"s_cmp_gt_u32", [](Wave &w, I i) { compare(w, i, CmpInst::ICMP_UGT); }},
    {"s_cmp_ge_u32", [](Wave &w, I i) { compare(w, i, CmpInst::ICMP_UGE); }},
    {"s_cmp_lt_u32", [](Wave &w, I i) { compare(w, i, CmpInst::ICMP_ULT); }},
    {"s_cmp_le_u32", [](Wave &w, I i) { compare(w, i, CmpInst::ICMP_ULE); }},
    {"s_cmpk_eq_i32", [](Wave &w, I i) { compareConstant(w, i, CmpInst::ICMP_EQ, true); }},
    {"s_cmpk_lg_i32", [](Wave &w, I i) { compareConstant(w, i, CmpInst::ICMP_NE, true); }},
    {"s_cmpk_gt_i32", [](Wave &w, I i) { compareConstant(w, i, CmpInst::ICMP_SGT, true); }},
    {"s_cmpk_ge_i32", [](Wave &w, I i) { compareConstant(w, i, CmpInst::ICMP_SGE, true); }},
    {"s_cmpk_lt_i32", [](Wave &w, I i) { compareConstant(w, i, CmpInst::ICMP_SLT, true); }},
    {"s_cmpk_le_i32", [](Wave &w, I i) { compareConstant(w, i, CmpInst::ICMP_SLE, true); }},
    {"s_cmpk_eq_u32", [](Wave &w, I i) { compareConstant(w, i, CmpInst::ICMP_EQ, false); }},
    {"s_cmpk_lg_u32", [](Wave &w, I i) { compareConstant(w, i, CmpInst::ICMP_NE, false); }},
    {"s_cmpk_gt_u32", [](Wave &w, I i) { compareConstant(w, i, CmpInst::ICMP_UGT, false); }},
    {"s_cmpk_ge_u32", [](Wave &w, I i) { compareConstant(w, i, CmpInst::ICMP_UGE, false); }},
    {"s_cmpk_lt_u32", [](Wave &w, I i) { compareConstant(w, i, CmpInst::ICMP_ULT, false); }},
    {"s_cmpk_le_u32", [](Wave &w, I i) { compareConstant(w, i, CmpInst::ICMP_ULE, false); }},
    {"s_movk_i32", [](Wave &w, I i) { w.writeScalar(i.operands[0], constant(w, i)); }},
    {"s_cmovk_i32", [](Wave &w, I i) { w.writeScalar(i.operands[0], w.b.CreateSelect(w.scc(), constant(w, i), w.readScalar(i.operands[0], 32))); }},
    {"s_addk_i32", [](Wave &w, I i) {
       Value *before = w.readScalar(i.operands[0], 32);
       Value *both = w.b.CreateIntrinsic(Intrinsic::sadd_with_overflow, {w.i32}, {before, constant(w, i)});
       w.writeScalar(i.operands[0], w.b.CreateExtractValue(both, 0));
       w.setScc(w.b.CreateExtractValue(both, 1)); }},
    {"s_mulk_i32", [](Wave &w, I i) { w.writeScalar(i.operands[0], w.b.CreateMul(w.readScalar(i.operands[0], 32), constant(w, i))); }},
    {"s_and_saveexec_b32", [](Wave &w, I i) { saveExec(w, i, HIPLZ_COMBINE(w.b.CreateAnd(s, e))); }},
    {"s_or_saveexec_b32", [](Wave &w, I i) { saveExec(w, i, HIPLZ_COMBINE(w.b.CreateOr(s, e))); }},
    {"s_xor_saveexec_b32", [](Wave &w, I i) { saveExec(w, i, HIPLZ_COMBINE(w.b.CreateXor(s, e))); }},
    {"s_andn2_saveexec_b32", [](Wave &w, I i) { saveExec(w, i, HIPLZ_COMBINE(w.b.CreateAnd(s, w.b.CreateNot(e)))); }},
    {"s_orn2_saveexec_b32", [](Wave &w, I i) { saveExec(w, i, HIPLZ_COMBINE(w.b.CreateOr(s, w.b.CreateNot(e)))); }},
    {"s_nand_saveexec_b32", [](Wave &w, I i) { saveExec(w, i, HIPLZ_COMBINE(w.b.CreateNot(w.b.CreateAnd(s, e)))); }},
    {"s_nor_saveexec_b32", [](Wave &w, I i) { saveExec(w, i, HIPLZ_COMBINE(w.b.CreateNot(w.b.CreateOr(s, e)))); }},
    {"s_xnor_saveexec_b32", [](Wave &w, I i) { saveExec(w, i, HIPLZ_COMBINE(w.b.CreateNot(w.b.CreateXor(s, e)))); }},
    {"s_andn1_saveexec_b32", [](Wave &w, I i) { saveExec(w, i, HIPLZ_COMBINE(w.b.CreateAnd(w.b.CreateNot(s), e))); }},
    {"s_orn1_saveexec_b32", [](Wave &w, I i) { saveExec(w, i, HIPLZ_COMBINE(w.b.CreateOr(w.b.CreateNot(s), e))); }},
    {"s_andn1_wrexec_b32", [](Wave &w, I i) { writeExec(w, i, HIPLZ_COMBINE(w.b.CreateAnd(w.b.CreateNot(s), e))); }},
    {"s_andn2_wrexec_b32", [](Wave &w, I i) { writeExec(w, i, HIPLZ_COMBINE(w.b.CreateAnd(s, w.b.CreateNot(e)))); }},
    {"s_load_dword", load}, {"s_load_dwordx2", load}, {"s_load_dwordx4", load}, {"s_load_dwordx8", load}, {"s_load_dwordx16", load},
    {"s_buffer_load_dword", loadBuffer}, {"s_buffer_load_dwordx2", loadBuffer}, {"s_buffer_load_dwordx4", loadBuffer},
    {"s_buffer_load_dwordx8", loadBuffer}, {"s_buffer_load_dwordx16", loadBuffer},
    {"s_getreg_b32", getRegister}, {"s_setreg_b32", setRegister}, {"s_setreg_imm32_b32", setRegister},
    {"s_denorm_mode", [](Wave &w, I i) { changeMode(w, 4, 15, w.b.getInt32(i.words[0] & 15)); }},
    {"s_round_mode", [](Wave &w, I i) { changeMode(w, 0, kModeRounding, w.b.getInt32(i.words[0] & kModeRounding)); }},
    {"s_getpc_b64", [](Wave &w, I i) { w.writeScalar(i.operands[0], w.b.CreateAdd(w.around.image, w.b.getInt64(i.next()))); }},
    {"s_barrier", [](Wave &w, I) { w.around.barrier(w.b); }},
    {"s_sleep", [](Wave &w, I) { w.around.pause(w.b); }},
    {"s_memtime", [](Wave &w, I i) { w.writeScalar(i.operands[0], w.around.clock(w.b)); }},
    {"s_memrealtime", [](Wave &w, I i) { w.writeScalar(i.operands[0], w.around.clock(w.b)); }},
    // Earlier writes are visible behind it, also to reads that follow.
    {"s_waitcnt_vscnt", [](Wave &w, I) { w.b.CreateFence(AtomicOrdering::SequentiallyConsistent); }},
    // Everything that is in order already here; nothing is kept in registers across it.
    {"buffer_gl0_inv", [](Wave &w, I) { w.b.CreateFence(AtomicOrdering::AcquireRelease, SyncScope::SingleThread); }},
    {"buffer_gl1_inv", [](Wave &w, I) { w.b.CreateFence(AtomicOrdering::AcquireRelease, SyncScope::SingleThread); }},
    {"s_dcache_inv", [](Wave &w, I) { w.b.CreateFence(AtomicOrdering::AcquireRelease, SyncScope::SingleThread); }},
    {"s_gl1_inv", nothing}, {"s_icache_inv", nothing}, {"s_dcache_wb", nothing}, {"s_waitcnt", nothing},
    {"s_waitcnt_vmcnt", nothing}, {"s_waitcnt_expcnt", nothing}, {"s_waitcnt_lgkmcnt", nothing},
    {"s_waitcnt_depctr", nothing}, {"s_nop", nothing}, {"s_clause", nothing}, {"s_inst_prefetch", nothing},
    {"s_setprio", nothing}, {"v_nop", nothing}, {"s_wakeup", nothing}, {"s_incperflevel", nothing},
    {"s_decperflevel", nothing}, {"s_ttracedata", nothing}, {"s_ttracedata_imm", nothing}, {"s_version", nothing},
    {"s_atc_probe", nothing}, {"s_atc_probe_buffer", nothing}, {"s_trap", nothing}, {"s_sendmsg", sendMessage},
    {"s_sendmsg_rtn_b64", askMessage}, {"s_delay_alu", nothing},
    {"ds_gws_barrier", [](Wave &w, I) {
       Value *others = w.b.CreateExtractElement(w.readVector(0, 32), w.firstLane());
       w.around.gridBarrier(w.b, w.b.CreateAdd(others, w.b.getInt32(1))); }},
};
// clang-format on

} // namespace

ArrayRef<ActionRow> scalarActions() { return kScalarActions; }

std::optional<uint32_t> modeBehind(const Instruction &i, uint32_t before) {
  auto changed = [&](unsigned offset, uint32_t mask, uint32_t value) {
    return (before & ~(mask << offset)) | (value & mask) << offset;
  };
  if (i.name == "s_denorm_mode")
    return changed(4, 15, i.words[0]);
  if (i.name == "s_round_mode")
    return changed(0, kModeRounding, i.words[0]);
  const Field field(i);
  if (!startsWith(i.name, "s_setreg") || field.id != kHwMode)
    return before;
  if (i.name != "s_setreg_imm32_b32")
    return std::nullopt;
  return changed(field.offset, field.mask(), i.words[1]);
}

} // namespace hiplz::amdgcn
