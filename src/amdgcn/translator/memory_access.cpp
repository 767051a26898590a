// SPDX-License-Identifier: MIT
// See memory_access.h. Most accesses of a wave have neighbouring addresses in neighbouring lanes, or in either half of the lanes (work-groups of
// 16 x 16); one function for each element size looks for that when the program runs, and gathers otherwise. Compilers of gathers make much
// code, so it is there once a module.
#include "amdgcn/translator/memory_access.h"
#include "amdgcn/translator/access_calls.h"
#include "amdgcn/translator/float_values.h"
#include "amdgcn/translator/lane_rows.h"
#include "base/llvm_compat.h"

#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/Intrinsics.h>

using namespace llvm;

namespace hiplz::amdgcn {
namespace {

constexpr uint64_t kPageBytes = 4096;

/// Makes the function that loads or stores elements of one size.
class AccessFunction {
public:
  AccessFunction(Wave &wave, unsigned bits, bool isStore)
      : module_(*wave.b.GetInsertBlock()->getModule()), b_(module_.getContext()), bits_(bits), isStore_(isStore),
        gathers_(wave.around.gathers && bits >= 32) {}

  Function *get() {
    const std::string name = std::string(isStore_ ? kStoreOfLanes : kLoadOfLanes) + std::to_string(bits_);
    if (Function *known = module_.getFunction(name))
      return known;
    elements_ = FixedVectorType::get(b_.getIntNTy(bits_), kLanes);
    Type *addresses = FixedVectorType::get(b_.getInt64Ty(), kLanes);
    SmallVector<Type *, 3> parameters{addresses, b_.getInt32Ty()};
    if (isStore_)
      parameters.push_back(elements_);
    auto *type = FunctionType::get(isStore_ ? b_.getVoidTy() : static_cast<Type *>(elements_), parameters, false);
    function_ = Function::Create(type, GlobalValue::InternalLinkage, name, module_);
    function_->addFnAttr(Attribute::NoUnwind);
    function_->addFnAttr(Attribute::NoInline);
    fill();
    return function_;
  }

private:
  void fill() {
    LLVMContext &context = module_.getContext();
    auto block = [&](const char *name) { return BasicBlock::Create(context, name, function_); };
    BasicBlock *entry = block("entry"), *some = block("some"), *row = block("row"), *scattered = block("scattered"),
               *nothing = block("nothing");
    Value *addresses = function_->getArg(0), *bits = function_->getArg(1);
    Value *mask = nullptr;
    b_.SetInsertPoint(entry);
    mask = b_.CreateBitCast(bits, FixedVectorType::get(b_.getInt1Ty(), kLanes));
    b_.CreateCondBr(b_.CreateICmpEQ(bits, b_.getInt32(0)), nothing, some);

    b_.SetInsertPoint(nothing);
    leave(isStore_ ? nullptr : Constant::getNullValue(elements_));

    b_.SetInsertPoint(some);
    Value *first = b_.CreateIntrinsic(Intrinsic::cttz, {b_.getInt32Ty()}, {bits, b_.getTrue()});
    oneLane(addresses, bits, first, mask);
    Value *base = b_.CreateSub(b_.CreateExtractElement(addresses, first),
                               b_.CreateMul(b_.CreateZExt(first, b_.getInt64Ty()), b_.getInt64(bits_ / 8)));
    SmallVector<Constant *, kLanes> offsets;
    for (unsigned lane = 0; lane < kLanes; ++lane)
      offsets.push_back(b_.getInt64(uint64_t{lane} * bits_ / 8));
    Value *expected = b_.CreateAdd(b_.CreateVectorSplat(kLanes, base), ConstantVector::get(offsets));
    Value *differs = b_.CreateAnd(b_.CreateICmpNE(addresses, expected), mask);
    Value *isRow = b_.CreateICmpEQ(b_.CreateBitCast(differs, b_.getInt32Ty()), b_.getInt32(0));
    BasicBlock *inRow = block("in.row"), *beforeFirst = block("row.from.first");
    b_.CreateCondBr(isRow, inRow, scattered);
    b_.SetInsertPoint(inRow);
    Value *way = b_.CreateXor(base, b_.CreateExtractElement(addresses, first));
    b_.CreateCondBr(b_.CreateICmpULT(way, b_.getInt64(kPageBytes)), row, beforeFirst);

    b_.SetInsertPoint(row);
    leave(accessRow(base, mask));
    b_.SetInsertPoint(beforeFirst);
    rowFromFirst(first, bits, mask, b_.CreateExtractElement(addresses, first));

    b_.SetInsertPoint(scattered);
    halves(addresses, bits, mask);
    if (gathers_)
      gather(addresses, mask);
    else
      eachLane(addresses, bits);
  }

