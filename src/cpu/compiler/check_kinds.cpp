// SPDX-License-Identifier: MIT
// The flag that asks for checks. See checks.h.
#include "cpu/compiler/checks.h"

#include <llvm/ADT/SmallVector.h>

using namespace llvm;

namespace hiplz::cpu {

CheckKinds parseChecks(std::string_view names) {
  CheckKinds kinds;
  SmallVector<StringRef, 4> list;
  StringRef(names.data(), names.size()).split(list, ',');
  for (StringRef name : list) {
    kinds.memory = kinds.memory || name == "memcheck";
    kinds.shadow = kinds.shadow || name == "shadow";
    kinds.races = kinds.races || name == "racecheck";
    kinds.barriers = kinds.barriers || name == "synccheck";
    kinds.initialization = kinds.initialization || name == "initcheck";
  }
  return kinds;
}

} // namespace hiplz::cpu
