"""Prints the figures of each fault over all rounds."""

from support.cluster_figures import FIGURES


def pytest_terminal_summary(terminalreporter):
    if FIGURES.faults:
        terminalreporter.section("faults")
        for line in FIGURES.lines():
            terminalreporter.write_line(line)