  Value *accessRow(Value *begin, Value *mask) {
    Value *place = b_.CreateIntToPtr(begin, b_.getPtrTy());
    if (isStore_)
      return b_.CreateMaskedStore(function_->getArg(2), place, Align(1), mask), nullptr;
    return b_.CreateMaskedLoad(elements_, place, Align(1), mask, Constant::getNullValue(elements_));
  }

  /// A row that begins in another page than its first active lane. There may be no memory, as in front of local memory, and processors take hundreds of
  /// cycles for masks that hide that. So all lanes move down, through memory.
  void rowFromFirst(Value *first, Value *bits, Value *mask, Value *begin) {
    BasicBlock &entry = function_->getEntryBlock();
    AllocaInst *memory = IRBuilder<>(&entry, entry.begin()).CreateAlloca(elements_, b_.getInt32(2));
    memory->setAlignment(Align(64));
    Value *moved = b_.CreateInBoundsGEP(elements_->getElementType(), memory, b_.CreateZExt(first, b_.getInt64Ty()));
    Value *lanes = b_.CreateBitCast(b_.CreateLShr(bits, first), mask->getType());
    Value *place = b_.CreateIntToPtr(begin, b_.getPtrTy());
    if (isStore_) {
      b_.CreateAlignedStore(function_->getArg(2), memory, Align(64));
      Value *elements = b_.CreateAlignedLoad(elements_, moved, Align(1));
      b_.CreateMaskedStore(elements, place, Align(1), lanes);
      return leave(nullptr);
    }
    Value *nothing = Constant::getNullValue(elements_);
    b_.CreateAlignedStore(b_.CreateMaskedLoad(elements_, place, Align(1), lanes, nothing), moved, Align(1));
    leave(b_.CreateSelect(mask, b_.CreateAlignedLoad(elements_, memory, Align(64)), nothing));
  }

  /// A plain access if one lane is active, and goes on in a block for several.
  void oneLane(Value *addresses, Value *bits, Value *lane, Value *mask) {
    LLVMContext &context = module_.getContext();
    auto block = [&](const char *name) { return BasicBlock::Create(context, name, function_); };
    BasicBlock *one = block("one"), *several = block("several");
    Value *others = b_.CreateAnd(bits, b_.CreateSub(bits, b_.getInt32(1)));
    b_.CreateCondBr(b_.CreateICmpEQ(others, b_.getInt32(0)), one, several);
    b_.SetInsertPoint(one);
    Value *place = b_.CreateIntToPtr(b_.CreateExtractElement(addresses, lane), b_.getPtrTy());
    Type *element = elements_->getElementType();
    if (isStore_) {
      b_.CreateAlignedStore(b_.CreateExtractElement(function_->getArg(2), lane), place, Align(1));
      leave(nullptr);
    } else {
      Value *own = b_.CreateVectorSplat(kLanes, b_.CreateAlignedLoad(element, place, Align(1)));
      leave(b_.CreateSelect(mask, own, Constant::getNullValue(elements_)));
    }
    b_.SetInsertPoint(several);
  }

  /// True if the active lanes of each half go by the address of the first, in steps of so many bytes.
  Value *followInHalves(Value *addresses, ArrayRef<Value *> first, uint64_t bytes, Value *mask) {
    Value *expected = b_.CreateAdd(inHalves(b_, first[0], first[1]), stepsInHalves(b_.getInt64Ty(), bytes));
    Value *differs = b_.CreateAnd(b_.CreateICmpNE(addresses, expected), mask);
    return b_.CreateICmpEQ(b_.CreateBitCast(differs, b_.getInt32Ty()), b_.getInt32(0));
  }

