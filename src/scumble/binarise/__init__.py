"""Tables of any columns as yes-or-no answers, by a coding that is declared.

Randomized response as published takes binary tables. Where an attribute is cut in two
decides more than most coins do, so that it is part of the specification: everyone can
read what stands behind an answer, and nobody converts a table beforehand.
"""

from scumble.binarise._specification import binary_specification

__all__ = ["binary_specification"]
