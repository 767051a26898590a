// SPDX-License-Identifier: MIT
// The image of a code object in memory, which its kernels share: bytes, with addresses in them where the loader would put some.
#include "base/llvm_compat.h"
#include "cpu/compiler/machine_code.h"
#include "cpu/compiler/machine_functions.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/Target/TargetMachine.h>

using namespace llvm;

namespace hiplz::cpu {

using amdgcn::CodeObject;

std::unique_ptr<Module> makeImage(const CodeObject &object, const ModuleTable &table, TargetMachine &machine,
                                  LLVMContext &context) {
  auto module = std::make_unique<Module>("image", context);
  setTarget(*module, machine.getTargetTriple());
  module->setDataLayout(machine.createDataLayout());
  IRBuilder<> b(context);
  SmallVector<Type *, 16> types;
  SmallVector<std::pair<uint64_t, uint64_t>, 16> pieces; // of plain bytes
  uint64_t at = 0;
  auto plain = [&](uint64_t end) {
    pieces.emplace_back(at, end - at);
    types.push_back(ArrayType::get(b.getInt8Ty(), end - at));
    at = end;
  };
  for (const amdgcn::Relocation &relocation : object.relocations) {
    plain(relocation.offset);
    types.push_back(b.getInt64Ty());
    at += sizeof(uint64_t);
  }
  plain(object.image.size());
  auto *type = StructType::get(context, types, true);
  auto *image = new GlobalVariable(*module, type, false, GlobalValue::PrivateLinkage, nullptr, "image");
  image->setAlignment(Align(4096));
  SmallVector<Constant *, 16> values;
  const StringRef bytes(reinterpret_cast<const char *>(object.image.data()), object.image.size());
  for (size_t i = 0; i < pieces.size(); ++i) {
    values.push_back(ConstantDataArray::getString(context, bytes.substr(pieces[i].first, pieces[i].second), false));
    if (i < object.relocations.size())
      values.push_back(ConstantExpr::getAdd(ConstantExpr::getPtrToInt(image, b.getInt64Ty()),
                                            b.getInt64(object.relocations[i].addend)));
  }
  image->setInitializer(ConstantStruct::get(type, values));
  auto name = [&](const std::string &symbol, uint64_t offset, uint64_t size) {
    auto *place = ConstantExpr::getGetElementPtr(b.getInt8Ty(), image, b.getInt64(offset));
    GlobalAlias::create(ArrayType::get(b.getInt8Ty(), size), 0, GlobalValue::ExternalLinkage, symbol, place,
                        module.get());
  };
  name(kImageSymbol, 0, object.image.size());
  for (const std::string &owners : amdgcn::ownersVariables(object))
    new GlobalVariable(*module, b.getInt64Ty(), false, GlobalValue::ExternalLinkage, b.getInt64(0),
                       globalSymbol(owners));
  for (const GlobalInfo &global : table.globals)
    for (const amdgcn::Symbol &symbol : object.symbols)
      if (symbol.name == global.name && !module->getNamedAlias(globalSymbol(global.name)))
        name(globalSymbol(global.name), symbol.offset, symbol.size);
  return module;
}

} // namespace hiplz::cpu
