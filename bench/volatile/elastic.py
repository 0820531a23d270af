"""An elastic job under policies that let machines in, in virtual time: for the experiments with `holdfast volatile admit`."""

import json
import subprocess
import sys


def write_record(stays, now, path):
    """What is known at a time, as state-events."""
    rows = []
    for name, times in stays.items():
        if not times or times[0][0] > 0:
            rows.append((0, name, "down"))
        for start, end in times:
            if start <= now:
                rows.append((start, name, "up"))
            if end <= now:
                rows.append((end, name, "down"))
    rows.sort()
    path.write_text(f"# until: {now}\nworker,time,state\n" + "".join(f"{name},{time!r},{state}\n" for time, name, state in rows))


def ask(args, record, name, running, since):
    """What `volatile admit` says: exit code, and the seconds after which to ask again, or None."""
    done = subprocess.run([args.program, "volatile", "admit", record, "--node", name, "--running", ",".join(running),
                           "--restart", f"{args.restart}s", "--join", f"{args.join}s", "--interval", f"{args.interval}s",
                           "--since-checkpoint", f"{since}s", "--json"], capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1, 4):
        sys.exit(done.stderr)
    return done.returncode, json.loads(done.stdout).get("ask_again_seconds")


class Run:
    """One policy on one record. `args` says how long a restart takes where a machine left and where one joins, and for how long of that, at the
    end, the set is closed: before, a machine joins for nothing. A machine that goes within `agree` seconds before that is missed late, by `stuck`."""

    def __init__(self, policy, stays, args, folder):
        self.policy, self.stays, self.args, self.folder = policy, stays, args, folder
        self.set, self.begun, self.saved = [], 0.0, 0.0
        self.restarts = self.asked = self.unsure = 0

    def up(self, now):
        return [name for name, times in self.stays.items() if any(start <= now < end for start, end in times)]

    def stop(self, now):
        """Ends the running set: what checkpoints hold is kept."""
        if self.set:
            self.saved += len(self.set) * self.args.interval * max(0, (now - self.begun) // self.args.interval)

    def lose(self, now):
        """A machine of the set has gone."""
        closes = self.begun - self.args.closed
        is_stuck = closes - self.args.agree <= now < closes
        self.restart(now, self.args.restart + (self.args.stuck if is_stuck else 0))

    def restart(self, now, cost):
        self.stop(now)
        self.set, self.begun = self.up(now), now + cost
        self.restarts += 1

    def admits(self, now, name):
        """Whether a machine is let in, or None and when to ask again."""
        since = (now - self.begun) % self.args.interval if now > self.begun else 0
        if self.policy == "after-save":
            return since < 1e-3, self.args.interval - since
        if self.policy != "gate":
            return self.policy == "always", None
        write_record(self.stays, now, self.folder / "record.csv")
        code, again = ask(self.args, self.folder / "record.csv", name, self.set, since)
        self.asked += 1
        self.unsure += code == 4
        return code == 0, again

    def consider(self, now, end, events):
        """Lets in who may come in, and returns the instants still to come."""
        for name in self.up(now):
            if name in self.set:
                continue
            if now < self.begun - self.args.closed:
                self.set.append(name)
                continue
            admitted, again = self.admits(now, name)
            if admitted:
                self.restart(now, self.args.join)
                break
            if again is not None and now + again < end:
                events = sorted({*events, now + again + 1e-6})
        return events

    def go(self, start, end):
        """Returns the work that checkpoints hold in the end, as a share of what the machines that were up could have done."""
        events = sorted({time for times in self.stays.values() for pair in times for time in pair if start < time < end})
        self.restart(start, self.args.restart)
        while events:
            now = events.pop(0)
            alive = self.up(now)
            if any(name not in alive for name in self.set) or not self.set:
                self.lose(now)
            else:
                events = self.consider(now, end, events)
        self.stop(end)
        return self.saved / possible(self.stays, start, end)


def possible(stays, start, end):
    """Machine-seconds in which machines were up."""
    return sum(max(0, min(last, end) - max(first, start)) for times in stays.values() for first, last in times)
