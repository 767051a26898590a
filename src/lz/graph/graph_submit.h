// SPDX-License-Identifier: MIT
// How a recorded graph is submitted to a stream.
#pragma once
#include "lz/core/error.h"
#include "lz/sync/event_pool.h"

namespace hiplz {

class LZGraphLanes;
class LZGraphRecording;
class LZQueue;

/// Submits the steps of a recording to the stream and to its lanes, after `previous` if that is an event. `done` is signalled
/// when everything has completed. If an error is returned or HipError is thrown, a part may have been submitted.
hipError_t submitGraph(LZQueue &queue, const LZGraphRecording &recording, LZGraphLanes &lanes,
                       const LZEventRef &previous, LZEventRef &done);

} // namespace hiplz