  /// Two rows of neighbours, or two elements that all lanes of a half read. Goes on in a block for everything else.
  void halves(Value *addresses, Value *bits, Value *mask) {
    LLVMContext &context = module_.getContext();
    auto block = [&](const char *name) { return BasicBlock::Create(context, name, function_); };
    Value *first[2], *places[2];
    for (const unsigned n : {0u, 1u}) {
      first[n] = b_.CreateExtractElement(addresses, uint64_t{n * kLanesOfHalf});
      places[n] = b_.CreateIntToPtr(first[n], b_.getPtrTy());
    }
    BasicBlock *rows = block("two.rows"), *others = block("others");
    b_.CreateCondBr(followInHalves(addresses, first, bits_ / 8, mask), rows, others);
    b_.SetInsertPoint(rows);
    leave(accessRows(b_, elements_, places, mask, isStore_ ? function_->getArg(2) : nullptr));
    b_.SetInsertPoint(others);
    if (isStore_)
      return;
    BasicBlock *same = block("two.elements"), *rest = block("rest");
    b_.CreateCondBr(b_.CreateAnd(areFirstActive(b_, bits), followInHalves(addresses, first, 0, mask)), same, rest);
    b_.SetInsertPoint(same);
    leave(loadForHalves(b_, elements_->getElementType(), places));
    b_.SetInsertPoint(rest);
  }

  // By instructions of the processor's. Lower lanes write first.
  void gather(Value *addresses, Value *mask) {
    Value *places = b_.CreateIntToPtr(addresses, FixedVectorType::get(b_.getPtrTy(), kLanes));
    if (isStore_)
      b_.CreateMaskedScatter(function_->getArg(2), places, Align(1), mask);
    leave(isStore_ ? nullptr
                   : b_.CreateMaskedGather(elements_, places, Align(1), mask, Constant::getNullValue(elements_)));
  }

  // A loop over the lanes of the mask. Elements of vectors with a variable index are slow, so it goes over arrays in memory.
  void eachLane(Value *addresses, Value *bits) {
    BasicBlock *before = b_.GetInsertBlock();
    auto *loop = BasicBlock::Create(module_.getContext(), "lane", function_);
    auto *done = BasicBlock::Create(module_.getContext(), "done", function_);
    Value *places = array(addresses);
    Value *values = array(isStore_ ? static_cast<Value *>(function_->getArg(2)) : Constant::getNullValue(elements_));
    b_.CreateBr(loop);
    b_.SetInsertPoint(loop);
    PHINode *rest = b_.CreatePHI(b_.getInt32Ty(), 2);
    Value *lane =
        b_.CreateZExt(b_.CreateIntrinsic(Intrinsic::cttz, {b_.getInt32Ty()}, {rest, b_.getTrue()}), b_.getInt64Ty());
    Value *address = b_.CreateLoad(b_.getInt64Ty(), b_.CreateInBoundsGEP(b_.getInt64Ty(), places, lane));
    Value *place = b_.CreateIntToPtr(address, b_.getPtrTy());
    Type *element = elements_->getElementType();
    Value *own = b_.CreateInBoundsGEP(element, values, lane);
    if (isStore_)
      b_.CreateAlignedStore(b_.CreateLoad(element, own), place, Align(1));
    else
      b_.CreateStore(b_.CreateAlignedLoad(element, place, Align(1)), own);
    Value *next = b_.CreateAnd(rest, b_.CreateSub(rest, b_.getInt32(1)));
    rest->addIncoming(bits, before);
    rest->addIncoming(next, loop);
    b_.CreateCondBr(b_.CreateICmpNE(next, b_.getInt32(0)), loop, done);
    b_.SetInsertPoint(done);
    leave(isStore_ ? nullptr : b_.CreateAlignedLoad(elements_, values, Align(64)));
  }

