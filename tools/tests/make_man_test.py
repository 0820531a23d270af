"""tools/make_man, on a catalog of one domain."""

import gzip
import json
import shutil
import subprocess
import sys
import unittest

from make_reference_test import CATALOG
from project_copy import TOOLS, ToolTest

INTERFACE = """# Interface

## 1. The command line

**Quantities** take units: `600s`.

| exit code | meaning |
|---|---|
| 0 | done |
| 3 | an input is wrong: `FILE:LINE` |

## 4. Campaign files

```toml
.leading = 'dot'
back = "\\\\n"
```

- The *first* array varies [slowest](x.md).
- 'quoted' at the start.

## 6. A directory of results

| file | holds |
|---|---|
| `results.sqlite` | every cell |

## 7. The environment

| variable | read by | meaning |
|---|---|---|
| `NO_COLOR` | the program | no colours |
"""


class MakeMan(ToolTest):
    def made(self):
        self.write("docs/interface.md", INTERFACE)
        catalog = self.write("catalog.json", json.dumps(CATALOG))
        program = self.write("holdfast", f'#!/bin/sh\nif [ "$1" = describe ]; then cat "{catalog}"; else echo \'{{"version": "1.2.3"}}\'; fi\n')
        program.chmod(0o755)
        subprocess.run([sys.executable, TOOLS / "make_man", "--root", self.root, "--program", program, self.root / "man"], check=True,
                       stdout=subprocess.DEVNULL)
        return {path.name.removesuffix(".gz"): path for path in (self.root / "man").glob("*.gz")}

    def test_every_command_has_a_page_with_its_names(self):
        pages = {name: gzip.decompress(path.read_bytes()).decode() for name, path in self.made().items()}
        self.assertEqual(sorted(pages), ["holdfast-campaign.5", "holdfast-ferry.1", "holdfast.1"])
        ferry = pages["holdfast-ferry.1"]
        for text in ("holdfast\\-ferry \\- which boat goes when?", ".SS \"holdfast ferry plan\"", "\\fB\\-\\-boats\\fR \\fIN\\fR",
                     "When it is full. Recommended. Parameters: seats. Source: Noah.", "\\fBwait\\fR (s)", "An input is wrong"[3:]):
            self.assertIn(text, ferry)
        self.assertIn("\\&.leading", pages["holdfast-campaign.5"])
        self.assertIn('"holdfast 1.2.3"', pages["holdfast.1"])

    def test_pages_are_packed_without_a_time(self):
        first = {name: path.read_bytes() for name, path in self.made().items()}
        self.assertEqual({name: path.read_bytes() for name, path in self.made().items()}, first)

    def test_man_has_no_warning(self):
        if not shutil.which("man"):
            self.skipTest("skipped: no man (./setup package)")
        for name, path in self.made().items():
            done = subprocess.run(["man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", path], capture_output=True, text=True,
                                  env={"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "MANWIDTH": "80"})
            self.assertEqual((done.returncode, done.stderr), (0, ""), name)


if __name__ == "__main__":
    unittest.main()
