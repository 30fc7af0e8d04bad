"""What the peers share: tables to load, questions to ask, and a clock that
runs while they are answered.

A script reads {"tables", "work", "each", "rounds", "questions"} as JSON: the
folder of the tables, one for its own files, seconds, rounds, and texts by kind
of question. It writes what it found, or {"missing"}: why it can't run here.
"""

import gc
import json
import sys
import time

LONG = 30  # rounds' time, after which no more questions of a kind are asked


def rows(task, table):
    """The rows of a table, as they stand in a file that COPY reads."""
    with open(f"{task['tables']}/{table}.tsv", encoding="utf-8", newline="\n") as file:
        for line in file:
            if "\\" in line:
                line = line.replace("\\\\", "\\")
            yield line[:-1].split("\t")


def grams(text):
    """What of a text is looked up: its pairs of characters, or the only one."""
    return [text[i : i + 2] for i in range(len(text) - 1)] or [text]


def cost(ask, texts, clock, task):
    """Microseconds of the processor that a question costs, of the best round.
    A round asks all texts, as often as there is time for."""
    best = float("inf")
    for _ in range(task["rounds"]):
        count, began, start = 0, time.monotonic(), clock()
        while count == 0 or time.monotonic() - began < task["each"]:
            for text in texts:
                ask(text)
            count += len(texts)
        best = min(best, (clock() - start) / count)
        if time.monotonic() - began > 4 * task["each"]:
            break  # there is no time for another
    return best / 1000


def answer(task, kinds, nothing, clock, **found):
    """Asks all that a peer can answer. Nothing is the emptiest question."""
    gc.disable()
    found["emptyQuestionMicroseconds"] = cost(nothing, [""] * 100, clock, task)
    found["kinds"] = {}
    for kind, texts in task["questions"].items():
        if ask := kinds.get(kind):
            totals, began = [], time.monotonic()
            for text in texts:
                totals.append(ask(text))  # and so all is in memory
                if time.monotonic() - began > LONG * task["each"]:
                    break  # the rest would take as long
            found["kinds"][kind] = {"cpu": cost(ask, texts[: len(totals)], clock, task), "totals": totals}
            print(f"  {kind}: {found['kinds'][kind]['cpu']:.1f} µs", file=sys.stderr)
    json.dump(found, sys.stdout)


def run(needs, ask):
    """Runs a peer's function over the task. What it needs is tried first; without a
    task that is all."""
    task = json.load(sys.stdin)
    try:
        needs()
    except Exception as e:
        json.dump({"missing": str(e)}, sys.stdout)
        return
    if task:
        ask(task)
    else:
        json.dump({}, sys.stdout)