  /// Memory with the elements of a vector.
  Value *array(Value *vector) {
    BasicBlock &entry = function_->getEntryBlock();
    AllocaInst *made = IRBuilder<>(&entry, entry.begin()).CreateAlloca(vector->getType());
    made->setAlignment(Align(64));
    b_.CreateAlignedStore(vector, made, Align(64));
    return made;
  }

  void leave(Value *value) {
    if (isStore_)
      b_.CreateRetVoid();
    else
      b_.CreateRet(value);
  }

  Module &module_;
  IRBuilder<> b_;
  const unsigned bits_;
  const bool isStore_, gathers_;
  FixedVectorType *elements_ = nullptr;
  Function *function_ = nullptr;
};

Value *toElement(Wave &w, Value *value, unsigned bits) {
  return w.b.CreateTrunc(value, w.vectorOf(w.b.getIntNTy(bits)));
}

/// The value that an operation leaves.
Value *combined(Wave &w, Atomic::Kind kind, Value *before, Value *operand, Value *compare) {
  auto &b = w.b;
  using Kind = Atomic::Kind;
  Value *zero = w.constant(before, 0), *one = w.constant(before, 1);
  auto asNumber = [&](Value *bits) { return asFloat(w, bits); };
  switch (kind) {
  case Kind::reverseSub: return b.CreateSub(operand, before);
  case Kind::inc: return b.CreateSelect(b.CreateICmpUGE(before, operand), zero, b.CreateAdd(before, one));
  case Kind::dec:
    return b.CreateSelect(b.CreateOr(b.CreateICmpEQ(before, zero), b.CreateICmpUGT(before, operand)), operand,
                          b.CreateSub(before, one));
  case Kind::fadd: return bitsOf(w, b.CreateFAdd(asNumber(before), asNumber(operand)));
  case Kind::fmin: return bitsOf(w, minimum(w, asNumber(before), asNumber(operand)));
  case Kind::fmax: return bitsOf(w, maximum(w, asNumber(before), asNumber(operand)));
  case Kind::subClamp: return b.CreateBinaryIntrinsic(Intrinsic::usub_sat, before, operand);
  case Kind::fcompareSwap: return b.CreateSelect(b.CreateFCmpOEQ(asNumber(before), asNumber(compare)), operand, before);
  case Kind::maskOr: return b.CreateOr(b.CreateAnd(before, b.CreateNot(compare)), operand);
  case Kind::wrap:
    return b.CreateSelect(b.CreateICmpUGE(before, compare), b.CreateSub(before, compare), b.CreateAdd(before, operand));
  case Kind::swap: return operand;
  case Kind::add: return b.CreateAdd(before, operand);
  case Kind::sub: return b.CreateSub(before, operand);
  case Kind::smin: return b.CreateBinaryIntrinsic(Intrinsic::smin, before, operand);
  case Kind::umin: return b.CreateBinaryIntrinsic(Intrinsic::umin, before, operand);
  case Kind::smax: return b.CreateBinaryIntrinsic(Intrinsic::smax, before, operand);
  case Kind::umax: return b.CreateBinaryIntrinsic(Intrinsic::umax, before, operand);
  case Kind::bitAnd: return b.CreateAnd(before, operand);
  case Kind::bitOr: return b.CreateOr(before, operand);
  case Kind::bitXor: return b.CreateXor(before, operand);
  case Kind::compareSwap: return b.CreateSelect(b.CreateICmpEQ(before, compare), operand, before);
  }
  return nullptr;
}

std::optional<AtomicRMWInst::BinOp> instructionOf(Atomic::Kind kind) {
  using Kind = Atomic::Kind;
  switch (kind) {
  case Kind::swap: return AtomicRMWInst::Xchg;
  case Kind::add: return AtomicRMWInst::Add;
  case Kind::sub: return AtomicRMWInst::Sub;
  case Kind::smin: return AtomicRMWInst::Min;
  case Kind::umin: return AtomicRMWInst::UMin;
  case Kind::smax: return AtomicRMWInst::Max;
  case Kind::umax: return AtomicRMWInst::UMax;
  case Kind::bitAnd: return AtomicRMWInst::And;
  case Kind::bitOr: return AtomicRMWInst::Or;
  case Kind::bitXor: return AtomicRMWInst::Xor;
  default: return std::nullopt;
  }
}

Value *atomicOne(Wave &w, const Atomic &atomic, Value *place, Value *value, Value *compare) {
  constexpr auto order = AtomicOrdering::AcquireRelease;
  const Align align(atomic.bits / 8);
  if (atomic.isLocal) { // only waves that the same thread executes see it, and none runs in between
    Value *before = w.b.CreateAlignedLoad(value->getType(), place, align);
    w.b.CreateAlignedStore(combined(w, atomic.kind, before, value, compare), place, align);
    return before;
  }
  if (atomic.kind == Atomic::Kind::compareSwap)
    return w.b.CreateExtractValue(w.b.CreateAtomicCmpXchg(place, compare, value, align, order, AtomicOrdering::Acquire),
                                  0);
  if (auto operation = instructionOf(atomic.kind))
    return w.b.CreateAtomicRMW(*operation, place, value, align, order);
  // Until nobody has come between.
  Function *function = w.b.GetInsertBlock()->getParent();
  auto *retry = BasicBlock::Create(w.b.getContext(), "retry", function);
  auto *done = BasicBlock::Create(w.b.getContext(), "changed", function);
  LoadInst *seen = w.b.CreateAlignedLoad(value->getType(), place, align);
  seen->setAtomic(AtomicOrdering::Monotonic);
  BasicBlock *before = w.b.GetInsertBlock();
  w.b.CreateBr(retry);
  w.b.SetInsertPoint(retry);
  PHINode *current = w.b.CreatePHI(value->getType(), 2);
  Value *both = w.b.CreateAtomicCmpXchg(place, current, combined(w, atomic.kind, current, value, compare), align, order,
                                        AtomicOrdering::Acquire);
  Value *found = w.b.CreateExtractValue(both, 0);
  current->addIncoming(seen, before);
  current->addIncoming(found, retry);
  w.b.CreateCondBr(w.b.CreateExtractValue(both, 1), done, retry);
  w.b.SetInsertPoint(done);
  return current;
}

} // namespace

Value *loadLanes(Wave &w, unsigned bits, Value *addresses, Value *mask) {
  return w.b.CreateCall(AccessFunction(w, bits, false).get(), {addresses, w.toBits(mask)});
}

void storeLanes(Wave &w, Value *values, Value *addresses, Value *mask) {
  const unsigned bits = values->getType()->getScalarSizeInBits();
  w.b.CreateCall(AccessFunction(w, bits, true).get(), {addresses, w.toBits(mask), values});
}

std::optional<Transfer> transferOf(StringRef name) {
  struct Known {
    const char *name;
    Transfer transfer;
  };
  static constexpr Known kKnown[] = {
      {"dword", {}},
      {"dwordx2", {32, 2}},
      {"dwordx3", {32, 3}},
      {"dwordx4", {32, 4}},
      {"ubyte", {8, 1}},
      {"sbyte", {8, 1, true}},
      {"ushort", {16, 1}},
      {"sshort", {16, 1, true}},
      {"ubyte_d16", {8, 1, false, true}},
      {"ubyte_d16_hi", {8, 1, false, true, true}},
      {"sbyte_d16", {8, 1, true, true}},
      {"sbyte_d16_hi", {8, 1, true, true, true}},
      {"short_d16", {16, 1, false, true}},
      {"short_d16_hi", {16, 1, false, true, true}},
      {"byte", {8, 1}},
      {"short", {16, 1}},
      {"byte_d16_hi", {8, 1, false, true, true}},
      {"b8", {8, 1}},
      {"b16", {16, 1}},
      {"b32", {}},
      {"b64", {32, 2}},
      {"b96", {32, 3}},
      {"b128", {32, 4}},
      {"u8", {8, 1}},
      {"i8", {8, 1, true}},
      {"u16", {16, 1}},
      {"i16", {16, 1, true}},
      {"u8_d16", {8, 1, false, true}},
      {"u8_d16_hi", {8, 1, false, true, true}},
      {"i8_d16", {8, 1, true, true}},
      {"i8_d16_hi", {8, 1, true, true, true}},
      {"u16_d16", {16, 1, false, true}},
      {"u16_d16_hi", {16, 1, false, true, true}},
      {"b8_d16_hi", {8, 1, false, true, true}},
      {"b16_d16_hi", {16, 1, false, true, true}},
  };
  for (const Known &known : kKnown)
    if (name == known.name)
      return known.transfer;
  return std::nullopt;
}

// Two words are one access: others never see one without the other.
void loadTransfer(Wave &w, const Transfer &transfer, unsigned firstRegister, Value *addresses, Value *mask) {
  if (transfer.count == 1)
    return loadTransfer(w, transfer, firstRegister, Place{addresses, mask});
  SmallVector<Value *, 4> loaded;
  for (unsigned n = 0; n < transfer.count; n += 2) {
    Value *place = w.b.CreateAdd(addresses, w.vector64(4 * n));
    const bool isLast = n + 1 == transfer.count;
    Value *words = loadLanes(w, isLast ? 32 : 64, place, mask);
    loaded.push_back(isLast ? words : w.lowHalf(words));
    if (!isLast)
      loaded.push_back(w.highHalf(words));
  }
  for (unsigned n = 0; n < transfer.count; ++n)
    w.setVectorRegister(firstRegister + n, loaded[n]);
}

void storeTransfer(Wave &w, const Transfer &transfer, unsigned firstRegister, Value *addresses, Value *mask) {
  if (transfer.count == 1)
    return storeTransfer(w, transfer, firstRegister, Place{addresses, mask});
  for (unsigned n = 0; n < transfer.count; n += 2) {
    Value *words = w.vectorRegister(firstRegister + n);
    if (n + 1 < transfer.count)
      words = w.wide(words, w.vectorRegister(firstRegister + n + 1));
    storeLanes(w, words, w.b.CreateAdd(addresses, w.vector64(4 * n)), mask);
  }
}

void loadTransfer(Wave &w, const Transfer &transfer, unsigned firstRegister, ArrayRef<Place> places) {
  SmallVector<Value *, 4> loaded; // all of them before the first is written: the address may be in the same registers
  for (unsigned n = 0; n < transfer.count; ++n) {
    Value *value = loadLanes(w, transfer.bits, places[n].addresses, places[n].mask);
    if (transfer.bits < 32)
      value = transfer.isSigned ? w.b.CreateSExt(value, w.vectorOf(w.i32)) : w.b.CreateZExt(value, w.vectorOf(w.i32));
    if (transfer.isHalf) {
      Value *before = w.vectorRegister(firstRegister);
      value = transfer.isHigh
                  ? w.b.CreateOr(w.b.CreateShl(value, w.vector(16)), w.b.CreateAnd(before, w.vector(0xffff)))
                  : w.b.CreateOr(w.b.CreateAnd(value, w.vector(0xffff)), w.b.CreateAnd(before, w.vector(0xffff0000)));
    }
    loaded.push_back(value);
  }
  for (unsigned n = 0; n < transfer.count; ++n)
    w.setVectorRegister(firstRegister + n, loaded[n]);
}

void storeTransfer(Wave &w, const Transfer &transfer, unsigned firstRegister, ArrayRef<Place> places) {
  for (unsigned n = 0; n < transfer.count; ++n) {
    Value *value = w.vectorRegister(firstRegister + n);
    if (transfer.isHigh)
      value = w.b.CreateLShr(value, w.vector(16));
    storeLanes(w, toElement(w, value, transfer.bits), places[n].addresses, places[n].mask);
  }
}

BufferBounds bufferBounds(Wave &w, const Operand &descriptor) {
  if (descriptor.kind != Operand::Kind::scalar || descriptor.count != 4)
    w.refuse("a buffer is expected");
  auto &b = w.b;
  Value *low = w.scalarRegister(descriptor.index), *high = w.scalarRegister(descriptor.index + 1u);
  return {b.CreateAnd(w.wide(low, high), b.getInt64((uint64_t{1} << 48) - 1)),
          b.CreateZExt(b.CreateAnd(b.CreateLShr(high, 16), b.getInt32(0x3fff)), w.i64),
          b.CreateZExt(w.scalarRegister(descriptor.index + 2u), w.i64)};
}

std::optional<Atomic> globalAtomicOf(StringRef name) {
  using Kind = Atomic::Kind;
  static constexpr std::pair<const char *, Kind> kKinds[] = {
      {"swap", Kind::swap},    {"cmpswap", Kind::compareSwap}, {"add", Kind::add},
      {"sub", Kind::sub},      {"smin", Kind::smin},           {"umin", Kind::umin},
      {"smax", Kind::smax},    {"umax", Kind::umax},           {"and", Kind::bitAnd},
      {"or", Kind::bitOr},     {"xor", Kind::bitXor},          {"inc", Kind::inc},
      {"dec", Kind::dec},      {"fmin", Kind::fmin},           {"fmax", Kind::fmax},
      {"add_f32", Kind::fadd}, {"csub", Kind::subClamp},       {"fcmpswap", Kind::fcompareSwap}};
  const unsigned bits = name.consume_back("_x2") ? 64 : 32;
  for (const auto &[known, kind] : kKinds)
    if (name == known)
      return Atomic{kind, bits};
  return std::nullopt;
}

Value *atomicLanes(Wave &w, const Atomic &atomic, Value *addresses, Value *values, Value *compare, Value *mask) {
  Function *function = w.b.GetInsertBlock()->getParent();
  auto block = [&](const char *name) { return BasicBlock::Create(w.b.getContext(), name, function); };
  BasicBlock *before = w.b.GetInsertBlock(), *loop = block("atomic"), *done = block("atomics.done");
  Value *bits = w.toBits(mask);
  Type *type = values->getType()->getScalarType();
  // Elements of vectors with a variable index are slow, so the loop goes over arrays. Lanes that are not in the mask stay out of them.
  auto array = [&](const char *name, Value *vector) {
    Value *place = w.array(name, vector->getType());
    w.b.CreateAlignedStore(w.b.CreateSelect(w.toMask(bits), vector, Constant::getNullValue(vector->getType())), place,
                           Align(64));
    return place;
  };
  const std::string ending = std::to_string(atomic.bits);
  Value *places = array("atomic.places", addresses), *operands = array(("atomic.values" + ending).c_str(), values);
  Value *compares = compare ? array(("atomic.compares" + ending).c_str(), compare) : nullptr;
  Value *results = array(("atomic.results" + ending).c_str(), Constant::getNullValue(values->getType()));
  w.b.CreateCondBr(w.b.CreateICmpNE(bits, w.b.getInt32(0)), loop, done);
  w.b.SetInsertPoint(loop);
  PHINode *rest = w.b.CreatePHI(w.i32, 2);
  Value *lane = w.b.CreateZExt(w.b.CreateIntrinsic(Intrinsic::cttz, {w.i32}, {rest, w.b.getTrue()}), w.i64);
  auto own = [&](Value *array, Type *element) { return w.b.CreateInBoundsGEP(element, array, lane); };
  auto element = [&](Value *array, Type *element) { return w.b.CreateLoad(element, own(array, element)); };
  Value *place = w.b.CreateIntToPtr(element(places, w.i64), w.b.getPtrTy());
  Value *one = atomicOne(w, atomic, place, element(operands, type), compare ? element(compares, type) : nullptr);
  w.b.CreateStore(one, own(results, type));
  Value *next = w.b.CreateAnd(rest, w.b.CreateSub(rest, w.b.getInt32(1)));
  rest->addIncoming(bits, before);
  rest->addIncoming(next, w.b.GetInsertBlock());
  w.b.CreateCondBr(w.b.CreateICmpNE(next, w.b.getInt32(0)), loop, done);
  w.b.SetInsertPoint(done);
  return w.b.CreateAlignedLoad(values->getType(), results, Align(64));
}

} // namespace hiplz::amdgcn
