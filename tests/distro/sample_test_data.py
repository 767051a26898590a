# SPDX-License-Identifier: MIT
"""sample_test_data.py IN OUT COUNT: a part of the test data of rocBLAS or rocSPARSE, whose programs read all of it before they begin, 500,000
cases and more. The file is a head, one record that shows the layout, a tail, and records of that size. COUNT of those in the category "quick" are
kept, evenly spread."""
import mmap
import os
import sys

ENDS = {b"rocBLAS\0": b"ROCblas\0", b"rocSPARSE\0": b"ROCsparse\0"}


def main():
    source, out, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    with open(source, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        head = next((head for head in ENDS if data[:len(head)] == head), None)
        end = data.find(ENDS[head], len(head)) if head else -1
        if end < 0:
            sys.exit(f"{source}: unknown test data")
        size, first = end - len(head), end + len(ENDS[head])
        records = range(first, len(data) - size + 1, size)
        quick = [at for at in records if data.find(b"quick\0", at, at + size) >= 0]
        os.makedirs(os.path.dirname(out) or ".", exist_ok=True)
        with open(out, "wb") as sample:
            sample.write(data[:first])
            for n in range(min(count, len(quick))):
                at = quick[n * len(quick) // min(count, len(quick))]
                sample.write(data[at:at + size])


if __name__ == "__main__":
    main()
