import json
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from scumble import Categorical, Coding, Criteria, Numeric, Specification, Text, disguise
from scumble.audit import attack_result, audit
from scumble.audit._attribute_audit import _light
from scumble.errors import SpecificationError, TableError
from scumble.mechanisms import GaussianNoise, LaplaceNoise, UniformNoise, Warner
from scumble.release import release
from scumble.treatments import Discretize, Exposure, Shuffle


def _people(size=3000):
    rng = np.random.default_rng(0)
    ill = rng.random(size) < 0.4
    return pd.DataFrame(
        {
            "age": rng.uniform(20, 80, size),
            "pulse": rng.normal(70, 8, size).clip(40, 120),
            "smokes": np.where(rng.random(size) < 0.3, "yes", "no"),
            "town": rng.choice(["Oslo", "Rome", "Bern"], size),
            "name": [f"person {place}" for place in range(size)],
            "ill": np.where(ill, "yes", "no"),
        }
    )


SPEC = Specification(
    {
        "age": Numeric(20, 80, mechanism=GaussianNoise(privacy=1.0)),
        "pulse": Numeric(40, 120, mechanism=UniformNoise(half_width=1)),
        "smokes": Categorical(["no", "yes"], mechanism=Warner(keep=0.6)),
        "town": Categorical(["Oslo", "Rome", "Bern"]),
        "name": Text(sensitivity="withheld"),
        "ill": Categorical(["no", "yes"]),
    },
    class_attribute="ill",
)


@pytest.fixture(scope="module")
def found():
    people = _people()
    return audit(SPEC, reports=disguise(people, SPEC, seed=1), truth=people, seed=0)


def test_each_attribute_has_a_light(found):
    assert {own.name: own.light.colour for own in found} == {
        "age": "green",
        "pulse": "red",
        "smokes": "green",
        "town": "grey",
        "name": "green",
        "ill": "grey",
    }
    assert found.light == "red"


def test_what_is_red_gets_a_reason_and_advice(found):
    pulse = found["pulse"]

    assert "known almost surely" in " ".join(pulse.light.reasons)
    assert pulse.advice.startswith("Widen the noise of pulse")
    assert found["age"].advice is None


def test_attacks_are_mounted_where_truths_are_known(found):
    assert {attack.attack for attack in found["pulse"].attacks} >= {"best guess of a value"}
    assert found["pulse"].attacks[0].success > 0.9
    assert found.attacks
    assert all(attack.low <= attack.success <= attack.high for attack in found.attacks)


def test_a_specification_alone_can_be_audited():
    found = audit(SPEC)

    assert found.records == 0
    # A hundredth of the range is guessed with 40 %; how the truths lie is not known.
    assert found["pulse"].light.colour == "amber"
    assert found["age"].posterior is None


def test_reports_alone_tell_more_than_the_specification():
    found = audit(SPEC, reports=disguise(_people(), SPEC, seed=2))

    assert found["pulse"].posterior.exposed > 0.5
    assert found["pulse"].attacks == ()


def test_treatments_are_measured_where_the_truth_is_given():
    people = _people()[["age", "ill"]]
    shuffled = Numeric(20, 80, treatment=Shuffle(within=("ill",)))
    spec = Specification({"age": shuffled, "ill": SPEC["ill"]}, class_attribute="ill")

    assert audit(spec)["age"].light.colour == "grey"
    assert audit(spec, truth=people)["age"].light.colour == "green"
    assert audit(spec, truth=people)["age"].exposure.group > 1000
    assert audit(spec, truth=people).records == len(people)
    assert "records look alike in it." in audit(spec, truth=people)["age"].light.reasons[-1]


def test_values_that_nearly_everybody_has_are_not_blamed_on_reports():
    """Capital gains, of which most people have none: noise cannot hide what all know."""
    gain = np.where(np.arange(3000) % 40 == 0, 80_000.0, 0.0)
    truth = pd.DataFrame({"gain": gain})
    spec = Specification({"gain": Numeric(0, 100_000, mechanism=GaussianNoise(privacy=1.0))})

    found = audit(spec, reports=disguise(truth, spec, seed=1), truth=truth, seed=1)["gain"]

    assert found.exposed > 0.5
    assert found.light.colour == "green"
    assert any("without any report" in reason for reason in found.light.reasons)
    assert found.advice is None


def test_what_is_not_protected_is_said(found):
    text = " ".join(found.not_protected)

    assert "Told in clear: town, ill." in text
    assert "no bound" in text.lower()


def test_a_group_that_shares_a_coin_is_pointed_out():
    coin = Categorical(["no", "yes"], mechanism=Warner(keep=0.7, group="health"))

    found = audit(Specification({"smokes": coin, "drinks": coin}))

    assert any("share the coin 'health'" in text for text in found.not_protected)


def test_the_same_is_there_as_json(found, tmp_path):
    found.to_json(tmp_path / "audit.json")

    read = json.loads((tmp_path / "audit.json").read_text())

    assert read["light"] == "red"
    assert [own["name"] for own in read["attributes"]] == list(SPEC)
    assert "person" not in json.dumps(read["attributes"])


def test_the_text_fits_a_terminal_and_tells_reasons_whole(found):
    assert max(map(len, found.to_text().splitlines())) <= 80
    told = " ".join(found.to_text().split())
    for own in found:
        assert own.light.reasons[0] in told


@pytest.mark.parametrize(
    ("condition", "who"),
    [
        ("exposed > 0.01", "pulse"),
        ("epsilon > 3", "inf"),
        ("guess >= 0.9", "pulse"),
        ("attack > 0.5", "pulse"),
        ("light = red", "pulse"),
        ("exposed<0.5", "age"),
    ],
)
def test_a_condition_that_holds_is_reported(found, condition, who):
    (text,) = found.failed([condition])

    assert text.startswith(f"{condition}: got ")
    assert who in text


