// SPDX-License-Identifier: MIT
// Events of OpenCL that the driver signals itself: for commands that wait for what the host or a later command will signal. When the
// process exits, nobody will any more, and implementations wait for their commands then. So the process's exit ends those that are left.
#pragma once
#include "opencl/cl_api.h"

namespace hiplz::opencl {

/// To be signalled once. Throws Error(DEVICE_LOST) when the process exits.
ClEvent makeUserEvent(cl_context context);
/// With CL_COMPLETE or an error. Not under a lock: callbacks may run at once.
void signalUserEvent(const ClEvent &event, cl_int status);
/// False if no command that was enqueued before this call waits for anything but commands.
bool anyUserEventPending();
/// Has the exit of the process end the events that are pending then, after handlers that are registered later. Commands behind
/// them are not executed. Call once, when OpenCL's implementations have been loaded.
void endUserEventsAtExit();

} // namespace hiplz::opencl
