"""A Slurm for a test: munged, slurmctld and one slurmd per node, all on loopback, in a folder of their own, without systemd."""

import os
import shutil
import socket
import subprocess
import time
from pathlib import Path

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "scancel", "scontrol")
# Daemons lie where the path of an ordinary user does not lead.
PATH = os.environ.get("PATH", "") + ":/usr/sbin:/sbin"


class Unavailable(Exception):
    """Slurm cannot be started here, for the reason that the text gives."""


def find(program):
    return shutil.which(program, path=PATH)


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    try:
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]
    finally:
        for one in sockets:
            one.close()


CONFIGURATION = """\
ClusterName={cluster}
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ctld_port}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CredType=cred/munge
SlurmUser={user}
SlurmdUser={user}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool-%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd-%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd-%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SwitchType=switch/none
MpiDefault=none
MailProg=/bin/true
ReturnToService={returns}
KillWait=5
MinJobAge=60
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=1,sched_interval=1,batch_sched_delay=0
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
{more}
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


class SlurmNode:
    """`with SlurmNode(folder) as slurm:`; slurm.environment is what sbatch and its like need. Several nodes may have more CPUs than this
    machine; of those that are free, Slurm takes the first."""

    def __init__(self, folder, cpus=2, nodes=1, cluster="test", more="", returns=2):
        self.folder = Path(folder)
        self.cpus = cpus
        self.host = socket.gethostname().split(".")[0]
        self.nodes = [self.host] if nodes == 1 else [f"n{k:02d}" for k in range(1, nodes + 1)]
        self.cluster = cluster
        self.more = more
        self.returns = returns  # 0: a node that went down comes back only when somebody says so
        self.processes = {}
        self.environment = dict(os.environ, PATH=PATH, SLURM_CONF=str(self.folder / "slurm.conf"))

    def __enter__(self):
        missing = [program for program in PROGRAMS if find(program) is None]
        if missing:
            raise Unavailable(f"no {', '.join(missing)}")
        try:
            self._prepare()
            self._start("munged", "--foreground", "--force", f"--key-file={self.folder}/munge.key",
                        f"--socket={self.folder}/munge.socket", f"--pid-file={self.folder}/munged.pid",
                        f"--log-file={self.folder}/munged.log", f"--seed-file={self.folder}/munged.seed")
            self._wait("munged", lambda: (self.folder / "munge.socket").exists())
            self.start_slurmctld()
            for node in self.nodes:
                self.start_slurmd(node)
            self._wait("slurmctld", self.is_idle)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        daemons = [name for name in self.processes if name.startswith("slurmd ")]
        for name in [*daemons, "slurmctld", "munged"]:
            self.stop(name)

    def _prepare(self):
        import pwd

        self.folder.chmod(0o755)
        for name in ("state", *(f"spool-{node}" for node in self.nodes)):
            (self.folder / name).mkdir()
        key = self.folder / "munge.key"
        key.write_bytes(os.urandom(128))
        key.chmod(0o400)
        ctld_port, *ports = free_ports(1 + len(self.nodes))
        lines = [f"NodeName={node} NodeHostname={self.host} NodeAddr=127.0.0.1 Port={port} CPUs={self.cpus} Weight={weight} State=UNKNOWN"
                 for weight, (node, port) in enumerate(zip(self.nodes, ports), start=1)]
        if len(self.nodes) > 1:
            lines.insert(0, "SlurmdParameters=config_overrides")
        (self.folder / "slurm.conf").write_text(CONFIGURATION.format(
            folder=self.folder, host=self.host, user=pwd.getpwuid(os.getuid()).pw_name, cluster=self.cluster,
            returns=self.returns, ctld_port=ctld_port, more="\n".join([*self.more.splitlines(), *lines])))

    def _start(self, name, *arguments):
        log = open(self.folder / f"{name}.out", "ab")
        with log:
            self.processes[name] = subprocess.Popen([find(name.split()[0]), *map(str, arguments)], env=self.environment,
                                                    stdout=log, stderr=log, cwd=self.folder)

    def _wait(self, name, is_ready, seconds=60):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.processes[name].poll() is not None:
                raise Unavailable(f"{name} does not start: {self._last_words(name)}")
            if is_ready():
                return
            time.sleep(0.1)
        raise Unavailable(f"{name} is not ready after {seconds} s: {self._last_words(name)}")

    def _last_words(self, name):
        text = ""
        for path in (self.folder / f"{name}.out", self.folder / f"{name.replace(' ', '-')}.log"):
            if path.exists():
                text += path.read_text(errors="replace")
        return " | ".join(text.strip().splitlines()[-3:])

    def last_words(self, lines):
        """The ends of the daemons' logs, for a test that failed."""
        logs = [self.folder / f"{name}.log" for name in ("slurmctld", *(f"slurmd-{node}" for node in self.nodes))]
        return "\n".join(line for log in logs if log.exists() for line in [log.name, *log.read_text(errors="replace").splitlines()[-lines:]])

    def start_slurmctld(self):
        self._start("slurmctld", "-D", "-f", self.folder / "slurm.conf")

    def kill_slurmctld(self, saved=False):
        """Kills it and starts it again. It writes its state some seconds after a change, and forgets what it has not written;
        `saved`: waits (for at most 8 s) until it has just written it."""
        state = self.folder / "state/job_state"
        before, end = state.stat().st_mtime_ns if state.exists() else 0, time.monotonic() + 8
        while saved and time.monotonic() < end and (not state.exists() or state.stat().st_mtime_ns == before):
            time.sleep(0.01)
        self.stop("slurmctld", "kill")
        self.start_slurmctld()
        self._wait("slurmctld", lambda: self.run("squeue", "--noheader", check=False).returncode == 0)

    def start_slurmd(self, node=None):
        node = node or self.nodes[0]
        self._start(f"slurmd {node}", "-D", "-f", self.folder / "slurm.conf", "-N", node)

    def stop(self, name, how="terminate"):
        process = self.processes.pop(f"slurmd {self.nodes[0]}" if name == "slurmd" else name, None)
        if process is None:
            return
        getattr(process, how)()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def run(self, *command, check=True):
        return subprocess.run([str(part) for part in command], env=self.environment, check=check, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120)

    def is_idle(self):
        said = self.run("sinfo", "--noheader", "--format=%T", check=False)
        return said.returncode == 0 and set(said.stdout.split()) == {"idle"}

    def jobs(self):
        """Numbers and states of the jobs that wait or run."""
        said = self.run("squeue", "--noheader", "--array", "--format=%i %t").stdout
        return [tuple(line.split()) for line in said.splitlines()]

    def wait_until_empty(self, seconds=240):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if not self.jobs():
                return
            time.sleep(0.3)
        raise AssertionError(f"still in the queue after {seconds} s: {self.jobs()}")
