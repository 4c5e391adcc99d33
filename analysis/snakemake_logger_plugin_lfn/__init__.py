# SPDX-License-Identifier: GPL-2.0-only
"""A logger plugin of Snakemake: events of jobs, as JSON, one per line.

They go to the file descriptor that the environment names as LFN_EVENTS. snakemake_run.py uses it.
"""

import json
import os

from snakemake_interface_logger_plugins.base import LogHandlerBase

FIELDS = {
    "job_info": ("jobid", "wildcards"),
    "job_finished": ("job_id",),
    "progress": ("done", "total"),
}
"""The events that are written, and what of them."""


class LogHandler(LogHandlerBase):
    """Writes the events."""

    writes_to_stream = writes_to_file = needs_rulegraph = False
    has_filter = has_formatter = True

    def emit(self, record):
        """Write an event."""
        event = str(getattr(record, "event", ""))
        if event in FIELDS:
            found = {name: getattr(record, name) for name in FIELDS[event]}
            line = json.dumps({"event": event, **found}, default=dict) + "\n"
            os.write(int(os.environ["LFN_EVENTS"]), line.encode())
