"""The measures of a channel in words."""

import math
from typing import TYPE_CHECKING

from scumble.wording import amount, percent

if TYPE_CHECKING:
    from scumble.audit._channel_measures import ChannelMeasures

_USUAL = 0.95
_SUSPICION = 0.05


def channel_sentences(measures: "ChannelMeasures") -> dict[str, str]:
    """Return a sentence for each measure, by its name; the most telling first."""
    found = {"interval": _interval(measures), "guess": _guess(measures)}
    found |= {"epsilon": _epsilon(measures), "breach": _breach(measures)}
    found |= _information(measures)
    return {name: sentence for name, sentence in found.items() if sentence}


def _interval(measures: "ChannelMeasures") -> str:
    if measures.mechanism == "withheld":
        return "Nothing is reported: all that is known of a truth is its declared range or list."
    if measures.mechanism == "identity":
        return "The truth is told in clear: nothing is hidden."
    own = next((one for one in measures.intervals if one.confidence == _USUAL), None)
    if own is None:
        return ""
    unit = " days" if measures.kind == "date" else ""
    share = "" if own.share is None else f" ({percent(own.share)} of the range)"
    return (
        f"A report leaves open where in an interval of {amount(own.width)}{unit}{share} the truth "
        f"lies, at {percent(_USUAL)} confidence."
    )


def _guess(measures: "ChannelMeasures") -> str:
    own = measures.guess
    if own is None:
        return ""
    return (
        f"Who sees a report guesses the {own.what} rightly with {percent(own.mean)} on average and "
        f"{percent(own.worst)} at worst; without it with {percent(own.base)}."
    )


def _epsilon(measures: "ChannelMeasures") -> str:
    if math.isinf(measures.epsilon):
        return (
            "Epsilon is infinite: there are reports that rule some truths out, or nearly so, and "
            "no guarantee holds for everyone."
        )
    times = math.exp(measures.epsilon) if measures.epsilon < 700 else math.inf
    return (
        f"Epsilon is {amount(measures.epsilon)}: no report is more than {amount(times)} times as "
        "likely under one truth as under another."
    )


def _breach(measures: "ChannelMeasures") -> str:
    return (
        f"Whatever an adversary suspects with {percent(_SUSPICION)} before, a report can raise it "
        f"to {percent(measures.breach(_SUSPICION))} at worst."
    )


def _information(measures: "ChannelMeasures") -> dict[str, str]:
    own = measures.information
    if own is None:
        return {}
    if measures.kind == "categorical":
        left = f"{amount(own.equivalent)} equally likely values"
    else:
        left = f"any place within {amount(own.equivalent)}" + " days" * (measures.kind == "date")
    return {
        "information": f"A report tells {own.told:.2g} of the {own.entropy:.2g} bits that "
        f"the truth is worth on {own.cells} cells.",
        "privacy_loss": f"On average a report takes away {percent(own.privacy_loss)} of the "
        "uncertainty, on a scale from 0 to 100 %.",
        "equivalent": f"On average the truth stays as uncertain as {left}.",
    }
