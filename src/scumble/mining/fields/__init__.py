"""Rules drawn from what is likely: lines through the space, and a class in each cell.

One rule, however it was found, is sure of itself. Many that are as likely, each drawn as often
as that, say where the class is known and where it is not; and the way to them is a search that
does not end at the first good one.
"""

from scumble.mining.fields._axis import FieldAxis
from scumble.mining.fields._field import Field, Fields
from scumble.mining.fields._walk import draw_fields

__all__ = ["Field", "FieldAxis", "Fields", "draw_fields"]
