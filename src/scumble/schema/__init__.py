"""What is declared before a single answer is given.

Attributes with their domains, the mechanism that disguises each of them, and the
specification that respondents, collectors and miners share.
"""

from scumble.schema._attribute import (
    Attribute,
    Domain,
    attribute_from_dict,
    is_mined,
    own_mechanism,
    with_mechanism,
)
from scumble.schema._categorical import Categorical
from scumble.schema._cells import Cells, CellSet, DayCells, Silence
from scumble.schema._channel import Channel
from scumble.schema._coding import Coding
from scumble.schema._criteria import Criteria
from scumble.schema._date import Date
from scumble.schema._day import Day
from scumble.schema._mechanism import Mechanism, mechanism_from_dict, mechanism_names
from scumble.schema._numeric import Numeric
from scumble.schema._product import Product
from scumble.schema._sensitivity import Sensitivity
from scumble.schema._specification import Specification
from scumble.schema._text import Text
from scumble.schema._treatment import Treatment

__all__ = [
    "Attribute",
    "Categorical",
    "CellSet",
    "Cells",
    "Channel",
    "Coding",
    "Criteria",
    "Date",
    "Day",
    "DayCells",
    "Domain",
    "Mechanism",
    "Numeric",
    "Product",
    "Sensitivity",
    "Silence",
    "Specification",
    "Text",
    "Treatment",
    "attribute_from_dict",
    "is_mined",
    "mechanism_from_dict",
    "mechanism_names",
    "own_mechanism",
    "with_mechanism",
]