def test_conditions_that_do_not_hold_are_not():
    calm = Specification({"age": Numeric(0, 1, mechanism=LaplaceNoise(epsilon=1.0))})

    assert audit(calm).failed(["epsilon > 1.5", "light = red"]) == []


@pytest.mark.parametrize(
    "condition", ["exposed", "exposed >", "expsed > 1", "light > 2", "light = blue", "guess = 1"]
)
def test_conditions_that_make_no_sense_are_refused(found, condition):
    with pytest.raises(SpecificationError, match=r"^fail-if: "):
        found.failed([condition])


def test_truths_of_other_records_are_refused():
    people = _people(100)

    with pytest.raises(TableError, match="expected the records of the 100 reports"):
        audit(SPEC, reports=disguise(people, SPEC, seed=1), truth=people[:50])


TREATED = Specification(
    {
        "age": Numeric(20, 80, treatment=Discretize(cuts=[40, 60])),
        "pulse": Numeric(40, 120, mechanism=GaussianNoise(privacy=1.0)),
        "town": Categorical(["Oslo", "Rome", "Bern"]),
    },
    release=Criteria(shuffle_rows=False),
)


@pytest.mark.parametrize("condition", ["exposed > 0.01", "guess > 0.5", "attack > 0.2"])
def test_a_condition_about_what_was_not_measured_is_no_success(condition):
    with pytest.raises(SpecificationError, match=r"was not measured, so that .* could not fail; "):
        audit(TREATED).failed([condition])
    with pytest.raises(SpecificationError, match="was not measured"):
        audit(Specification({"age": TREATED["age"]})).failed(["epsilon > 1"])
    with pytest.raises(SpecificationError, match="expected a number"):
        audit(TREATED).failed(["epsilon > nan"])


def test_a_released_table_is_audited_beside_its_truth():
    """Some attributes treated, some disguised: attacks are on the latter."""
    people = _people(800)[list(TREATED)]

    found = audit(TREATED, reports=release(people, TREATED).table, truth=people, seed=0)

    assert found.unmeasured == ()
    assert found["age"].exposure is not None
    assert found["pulse"].attacks
    assert found.failed(["exposed > 0.5"]) == []


def test_what_is_treated_is_not_said_to_be_told_in_clear():
    clear, *_ = audit(TREATED).not_protected

    assert clear == "Told in clear: town."
    assert "Treated, but not measured without the truth: age." in audit(TREATED).not_protected


EXPOSURE = Exposure(identified=0.5, base=0.48, disclosed=0, group=9, records=9)


def test_an_attack_that_learns_more_than_the_report_alone_decides_the_light():
    """Also where it is right less often: what counts is how much it adds to its own base."""
    attack = attack_result(450, 1000, attack="a guess", base=0.05, explanation="A guess.")
    posterior = SimpleNamespace(exposed=0.0, mean_guess=0.5, base_guess=0.48)

    light = _light(TREATED["pulse"], None, posterior, EXPOSURE, (attack,))

    assert light.colour == "amber"
    assert light.reasons[0].startswith("By a guess")


def test_linkage_counts_what_is_told_in_clear():
    """One noisy attribute finds nobody; with a few columns in clear beside it, nearly all."""
    rng = np.random.default_rng(5)
    size = 1500
    truth = pd.DataFrame(
        {
            "pulse": rng.normal(70, 10, size).clip(40, 140),
            "height": rng.normal(170, 10, size).round(1),
            "age": rng.uniform(0, 90, size),
            "ill": rng.choice(["no", "yes"], size),
        }
    )
    spec = Specification(
        {
            "pulse": Numeric(40, 140, mechanism=GaussianNoise(privacy=1.0)),
            "height": Numeric(0, 300),
            "age": Categorical(["young", "old"], coding=Coding(cuts=(50.0,))),
            "ill": Categorical(["no", "yes"]),
        },
        class_attribute="ill",
    )

    found = audit(spec, reports=disguise(truth, spec, seed=1), truth=truth, seed=1)

    alone, beside = (own for own in found.attacks if own.attack.startswith("linkage"))
    assert alone.success < 0.05
    assert beside.attack == "linkage by the law of the noise, and in clear"
    # Of 1,500 heights in tenths most are shared by a few, of whom a coded age tells some apart.
    assert beside.success > 0.3
    assert found.failed(["attack > 0.2"])


def test_advice_for_a_number_that_is_guessed_too_often_speaks_of_its_noise():
    rng = np.random.default_rng(5)
    truth = pd.DataFrame({"sugar": rng.normal(120, 30, 800).clip(0, 200).round()})
    noise = GaussianNoise(privacy=0.3)
    spec = Specification({"sugar": Numeric(0, 200, step=1, mechanism=noise)})

    found = audit(spec, reports=disguise(truth, spec, seed=1), truth=truth, seed=1)["sugar"]

    assert found.light.colour == "amber"
    assert found.advice.startswith("Widen the noise of sugar")


def test_the_utility_of_a_release_counts_its_intervals():
    people = _people(800)[["age", "ill"]].assign(age=np.linspace(20, 80, 800))
    people["ill"] = np.where(people["age"] > 45, "yes", "no")
    age = Numeric(20, 80, treatment=Discretize(cuts=[45]))
    spec = Specification({"age": age, "ill": SPEC["ill"]}, class_attribute="ill")

    found = audit(spec, truth=people, released=release(people, spec).table, seed=1).utility

    assert found["age"].kind == "coarsened"
    assert found.left_out == ()
    assert found.accuracy.other == pytest.approx(1, abs=0.01)
    # A release shuffles its rows: nobody can say who has taught the tree.
    assert not found.accuracy.held_out
