// What drivers may offer beyond the headers that HIPLZ is built with (specification 1.4). Everything here is looked for
// at run time (LZDriver) and used only where it was found.
#pragma once
#include <level_zero/ze_api.h>

namespace hiplz {

/// ZE_COMMAND_QUEUE_FLAG_IN_ORDER of specification 1.6: the commands of an immediate list execute in order without
/// barriers between them.
inline constexpr ze_command_queue_flags_t kZeCommandQueueFlagInOrder = ZE_BIT(1);
inline constexpr ze_api_version_t kZeApiVersionInOrder = static_cast<ze_api_version_t>(ZE_MAKE_VERSION(1, 6));

/// The extension by which a driver of an older specification says that its command lists always execute in order, so
/// that events between their commands would be wasted (docs/architecture.md, seam 2).
inline constexpr char kZeInOrderListsExtension[] = "HIPLZ_in_order_command_lists";

} // namespace hiplz
