# SPDX-License-Identifier: GPL-2.0-only
"""Scripts refuse wrong flags as the scenario programs do. Standard library only."""

import argparse


class Parser(argparse.ArgumentParser):
    """An ArgumentParser whose errors are one line, with exit status 1."""

    def error(self, message):
        """End the script."""
        self.exit(1, f"{self.prog}: {message}; --help lists all flags\n")
