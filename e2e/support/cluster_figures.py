"""The figures of the faults of a test run, for the table in docs/operating.md."""

import statistics
from collections import Counter


class Figures:
    """The longest time without a successful write of each round, and the errors of all rounds, by fault."""

    def __init__(self):
        self.faults = {}

    def add(self, name, silence, failed, findings):
        rounds, errors = self.faults.setdefault(name, ([], Counter()))
        rounds.append(silence)
        errors.update(failed=failed, lost=len(findings.lost), doubled=len(findings.doubled),
                      missed=len(findings.missed), wrong=len(findings.wrong_balances))

    def lines(self):
        for name, (rounds, errors) in self.faults.items():
            yield (f"{name}: {len(rounds)} rounds; without writes: median {statistics.median(rounds):.1f} s, "
                   f"longest {max(rounds):.1f} s; {errors['failed']} failed requests; lost {errors['lost']}, "
                   f"doubled {errors['doubled']}, missed {errors['missed']}, wrong balances {errors['wrong']}")


FIGURES = Figures()
