import re
from html.parser import HTMLParser

import numpy as np
import pandas as pd

from scumble import Categorical, Numeric, Specification, disguise
from scumble.audit import audit, frontier
from scumble.mechanisms import GaussianNoise, Warner
from scumble.report import audit_page, write_audit_page


class _Open(HTMLParser):
    """Which elements are open, to see that each is closed."""

    def __init__(self):
        super().__init__()
        self.open, self.wrong = [], []

    def handle_starttag(self, tag, attrs):
        if tag not in ("meta", "img", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.wrong.append(tag)


def _page(size=1500):
    rng = np.random.default_rng(0)
    ill = rng.random(size) < 0.5
    people = pd.DataFrame(
        {
            "age <b>": rng.uniform(20, 60, size) + 20 * ill,
            "smokes": np.where(rng.random(size) < 0.3, "yes", "no"),
            "ill": np.where(ill, "yes", "no"),
        }
    )
    spec = Specification(
        {
            "age <b>": Numeric(20, 80, mechanism=GaussianNoise(privacy=0.5)),
            "smokes": Categorical(["no", "yes"], mechanism=Warner(keep=0.8)),
            "ill": Categorical(["no", "yes"]),
        },
        class_attribute="ill",
    )
    found = audit(spec, reports=disguise(people, spec, seed=1), truth=people, seed=0)
    rows = frontier(spec, people.drop(columns="ill"), people["ill"], seeds=[0])
    return found, people, audit_page(found, truth=people, frontier=rows, title="People & co")


def test_a_page_is_whole_and_asks_nothing_of_the_network():
    _, _, page = _page()

    parser = _Open()
    parser.feed(page)
    assert parser.wrong == parser.open == []
    assert len(page) < 3_000_000
    assert not re.search(r'(src|href)="(?!data:|#)', page)
    assert "<script" not in page


def test_names_are_text_and_not_markup():
    _, _, page = _page()

    assert "age &lt;b&gt;" in page
    assert "age <b>" not in page
    assert "<title>People &amp; co</title>" in page


def test_a_page_shows_lights_reasons_attacks_and_figures():
    found, _, page = _page()

    for own in found:
        assert f'class="light {own.light.colour}"' in page
    assert page.count("data:image/svg+xml;base64,") == 5
    assert "What is not protected" in page
    assert all(attack.attack in page for attack in found.attacks)


def test_a_page_holds_no_record():
    _, people, page = _page()

    assert not any(str(value) in page for value in people["age <b>"])


def test_a_page_of_a_specification_alone_is_written(tmp_path):
    spec = Specification({"age": Numeric(20, 80, mechanism=GaussianNoise(privacy=1.0))})

    write_audit_page(audit(spec), tmp_path / "audit.html")

    assert (tmp_path / "audit.html").read_text().endswith("</html>")
