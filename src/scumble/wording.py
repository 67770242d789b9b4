"""Numbers and names as people read them."""

import math


def percent(share: float) -> str:
    """Return a share as a percentage, with as many digits as it needs.

    Examples
    --------
    >>> percent(0.5), percent(0.0123), percent(0.999), percent(1.0), percent(0.99999)
    ('50 %', '1.2 %', '99.9 %', '100 %', 'over 99.9 %')
    """
    if 0.9995 <= share < 1:
        return "over 99.9 %"
    if 0 < share < 0.0005:
        return "under 0.1 %"
    digits = 1 if share < 0.1 or 0.99 < share < 1 else 0
    return f"{100 * share:.{digits}f}".removesuffix(".0") + " %"


def amount(value: float) -> str:
    """Return a number with three digits that count.

    Examples
    --------
    >>> amount(87361.2), amount(1.96), amount(0.00012345), amount(60.0), amount(float("inf"))
    ('87,400', '1.96', '0.000123', '60', 'infinity')
    """
    if math.isinf(value):
        return "infinity"
    return f"{float(f'{value:.3g}'):,.12g}"


def one_line(text: str, width: int) -> str:
    r"""Return a text on one line of at most so many characters; its end may be left out.

    Examples
    --------
    >>> one_line("known almost\nsurely", 12)
    'known almos…'
    """
    text = " ".join(text.split())
    return text if len(text) <= width else text[: width - 1] + "…"


def short_name(name: str, width: int) -> str:
    """Return a name in at most so many characters: the middle is left out, since ends differ too.

    Examples
    --------
    >>> short_name("uniformity_of_cell_size", 15), short_name("age", 15)
    ('uniform…ll_size', 'age')
    """
    name = " ".join(name.split())
    half = (width - 1) // 2
    return name if len(name) <= width else f"{name[: width - 1 - half]}…{name[-half:]}"
