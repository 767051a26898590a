#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The tables of passes in docs/design/vectorizer.md have the passes of passes.def, in its order and with its descriptions."""
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
listed = re.findall(r'^HIPLZ_(?:BODY|MODULE|CODE)_PASS\(\w+, "([^"]+)", "([^"]+)"\)',
                    (root / "src/cpu/vectorizer/passes.def").read_text(), re.MULTILINE)
documented = re.findall(r"^\| `([^`]+)` \| ([^|]+) \|$",
                        (root / "docs/design/vectorizer.md").read_text().split("## Shapes")[0], re.MULTILINE)
if not listed or documented != listed:
    for name in listed + documented:
        if listed.count(name) != documented.count(name):
            print("only in", "passes.def:" if name in listed else "vectorizer.md:", *name)
    sys.exit("docs/design/vectorizer.md and passes.def list different passes, or in another order")
