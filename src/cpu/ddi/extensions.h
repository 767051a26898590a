// Functions of later versions of the specification that this driver implements, found by name through
// zeDriverGetExtensionFunctionAddress because the loader of version 1.4 has no place for them in its tables. They take
// the driver's own handles: where the loader wraps handles, translate them with zelLoaderTranslateHandle.
#pragma once

namespace hiplz::cpu::ddi {

constexpr unsigned kDriverVersion = 1;

constexpr char kImmediateAppendListsExtension[] = "ZE_experimental_immediate_command_list_append";
/// All lists and queues of this driver execute in order, whether or not the flag of later versions asks for it.
constexpr char kInOrderListsExtension[] = "HIPLZ_in_order_command_lists";

/// Null if there is no such function.
void *findExtensionFunction(const char *name);

} // namespace hiplz::cpu::ddi
