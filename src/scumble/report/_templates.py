"""The templates of pages."""

from typing import TYPE_CHECKING

from scumble.wording import amount, percent

if TYPE_CHECKING:
    from jinja2 import Template


def template(name: str) -> "Template":
    """Return a template of this package; what is put into it is escaped."""
    from jinja2 import Environment, PackageLoader

    environment = Environment(
        loader=PackageLoader("scumble.report"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"percent": percent, "amount": amount}
    return environment.get_template(name)
