// SPDX-License-Identifier: MIT
// The buffer in which kernels call the host, as AMD's compiled device library has it: machine code contains the device's side. The
// runtime makes the buffer and answers (src/lz/module/hostcall.cpp). A kernel takes a packet off the free stack, fills it, puts
// it on the ready stack, waits until its ready flag is 0, reads the results and puts it back.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace __hiplz {

/// The name of a module's variable that the runtime sets to the address of the HostcallBuffer.
constexpr char hostcallVariable[] = "__hiplz_hostcall";

/// Of a packet. A pointer to a packet has its index in the bits of HostcallBuffer::indexMask and above them a tag, which grows each
/// time the packet is put back; 0 is the end of a stack.
struct HostcallHeader {
  static constexpr uint32_t ready = 1; ///< in `control`: the host has not answered yet

  uint64_t next;       ///< on the stack
  uint64_t activeMask; ///< the lanes that call
  uint32_t service;    ///< HostcallService
  uint32_t control;
};
static_assert(sizeof(HostcallHeader) == 24 && offsetof(HostcallHeader, service) == 16, "as compiled code has it");

/// The arguments of each lane, of which the host replaces the first two by its results.
struct HostcallPayload {
  uint64_t slots[64][8];
};

/// Like the signals of AMD's runtime: kernels add 1 to the value. They send an interrupt only if there is a mailbox.
struct HostcallDoorbell {
  int64_t kind;
  int64_t value;
  uint64_t mailbox;
  uint32_t event, reserved;
  uint64_t unused[4];
};
static_assert(sizeof(HostcallDoorbell) == 64 && offsetof(HostcallDoorbell, value) == 8, "as compiled code has it");

struct HostcallBuffer {
  HostcallHeader *headers;
  HostcallPayload *payloads;
  HostcallDoorbell *doorbell;
  uint64_t freeStack, readyStack;
  uint64_t indexMask; ///< the number of packets less one
};
static_assert(sizeof(HostcallBuffer) == 48 && offsetof(HostcallBuffer, freeStack) == 24, "as compiled code has it");

/// The first argument is the address of a function, or the descriptor of a message, or the address of an allocation.
enum HostcallService : uint32_t {
  callFunction = 1, ///< void function(uint64_t *results, const uint64_t *arguments)
  printMessage = 2, ///< a part of a message; a whole one is a word for the stream, a format, and arguments
  deviceMemory = 3, ///< allocates if the address is 0 (the second argument is the size), else frees
};

/// Bits of the descriptor of a message. The seven arguments behind it are the next words of the message.
struct HostcallMessage {
  static constexpr uint64_t begin = 1, end = 2;
  static constexpr unsigned lengthShift = 5,
                            idShift = 8; ///< how many words; which message, given by the host at its beginning
  static constexpr uint64_t lengthMask = 7;
};

} // namespace __hiplz
