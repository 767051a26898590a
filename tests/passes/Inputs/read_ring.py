# SPDX-License-Identifier: MIT
"""Prints what a program has reported, and the records of the printf ring that it has dumped after the line RING."""
import struct
import sys

KINDS = ["integer", "real", "pointer", "string"]

text, ring = open(sys.argv[1], "rb").read().split(b"RING\n", 1)
print(text.decode(), end="")
tail, head, capacity, dropped, _ = struct.unpack_from("<5Q", ring)
print("dropped", dropped)
data = ring[40:]
assert len(data) == capacity and tail - head <= capacity
while head < tail:
    start = head % capacity
    size, state = struct.unpack_from("<2I", data, start)
    assert size % 8 == 0 and state in (1, 2) and start + size <= capacity, (start, size, state)
    at, end, fields = start + 8, start + size, []
    head += size
    if state == 2:
        print("padding", size)
        continue
    while at < end:
        kind, length = struct.unpack_from("<2I", data, at)
        payload = data[at + 8:at + 8 + length]
        if KINDS[kind] == "integer":
            fields.append(f"integer/{length} {struct.unpack_from('<q', data, at + 8)[0]}")
        elif KINDS[kind] == "real":
            fields.append(f"float {struct.unpack('<f', payload)[0]}" if length == 4 else
                          f"double {struct.unpack('<d', payload)[0]}")
        elif KINDS[kind] == "pointer":
            fields.append(f"pointer {struct.unpack('<Q', payload)[0]:#x}")
        else:
            fields.append(f"string {payload.decode()!r}")
        at += 8 + (length if KINDS[kind] == "string" else 8) + 7 & ~7
    print(fields[0].removeprefix("string "), ", ".join(fields[1:]))
