// SPDX-License-Identifier: MIT
// Types of values cannot change, so every function and variable is made anew, takes over the body, and LLVM's value
// mapper rewrites types and constants inside.
#include "cpu/compiler/address_spaces.h"
#include "base/llvm_compat.h"
#include "cpu/compiler/checks.h"
#include "cpu/compiler/ir_tools.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

#include <cstddef>

using namespace llvm;

namespace hiplz::cpu {
namespace {

class FlatTypes : public ValueMapTypeRemapper {
public:
  Type *remapType(Type *type) override {
    Type *&flat = flat_[type];
    if (!flat) {
      Type *made = make(type); // may grow the map
      flat_[type] = made;
      return made;
    }
    return flat;
  }

private:
  // With a type of their own since LLVM 16.
  static bool isImageOrSampler(Type *type) {
    const StringRef name = spirvObjectName(type);
    return startsWith(name, "spirv.Image") || startsWith(name, "spirv.Sample"); // and both in one
  }

  Type *make(Type *type) {
    if (type->isPointerTy() || isImageOrSampler(type))
      return PointerType::get(type->getContext(), 0);
    if (auto *array = dyn_cast<ArrayType>(type))
      return ArrayType::get(remapType(array->getElementType()), array->getNumElements());
    if (auto *vector = dyn_cast<FixedVectorType>(type))
      return FixedVectorType::get(remapType(vector->getElementType()), vector->getNumElements());
    if (auto *function = dyn_cast<FunctionType>(type)) {
      SmallVector<Type *, 8> parameters;
      for (Type *parameter : function->params())
        parameters.push_back(remapType(parameter));
      return FunctionType::get(remapType(function->getReturnType()), parameters, function->isVarArg());
    }
    if (auto *structure = dyn_cast<StructType>(type)) {
      if (structure->isOpaque())
        return structure;
      SmallVector<Type *, 8> elements;
      bool changed = false;
      for (Type *element : structure->elements()) {
        elements.push_back(remapType(element));
        changed = changed || elements.back() != element;
      }
      if (!changed)
        return structure;
      if (structure->isLiteral())
        return StructType::get(type->getContext(), elements, structure->isPacked());
      return StructType::create(type->getContext(), elements, structure->getName(), structure->isPacked());
    }
    return type;
  }

  DenseMap<Type *, Type *> flat_;
};

// Casts between address spaces in initialisers disappear.
class FlatConstants final : public ValueMaterializer {
public:
  FlatConstants(ValueToValueMapTy &map, FlatTypes &types) : map_(map), types_(types) {}
  Value *materialize(Value *value) override {
    auto *expression = dyn_cast<ConstantExpr>(value);
    if (!expression || expression->getOpcode() != Instruction::AddrSpaceCast)
      return nullptr;
    return MapValue(expression->getOperand(0), map_, RF_None, &types_, this);
  }

private:
  ValueToValueMapTy &map_;
  FlatTypes &types_;
};

class Flattener {
public:
  Flattener(Module &module, ModuleTable &table) : module_(module), table_(table), constants_(map_, types_) {}

  void run() {
    pointer_ = PointerType::get(module_.getContext(), 0);
    replaceLocals();
    for (GlobalVariable &variable : module_.globals())
      oldVariables_.push_back(&variable);
    for (Function &function : module_)
      oldFunctions_.push_back(&function);
    for (GlobalVariable *variable : oldVariables_)
      declare(*variable);
    for (Function *function : oldFunctions_)
      declare(*function);
    for (GlobalVariable *variable : oldVariables_)
      define(*variable);
    for (Function *function : oldFunctions_)
      if (!function->isDeclaration())
        define(*function);
    dropOld();
    renameIntrinsics();
  }

private:
  // Before types change: a use of a local variable becomes a marker that is turned into an address when the WorkItem
  // is at hand.
  void replaceLocals() {
    FunctionType *type = FunctionType::get(PointerType::get(module_.getContext(), kLocalSpace),
                                           {Type::getInt64Ty(module_.getContext())}, false);
    FunctionCallee marker = module_.getOrInsertFunction("hiplz.local", type);
    for (LocalVariable &local : table_.locals) {
      const uint64_t size = module_.getDataLayout().getTypeAllocSize(local.variable->getValueType()).getFixedValue();
      MDNode *object =
          MDNode::get(module_.getContext(),
                      {MDString::get(module_.getContext(), local.variable->getName()),
                       ConstantAsMetadata::get(ConstantInt::get(Type::getInt64Ty(module_.getContext()), size))});
      for (Use &use : make_early_inc_range(local.variable->uses())) {
        auto *user = dyn_cast<Instruction>(use.getUser());
        if (!user)
          continue;
        auto *phi = dyn_cast<PHINode>(user);
        Instruction *before = phi ? phi->getIncomingBlock(use)->getTerminator() : user;
        IRBuilder<> builder(before);
        CallInst *address = builder.CreateCall(marker, builder.getInt64(local.offset));
        address->setMetadata(kLocalObject, object);
        use.set(address);
      }
      local.variable->removeDeadConstantUsers();
      if (local.variable->use_empty())
        local.variable->eraseFromParent();
      local.variable = nullptr;
    }
    marker_ = cast<Function>(marker.getCallee());
  }

  void declare(GlobalVariable &old) {
    auto *made =
        new GlobalVariable(module_, types_.remapType(old.getValueType()), old.isConstant(), old.getLinkage(), nullptr,
                           "", nullptr, GlobalVariable::NotThreadLocal, 0, old.isExternallyInitialized());
    made->setAlignment(old.getAlign());
    SmallVector<DIGlobalVariableExpression *, 1> debug;
    old.getDebugInfo(debug);
    for (auto *info : debug)
      made->addDebugInfo(info);
    made->takeName(&old);
    map_[&old] = made;
  }

