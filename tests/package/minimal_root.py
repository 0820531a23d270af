"""A minimal Debian in a folder, in which packages, `./run` and other compilers are tried. Needs root, debootstrap and a mirror that can be
reached."""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

MIRROR = os.environ.get("HOLDFAST_MIRROR", "http://deb.debian.org/debian")


def missing():
    """Why no root can be made here, or None."""
    if os.geteuid() != 0:
        return "only root can make a minimal Debian"
    if not shutil.which("debootstrap"):
        return "no debootstrap (./setup package)"
    return None


class MinimalRoot:
    """A folder with a Debian in it, and commands that run there. It is removed at the end."""

    def __init__(self, suite="bookworm"):
        """Made by debootstrap; $HOLDFAST_BOOKWORM_ROOT names one that was made before, of which a copy is used;
        so for other suites."""
        self.folder = Path(tempfile.mkdtemp(prefix="holdfast-root-"))
        os.chmod(self.folder, 0o755)
        self.mounts = []
        made = os.environ.get(f"HOLDFAST_{suite.upper()}_ROOT")
        if made:
            subprocess.run(["cp", "-a", "--reflink=auto", f"{made}/.", self.folder], check=True)
        else:
            done = subprocess.run(["debootstrap", "--variant=minbase", "--include=ca-certificates", suite, self.folder, MIRROR],
                                  capture_output=True, text=True)
            if done.returncode != 0:
                self.close()
                raise RuntimeError("debootstrap: " + done.stdout[-2000:] + done.stderr[-2000:])
        for name in ("resolv.conf", "hosts"):
            if Path("/etc", name).exists():
                shutil.copyfile(f"/etc/{name}", self.folder / "etc" / name)
        # As a user's machine has it, whatever the folder was made with.
        (self.folder / "usr/sbin/policy-rc.d").write_text("#!/bin/sh\nexit 101\n")
        os.chmod(self.folder / "usr/sbin/policy-rc.d", 0o755)
        self.mount("-t", "proc", "proc", "proc")
        self.mount("--rbind", "/dev", "dev")

    def mount(self, *arguments):
        *options, place = arguments
        target = self.folder / place
        target.mkdir(exist_ok=True)
        if subprocess.run(["mount", *options, target], capture_output=True).returncode == 0:
            self.mounts.append(target)
            if "--rbind" in options:  # so that taking it away does not reach the host
                subprocess.run(["mount", "--make-rslave", target], check=True)

    def run(self, *command, check=True, timeout=None, cwd="/", **settings):
        """A command in the root, with an environment of its own."""
        environment = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "LC_ALL": "C.UTF-8",
                       "DEBIAN_FRONTEND": "noninteractive", **settings}
        words = " ".join("'" + str(word).replace("'", "'\\''") + "'" for word in command)
        done = subprocess.run(["chroot", self.folder, "/bin/sh", "-c", f"cd '{cwd}' && exec {words}"], env=environment,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", timeout=timeout)
        if check and done.returncode != 0:
            raise AssertionError(f"{words}: exit status {done.returncode}\n{done.stdout[-6000:]}")
        return done

    def packages(self):
        """Names of the packages that are installed."""
        said = self.run("dpkg-query", "-W", "-f", "${Package} ${db:Status-Status}\\n").stdout
        return {line.split()[0] for line in said.splitlines() if line.endswith(" installed")}

    def files(self):
        """Every file outside of what Debian's own tools write down (lists, logs, caches)."""
        left_out = ("proc", "dev", "sys", "tmp", "var/lib/dpkg", "var/lib/apt", "var/cache", "var/log", "root", "run")
        found = set()
        for place, below, names in os.walk(self.folder):
            inside = os.path.relpath(place, self.folder)
            below[:] = [name for name in below if os.path.normpath(os.path.join(inside, name)) not in left_out]
            found.update(os.path.normpath(os.path.join(inside, name)) for name in [*names, *below])
        return found

    def close(self):
        for target in reversed(self.mounts):
            subprocess.run(["umount", "--recursive", "--lazy", target], check=False)
        self.mounts = []
        if not any(line.split()[1].startswith(str(self.folder) + "/") for line in Path("/proc/mounts").read_text().splitlines()):
            shutil.rmtree(self.folder, ignore_errors=True)
