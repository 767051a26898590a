// SPDX-License-Identifier: MIT
#include "cpu/vectorizer/warp/item_reads.h"
#include "cpu/abi/compiled_code.h"
#include "cpu/vectorizer/work_item_fields.h"

#include <llvm/IR/Module.h>

using namespace llvm;

namespace hiplz::cpu {

Value *ItemReads::field(Type *type, uint64_t offset) {
  Value *address = b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), itemOf(warp_), offset);
  LoadInst *load = b_.CreateAlignedLoad(type, address,
                                        Align(type->isVectorTy()    ? 4 * width_
                                              : type->isPointerTy() ? 8
                                                                    : 4));
  load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(b_.getContext(), {}));
  return load;
}

bool ItemReads::emit(const LoadInst &load) {
  auto read = itemReadBy(load);
  if (!read)
    return false;
  Type *type = load.getType();
  unsigned d = read->dimension;
  switch (read->field) {
  case ItemField::launch: values_.set(load, field(type, offsetof(WarpState, launch))); break;
  case ItemField::worker: values_.set(load, field(type, offsetof(WarpState, worker))); break;
  case ItemField::groupId:
    if (values_.isVarying(&load))
      values_.set(load, field(laneType(type), offsetof(WarpState, groupX)));
    else
      values_.set(load, field(type, offsetof(WarpState, groupId) + 4 * d));
    break;
  case ItemField::linearId:
    if (values_.isVarying(&load))
      values_.set(load, field(laneType(type), offsetof(WarpState, linearId)));
    else
      values_.set(load, mixesGroups(options_.layout) ? b_.getInt32(0) : field(type, offsetof(WarpState, firstLinear)));
    break;
  case ItemField::globalX: values_.set(load, field(type, offsetof(WarpState, firstGlobalX))); break;
  case ItemField::localId:
    if (options_.layout == LaneLayout::folded && d == 0)
      values_.set(load, b_.CreateAnd(values_.lanes(1, type), ConstantInt::get(laneType(type), options_.rowLanes - 1)));
    else if (values_.isVarying(&load))
      values_.set(load, field(laneType(type), offsetof(WarpState, localId) + 4 * kSubgroupSize * d));
    else if (mixesGroups(options_.layout) || (options_.layout == LaneLayout::line && d > 0))
      values_.set(load, b_.getInt32(0));
    else
      values_.set(load, field(type, offsetof(WarpState, firstId) + 4 * d));
    break;
  }
  return true;
}

Value *ItemReads::workItemOf(Value *lane) {
  IRBuilder<> prologue(context_.prologue->getTerminator());
  AllocaInst *item = prologue.CreateAlloca(ArrayType::get(prologue.getInt64Ty(), sizeof(WorkItem) / 8));
  auto put = [&](Value *value, uint64_t offset) {
    b_.CreateStore(value, b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), item, offset));
  };
  put(field(b_.getPtrTy(), offsetof(WarpState, launch)), offsetof(WorkItem, launch));
  put(field(b_.getPtrTy(), offsetof(WarpState, worker)), offsetof(WorkItem, worker));
  put(ConstantPointerNull::get(b_.getPtrTy()), offsetof(WorkItem, fiber));
  auto first = [&](uint64_t offset) { return field(b_.getInt32Ty(), offset); };
  auto ascending = [&](uint64_t offset) { return b_.CreateAdd(first(offset), lane); };
  auto ofTable = [&](uint64_t offset) -> Value * {
    Value *table = b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), itemOf(warp_), offset);
    return b_.CreateLoad(b_.getInt32Ty(),
                         b_.CreateInBoundsGEP(b_.getInt32Ty(), table, {b_.CreateZExt(lane, b_.getInt64Ty())}));
  };
  const bool singles = options_.layout == LaneLayout::singles, blocks = options_.layout == LaneLayout::blocks;
  put(singles  ? b_.getInt32(0)
      : blocks ? ofTable(offsetof(WarpState, linearId))
               : ascending(offsetof(WarpState, firstLinear)),
      offsetof(WorkItem, linearId));
  for (unsigned d = 0; d < 3; ++d) {
    const uint64_t group = offsetof(WarpState, groupId) + 4 * d, id = offsetof(WarpState, firstId) + 4 * d;
    put(d > 0 || !mixesGroups(options_.layout) ? first(group)
        : singles                              ? ascending(group)
                                               : ofTable(offsetof(WarpState, groupX)),
        offsetof(WorkItem, groupId) + 4 * d);
    put(singles ? b_.getInt32(0)
        : blocks || options_.layout == LaneLayout::table || options_.layout == LaneLayout::folded
            ? ofTable(offsetof(WarpState, localId) + 4 * kSubgroupSize * d)
        : d == 0 ? ascending(id)
                 : first(id),
        offsetof(WorkItem, localId) + 4 * d);
  }
  return item;
}

} // namespace hiplz::cpu
