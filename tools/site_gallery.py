"""The gallery of the documentation site: pictures that the program or its Python package draws when the site is built, each with its
commands or its lines. docs/site/gallery.json lists them: `picture` is the file that the commands make (NAME.svg), `report` a page in
place of one, of which there are pictures where there is a browser; lines of `python` leave their picture in `ax`. A `script` of the
shell leaves a page that is never twice the same, so there are pictures of it alone."""

import json
import os
import shlex
import shutil
import subprocess
import sys

import site_shots
from page_commands import folder_for_commands, shell
from project import in_parallel

INTRODUCTION = """# Gallery

Every picture was drawn by the commands, or the lines of Python, below it, when this site was built; they run as they are from the
project's root, in seconds. A drawing of a schedule, `--schedule FILE.svg`, exists for every domain, and `.json` instead of `.svg` opens in
Perfetto. Pages are shown as a browser shows them, in a window of 1366 and of 420 pixels, on light and on dark.
"""


# The script around the lines of a picture, which leave it in `ax`. It writes the same bytes whenever it runs.
DRAWN = """import matplotlib
matplotlib.use("Agg")
matplotlib.rcParams["svg.hashsalt"] = "holdfast"
{lines}
ax.figure.savefig({file!r}, metadata={{"Date": None}}, bbox_inches="tight")
"""


def read(root):
    return json.loads((root / "docs/site/gallery.json").read_text(encoding="utf-8"))


def python_of(program):
    """The interpreter and the environment that draw with the package that was built beside the program; None where the package,
    matplotlib or pandas is missing."""
    environment = {**os.environ, "PYTHONPATH": str(program.resolve().parents[1] / "python"), "PYTHONWARNINGS": "ignore"}
    for python in ("/usr/bin/python3", sys.executable):
        if os.path.exists(python) and subprocess.run([python, "-c", "import holdfast._core, matplotlib, pandas"], env=environment,
                                                     capture_output=True).returncode == 0:
            return python, environment
    return None


def drawable(items, program):
    """The items that can be drawn here, and a line about the others."""
    if not any("python" in item for item in items) or python_of(program):
        return items, None
    rest = [item for item in items if "python" not in item]
    return rest, f"docs: skipped: {len(items) - len(rest)} pictures by Python (no built package, matplotlib or pandas)"


def draw(root, program, items, folder):
    """Runs the commands and copies what they made into the folder. Returns problems."""
    folder.mkdir(parents=True, exist_ok=True)

    def started(item):
        if "commands" in item:
            return [([program, *shlex.split(command)[1:]], None) for command in item["commands"]]
        python, environment = python_of(program)
        return [([python, "-c", DRAWN.format(lines="\n".join(item["python"]), file=f"{item['name']}.svg")], environment)]

    def made(item, place):
        for words, environment in started(item):
            done = subprocess.run(words, cwd=place, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True)
            # 1: a reproduction at a small scale may miss the published numbers.
            if done.returncode not in ((0, 1) if "commands" in item else (0,)):
                return f"gallery: {item['name']}: {words[1:3]}: exit {done.returncode}: {done.stderr.strip()}"
        output = place / (item.get("report") or item.get("picture", f"{item['name']}.svg"))
        if not output.is_file():
            return f"gallery: {item['name']}: {output.name} is not there: {done.stderr.strip()}"
        shutil.copyfile(output, folder / f"{item['name']}{output.suffix}")
        return None

    def made_alone(item):
        with folder_for_commands(root) as place:
            return made(item, place)

    return [problem for problem in in_parallel(made_alone, [item for item in items if "script" not in item]) if problem]


def page(items, pictures, has_shots):
    """The page; `pictures` is the folder of the pictures, as links of the page name it. `has_shots`: there are pictures of pages."""
    lines = [INTRODUCTION]
    for item in items:
        lines += [f"## {item['title']}", "", f"{item['text']} [What it is about]({item['page']}).", ""]
        if "report" in item:
            lines += [f"[Open the page]({pictures}/{item['name']}.html)", ""] if "script" not in item else []
            lines += site_shots.table(item, pictures) if has_shots else []
        else:
            lines += [f"![{item['shows']}]({pictures}/{item['name']}.svg)", ""]
        lines += ["```", *map(shell, item["commands"])] if "commands" in item else ["```bash", *item["script"]] if "script" in item \
            else ["```python", *item["python"]]
        lines += ["```", ""]
    return "\n".join(lines)


def home(catalog, items, pictures):
    """A question and a picture of every domain, for the first page."""
    shown = {item["name"]: item["shows"] for item in items if "shows" in item}
    lines = ["```{container} questions", ""]
    for domain in catalog["domains"]:
        name = domain["name"]
        lines.append(f"- [**{name}**](domains/{name}.md): {domain['question']}")
        if name in shown:
            lines += ["", f"  [![{shown[name]}]({pictures}/{name}.svg)](domains/{name}.md)"]
        lines.append("")
    return "\n".join([*lines, "```", ""])
