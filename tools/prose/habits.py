"""Habits of translated English, each a pattern with a cure."""

from __future__ import annotations

import re
from dataclasses import dataclass

UNITS = "step|frame|second|run|iteration|element|vertex|tet|body|stage|solve|scene|case|pair|key|row|line|file"
COUNTED = (
    r"\d|once|twice|times|solves?|iterations?|evaluations?|seconds?|s|ms|us|bytes|joules?|work|force|forces|"
    r"factorisations?|steps|frames|rows?|files?|entry|entries|one|two|three|several|most|least|many"
)

NO_NOUN = "and|or|for|by|from|in|to|with|that|which|at|on|after|first|since|so|is|are|where|when|if"
"""Words that end the phrase, as in "a separate thread for"; "a fraction of its own mass" is not a finding."""
PEOPLE = r"(?<![Aa]nyone )(?<!those )(?<!others, )(?<!users )(?<!user )"
"""Words to which "who" may refer."""


@dataclass(frozen=True)
class Habit:
    """One habit: its name, how it is recognised, and the cure."""

    name: str
    pattern: re.Pattern[str]
    cure: str


def _habit(name: str, pattern: str, cure: str) -> Habit:
    return Habit(name, re.compile(pattern), cure)


HABITS = (
    _habit("a for per", rf"\b(?:{COUNTED}) an? (?:{UNITS})\b(?! (?:of|is|would|apart)\b)", '"per step", not "a step"'),
    _habit("eats", r"\b(?:eats?|eaten|ate|eating)\b", '"dissipates" or "takes"'),
    _habit("knows", r"\b(?:knows?|knew) (?!how to)", '"supports", "has", "is aware of"'),
    _habit("tells", r"\b(?:tells?|told)\b(?! apart|:)", '"reports", "shows"'),
    _habit("wants", r"\b(?:wants?|wanted)\b", '"requires", "needs"'),
    _habit("asks", r"\bask(?:s|ed)? (?:for|whether|what|how)\b", '"requests", "requires", "evaluates"'),
    _habit("says", r"\b(?:say|says|said)\b", '"states", "reports", "specifies"'),
    _habit("are there", r"\b(?:are|is|were|was) there(?=[.,;:)]|$)", '"exist", or name the place'),
    _habit("of its own", rf"\bof (?:its|their|one's|his) own(?=$|[^\w ]| (?:{NO_NOUN})\b)", '"its own", "separate"'),
    _habit("likewise", r"\b[Ll]ikewise\b", '"also", or repeat the verb'),
    _habit("clause as noun", r"(?<![.?!:|] )(?<!^)\bwhat (?!if\b|happens\b)[a-z]+(?!.*\?$)", "a noun"),
    _habit("clause as subject", r"^[Ww]hat (?!if\b)[a-z]+\b[^?]*$", "a noun"),
    _habit(
        "whoever",
        rf"\b(?:[Ww]hoever|[Nn]obody|[Ee]verybody|Who|{PEOPLE}who) ",
        "name the thing: a caller, a term, a user",
    ),
    _habit("all that", r"\ball that\b", '"everything", or name it'),
    _habit("comes to", r"\b(?:comes? (?:to(?! rest)|from)|goes? on)\b", '"reaches", "is read from", "continues"'),
    _habit("thing", r"\b(?:things?|the like|and so on)\b", "name it"),
)
