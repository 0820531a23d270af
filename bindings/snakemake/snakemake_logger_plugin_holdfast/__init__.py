"""Logger plugin: a history of what ran, one JSON line for each attempt of a job, which `holdfast taskgraph plan` reads.

    {"rule": "trim", "status": "done", "threads": 8, "seconds": 0.706, "started": 1764262123.4, "output": "trim/s05.fq"}

A line is written when an attempt ends, behind what is there, so a kill loses at most the jobs that ran. What a kill or a full disk left of a
line stays a line of its own."""

import json
import os
import sys
from dataclasses import dataclass, field
from typing import Optional

from snakemake_interface_logger_plugins.base import LogHandlerBase
from snakemake_interface_logger_plugins.common import LogEvent
from snakemake_interface_logger_plugins.settings import LogHandlerSettingsBase

HISTORY = ".holdfast/history.jsonl"


@dataclass
class LogHandlerSettings(LogHandlerSettingsBase):
    history: Optional[str] = field(default=HISTORY, metadata={"help": f"file to which a line is added for each attempt of a job ({HISTORY})"})


class LogHandler(LogHandlerBase):
    # It takes all records, whatever --quiet says, and writes no text of Snakemake's.
    writes_to_stream = needs_rulegraph = False
    writes_to_file = has_filter = has_formatter = True

    def __post_init__(self):
        self.running = {}
        self.baseFilename = os.path.abspath((self.settings and self.settings.history) or HISTORY)  # Snakemake shows it as a log of the run
        self.file = None

    def emit(self, record):
        event = getattr(record, "event", None)
        if event == LogEvent.JOB_INFO:
            self.running[record.jobid] = record
        elif event in (LogEvent.JOB_FINISHED, LogEvent.JOB_ERROR):
            began = self.running.pop(getattr(record, "job_id", getattr(record, "jobid", None)), None)
            is_target = began is not None and not began.output and not began.shellcmd  # `all`: nothing ran
            if began is None or is_target or self.file is False or self.common_settings.dryrun:
                return
            try:
                self.add({"rule": began.rule_name, "status": "failed" if event == LogEvent.JOB_ERROR else "done", "threads": began.threads,
                          "seconds": round(record.created - began.created, 3), "started": round(began.created, 3),
                          "output": str(began.output[0]) if began.output else ""})
            except OSError as error:  # a workflow does not end because its history cannot be written
                self.file = False
                print(f"holdfast: no more history is written: {error}", file=sys.stderr)

    def add(self, line):
        if self.file is None:
            os.makedirs(os.path.dirname(self.baseFilename), exist_ok=True)
            self.file = os.open(self.baseFilename, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o666)
            size = os.fstat(self.file).st_size
            if size and os.pread(self.file, 1, size - 1) != b"\n":
                os.write(self.file, b"\n")
        os.write(self.file, (json.dumps(line) + "\n").encode())

    def close(self):
        if self.file:
            os.close(self.file)
        self.file = False
        super().close()
