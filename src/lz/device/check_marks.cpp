// SPDX-License-Identifier: MIT
// See check_marks.h.
#include "lz/device/check_marks.h"
#include "base/env.h"
#include "lz/core/ze_extensions.h"
#include "lz/device/driver.h"

namespace hiplz {
namespace {

ZeCheckMarkFunction functionOf(const LZDriver &driver) {
  static const bool isChecked = !envString(EnvVar::HIPLZ_CHECK).empty();
  return isChecked ? reinterpret_cast<ZeCheckMarkFunction>(driver.extensionFunction(kZeCheckMark)) : nullptr;
}

} // namespace

bool checksMemory(const LZDriver &driver) { return functionOf(driver) != nullptr; }

ze_result_t markMemory(const LZDriver &driver, ze_command_list_handle_t list, const ZeCheckMark &mark) {
  const ZeCheckMarkFunction function = functionOf(driver);
  if (!function)
    return ZE_RESULT_SUCCESS;
  return static_cast<ze_result_t>(function(list ? driverHandle(list) : nullptr, &mark));
}

} // namespace hiplz
