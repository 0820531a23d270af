"""tools/make_reference, on a catalog of one domain."""

import json
import subprocess
import sys
import unittest

from project_copy import TOOLS, ToolTest

CATALOG = {
    "holdfast": {"kind": "catalog", "version": 1},
    "domains": [{
        "name": "ferry", "question": "which boat goes when?", "example": "holdfast ferry plan --boats 3",
        "recommended": "full", "baseline": "now",
        "fields": [{"name": "boats", "summary": "how many | at least one", "kind": "integer", "default": "1", "minimum": 1},
                   {"name": "delay", "summary": "of a_b", "kind": "number", "unit": "s", "minimum": 0, "above_minimum": True,
                    "maximum": 9, "pointer": "/times/delay"}],
        "strategies": [{"name": "full", "summary": "when it is full", "source": "Noah",
                        "parameters": [{"name": "seats", "summary": "enough of them", "kind": "integer", "required": True}]},
                       {"name": "now", "summary": "at once"}],
        "metrics": [{"name": "wait", "summary": "mean wait", "unit": "s", "better": "lower"}],
        "schedule": [{"name": "boat", "role": "label"}],
        "verbs": [{"name": "plan", "summary": "the next departure"}],
    }],
    "laws": [{"name": "tide", "summary": "comes and goes", "fields": "period"}],
    "speedups": ["sail"],
    "formats": [{"name": "log", "summary": "a ship's log", "holds": "ports"}],
    "executors": [{"name": "local", "summary": "here"}],
    "commands": [{"name": "ferry", "summary": "which boat goes when?", "verbs": [
        {"name": "plan", "summary": "the next departure", "footer": "examples: holdfast ferry plan\n          holdfast ferry plan -",
         "options": [{"name": "--boats", "summary": "how many", "type": "N", "group": "Instance"}]}]}],
}


class MakeReference(ToolTest):
    def made(self):
        catalog = self.write("catalog.json", json.dumps(CATALOG))
        subprocess.run([sys.executable, TOOLS / "make_reference", "--catalog", catalog, self.root / "out"], check=True,
                       stdout=subprocess.DEVNULL)
        return {path.relative_to(self.root / "out").as_posix(): path.read_text() for path in self.root.rglob("out/**/*.md")}

    def test_every_name_of_the_catalog_is_on_a_page(self):
        made = self.made()
        self.assertEqual(sorted(made), ["commands/ferry.md", "domains/ferry.md", "index.md", "models.md"])
        domain = made["domains/ferry.md"]
        for row in ("| `boats` | how many \\| at least one | integer, 1 \\<= x | `1` |  |",
                    "| `delay` | of a\\_b | number (s), 0 \\< x \\<= 9 |  | `/times/delay` |",
                    "| `full` (recommended) | when it is full | Noah |", "| `now` (baseline) | at once |  |",
                    "| `full` | `seats` | enough of them | integer | required |", "| `wait` | mean wait | s | lower |",
                    "| `boat` | label |", "| [`plan`](../commands/ferry.md#ferry-plan) | the next departure |"):
            self.assertIn(row, domain)
        self.assertIn("## ferry plan\n\nThe next departure.\n\n```\nholdfast ferry plan\nholdfast ferry plan -\n```",
                      made["commands/ferry.md"])
        self.assertIn("| `--boats N` | how many |", made["commands/ferry.md"])
        for name in ("`tide`", "`sail`", "`log`", "`local`"):
            self.assertIn(name, made["models.md"])
        self.assertIn("[holdfast ferry](commands/ferry.md)", made["index.md"])


if __name__ == "__main__":
    unittest.main()
