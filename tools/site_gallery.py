"""The gallery of the documentation site: pictures that the program draws when the site is built, each with its commands.
docs/site/gallery.json lists them: `picture` is the file that the commands make (NAME.svg), `report` a page in place of one."""

import json
import shlex
import shutil
import subprocess

from page_commands import folder_for_commands, shell
from project import in_parallel

INTRODUCTION = """# Gallery

Every picture was drawn by the commands below it, when this site was built; the commands run as they are from the project's
root, in seconds. A drawing of a schedule, `--schedule FILE.svg`, exists for every domain, and `.json` instead of `.svg` opens in
Perfetto.
"""


def read(root):
    return json.loads((root / "docs/site/gallery.json").read_text(encoding="utf-8"))


def draw(root, program, items, folder):
    """Runs the commands and copies what they made into the folder. Returns problems."""
    folder.mkdir(parents=True, exist_ok=True)

    def made(item, place):
        for command in item["commands"]:
            words = shlex.split(command)
            done = subprocess.run([program, *words[1:]], cwd=place, stdin=subprocess.DEVNULL, capture_output=True, text=True)
            # 1: a reproduction at a small scale has numbers that are off.
            if done.returncode not in (0, 1):
                return f"gallery: {command}: exit {done.returncode}: {done.stderr.strip()}"
        output = place / (item.get("report") or item.get("picture", f"{item['name']}.svg"))
        if not output.is_file():
            return f"gallery: {item['commands'][-1]}: {output.name} is not there: {done.stderr.strip()}"
        shutil.copyfile(output, folder / f"{item['name']}{output.suffix}")
        return None

    def made_alone(item):
        with folder_for_commands(root) as place:
            return made(item, place)

    return [problem for problem in in_parallel(made_alone, items) if problem]


def page(items, pictures):
    """The page; pictures is the folder of what was drawn, as links of the page name it."""
    lines = [INTRODUCTION]
    for item in items:
        lines += [f"## {item['title']}", "", f"{item['text']} [What it is about]({item['page']}).", ""]
        if "report" in item:
            lines += [f"[Open the page]({pictures}/{item['name']}.html)", ""]
        else:
            lines += [f"![{item['shows']}]({pictures}/{item['name']}.svg)", ""]
        lines += ["```", *map(shell, item["commands"]), "```", ""]
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
