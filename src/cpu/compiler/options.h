// The build flags of ze_module_desc_t that this compiler knows.
#pragma once
#include <string>
#include <string_view>

namespace hiplz::cpu {

struct CompileOptions {
  bool optimize = true;
  bool debugInfo = false;
  bool fastMath = false;
  bool finiteMath = false;
  bool noSignedZeros = false;
};

/// Understands the OpenCL and Level Zero flags; flags that only concern GPUs or that allow what is done anyway are
/// accepted silently. Unknown ones are named in `warnings`.
CompileOptions parseOptions(std::string_view flags, std::string &warnings);

} // namespace hiplz::cpu