  void declare(Function &old) {
    auto *flat = cast<FunctionType>(types_.remapType(old.getFunctionType()));
    bool item = !old.isDeclaration();
    Function *made = Function::Create(item ? withItem(flat) : flat, old.getLinkage(), 0, "", &module_);
    made->setAttributes(attributes(old.getAttributes(), flat->getNumParams(), item));
    made->copyMetadata(&old, 0);
    std::string name = old.getName().str();
    old.setName("");
    made->setName(name); // unlike takeName, this recognises intrinsics
    map_[&old] = made;
    if (item)
      takesItem_.insert(made);
    for (Argument &argument : old.args()) {
      Argument *twin = made->getArg(argument.getArgNo() + item);
      twin->takeName(&argument);
      map_[&argument] = twin;
    }
  }

  FunctionType *withItem(FunctionType *flat) {
    SmallVector<Type *, 8> parameters{pointer_};
    parameters.append(flat->param_begin(), flat->param_end());
    return FunctionType::get(flat->getReturnType(), parameters, flat->isVarArg());
  }

  AttributeList attributes(const AttributeList &old, unsigned parameters, bool item) {
    LLVMContext &context = module_.getContext();
    SmallVector<AttributeSet, 8> sets;
    if (item)
      sets.push_back({});
    for (unsigned i = 0; i < parameters; ++i)
      sets.push_back(flatSet(old.getParamAttrs(i)));
    return AttributeList::get(context, old.getFnAttrs(), flatSet(old.getRetAttrs()), sets);
  }

  AttributeSet flatSet(AttributeSet set) {
    LLVMContext &context = module_.getContext();
    for (Attribute::AttrKind kind : {Attribute::ByVal, Attribute::StructRet, Attribute::ElementType, Attribute::ByRef})
      if (set.hasAttribute(kind))
        if (Type *type = set.getAttribute(kind).getValueAsType())
          set = set.removeAttribute(context, kind)
                    .addAttributes(context,
                                   AttributeSet::get(context, {Attribute::get(context, kind, types_.remapType(type))}));
    return set;
  }

  void define(GlobalVariable &old) {
    if (old.hasInitializer())
      cast<GlobalVariable>(map_[&old])
          ->setInitializer(cast<Constant>(MapValue(old.getInitializer(), map_, RF_None, &types_, &constants_)));
  }

  void define(Function &old) {
    auto &made = *cast<Function>(map_[&old]);
    moveBody(made, old);
    for (Kernel &kernel : table_.kernels)
      if (kernel.function == &old)
        kernel.function = &made;
    for (Instruction &instruction : make_early_inc_range(instructions(made))) {
      RemapInstruction(&instruction, map_, RF_IgnoreMissingLocals | RF_NoModuleLevelChanges, &types_, &constants_);
      if (auto *cast = dyn_cast<AddrSpaceCastInst>(&instruction)) {
        replace(*cast, cast->getOperand(0));
      } else if (auto *call = dyn_cast<CallInst>(&instruction)) {
        rewrite(*call, made.getArg(0));
      }
    }
  }

  void replace(Instruction &old, Value *value) {
    old.replaceAllUsesWith(value);
    old.eraseFromParent();
  }

  void rewrite(CallInst &call, Value *item) {
    Function *callee = call.getCalledFunction();
    if (callee && callee == map_[marker_]) {
      IRBuilder<> builder(&call);
      Value *worker = loadField(builder, pointer_, item, offsetof(WorkItem, worker), true);
      Value *local = loadField(builder, pointer_, worker, offsetof(WorkerState, local), true);
      auto *address = cast<Instruction>(builder.CreateInBoundsGEP(builder.getInt8Ty(), local, call.getArgOperand(0)));
      address->setMetadata(kLocalObject, call.getMetadata(kLocalObject));
      replace(call, address);
      return;
    }
    if (call.isInlineAsm() || (callee && !takesItem_.contains(callee)))
      return;
    SmallVector<Value *, 8> arguments{item};
    arguments.append(call.arg_begin(), call.arg_end());
    CallInst *made = CallInst::Create(withItem(call.getFunctionType()), call.getCalledOperand(), arguments, "", &call);
    made->setAttributes(attributes(call.getAttributes(), call.arg_size(), true));
    made->setDebugLoc(call.getDebugLoc());
    if (isa<FPMathOperator>(made))
      made->copyFastMathFlags(&call);
    replace(call, made);
  }

  void dropOld() {
    for (Function *function : oldFunctions_)
      function->dropAllReferences();
    for (GlobalVariable *variable : oldVariables_)
      variable->dropAllReferences();
    for (Function *function : oldFunctions_)
      function->eraseFromParent();
    for (GlobalVariable *variable : oldVariables_)
      variable->eraseFromParent();
  }

  // Names of intrinsics contain the address spaces of their pointers.
  void renameIntrinsics() {
    for (Function &function : make_early_inc_range(module_)) {
      if (auto renamed = Intrinsic::remangleIntrinsicFunction(&function)) {
        function.replaceAllUsesWith(*renamed);
        function.eraseFromParent();
      }
    }
  }

  Module &module_;
  ModuleTable &table_;
  PointerType *pointer_ = nullptr;
  Function *marker_ = nullptr;
  SmallPtrSet<Function *, 32> takesItem_;
  ValueToValueMapTy map_;
  FlatTypes types_;
  FlatConstants constants_;
  std::vector<GlobalVariable *> oldVariables_;
  std::vector<Function *> oldFunctions_;
};

} // namespace

void flattenAddressSpaces(Module &module, ModuleTable &table) { Flattener(module, table).run(); }

} // namespace hiplz::cpu
