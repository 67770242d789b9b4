import copy
import json
import math

import numpy as np
import pandas as pd
import polars as pl
import pytest
from golf import golf
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.utils.validation import check_is_fitted

from scumble import Categorical, DisguisedTreeClassifier, Numeric, Specification, disguise
from scumble.datasets import make_quest, quest_specification
from scumble.errors import ModelError, ScumbleError
from scumble.mechanisms import GaussianNoise, RandomizedResponse
from scumble.mining import C45Classifier
from scumble.mining.export._file import model_from_dict
from scumble.reconstruction import EM, EMS, Bayes, Inversion, Penalised, ResponseLikelihood


def _shipped(model, folder):
    path = folder / "model.json"
    text = model.to_json(path)
    assert path.read_text() == text
    return DisguisedTreeClassifier.from_json(path)


def _assert_same(model, other, X):
    check_is_fitted(other)
    np.testing.assert_array_equal(other.predict(X), model.predict(X))
    np.testing.assert_array_equal(other.predict_proba(X), model.predict_proba(X))
    np.testing.assert_array_equal(other.apply(X), model.apply(X))
    np.testing.assert_array_equal(other.classes_, model.classes_)
    assert other.classes_.dtype == model.classes_.dtype
    assert other.n_features_in_ == model.n_features_in_
    assert hasattr(other, "feature_names_in_") == hasattr(model, "feature_names_in_")
    if hasattr(model, "feature_names_in_"):
        assert other.feature_names_in_.tolist() == list(model.feature_names_in_)
    np.testing.assert_array_equal(other.tree_.threshold, model.tree_.threshold)
    assert other.get_params() == model.get_params()
    assert other.to_text() == model.to_text()
    assert other.to_json() == model.to_json()


def _mixed(records=400):
    rng = np.random.default_rng(0)
    age = rng.uniform(20, 80, records)
    age[rng.random(records) < 0.2] = np.nan
    car = rng.choice(["old", "new", "none", 'say "it"', "two\nlines"], records).astype(object)
    car[rng.random(records) < 0.2] = None
    X = pd.DataFrame({"age": age, "car": car, "one": "same", "rich": rng.random(records) < 0.5})
    y = np.where(np.isnan(age), "?", np.where((age > 50) & (car != "new"), "B", "A"))
    return X, y


def test_a_model_read_from_json_predicts_identically(tmp_path):
    X, y = _mixed()
    model = DisguisedTreeClassifier().fit(X, y)
    assert math.inf in model.tree_.threshold
    assert model.tree_.branches

    _assert_same(model, _shipped(model, tmp_path), X)


@pytest.mark.parametrize("method", ["byclass", "local", "global", "uncorrected"])
def test_a_model_of_disguised_records_is_shipped_with_its_specification(tmp_path, method):
    X, y = make_quest(function=5, n=5000, seed=0)
    spec = quest_specification(GaussianNoise(privacy=0.5))
    model = DisguisedTreeClassifier(spec, method=method).fit(disguise(X, spec, seed=1), y)

    shipped = _shipped(model, tmp_path)

    _assert_same(model, shipped, X)
    assert shipped.spec == spec


def test_disguised_categories_and_withheld_columns_are_shipped(tmp_path):
    spec = Specification(
        {
            "name": Categorical(["x", "y"], sensitivity="withheld"),
            "smoker": Categorical([False, True], mechanism=RandomizedResponse(keep=0.9)),
            "floor": Categorical([3, 1, 2], ordered=True),
            "age": Numeric(0, math.inf),
            "group": Categorical(["A", "B"]),
        },
        class_attribute="group",
    )
    rng = np.random.default_rng(0)
    X = pd.DataFrame(
        {
            "name": rng.choice(["x", "y"], 2000),
            "smoker": rng.random(2000) < 0.5,
            "floor": rng.choice([1, 2, 3], 2000),
            "age": rng.uniform(0, 90, 2000),
        }
    )
    y = np.where(X["smoker"] | (X["floor"] == 3) & (X["age"] > 30), "A", "B")
    reports = disguise(X, spec, seed=1)
    model = DisguisedTreeClassifier(spec, method="byclass", pruning=None, max_depth=5).fit(
        reports, y
    )

    _assert_same(model, _shipped(model, tmp_path), X)


@pytest.mark.parametrize(
    "labels",
    [
        np.array([3, -1, 2], dtype=np.int8),
        np.array([1.0, 2.0, -7.0]),
        np.array([True, False, True]),
        np.array(["long label", "b", "ü"]),
        np.array(["a", "b", "c"], dtype=object),
        np.array([2**62, 0, 1], dtype=np.uint64),
    ],
)
def test_labels_keep_their_type(tmp_path, labels):
    X = np.arange(30.0)[:, None]
    model = DisguisedTreeClassifier(pruning=None).fit(X, np.repeat(labels, 10))

    _assert_same(model, _shipped(model, tmp_path), X)


def test_a_single_leaf_is_shipped(tmp_path):
    model = DisguisedTreeClassifier().fit([[1, 2], [3, 4]], [5, 5])

    _assert_same(model, _shipped(model, tmp_path), np.zeros((3, 2)))


@pytest.mark.parametrize("columns", [["a", "b"], [0, 1]])
def test_columns_keep_their_names_or_have_none(tmp_path, columns):
    X = pd.DataFrame(np.arange(20.0).reshape(10, 2), columns=columns)
    model = DisguisedTreeClassifier(pruning=None).fit(X, np.arange(10) % 3)

    _assert_same(model, _shipped(model, tmp_path), X)


def test_a_shipped_model_takes_any_kind_of_table(tmp_path):
    X, y = make_quest(function=2, n=3000, seed=0, backend="pandas")
    model = DisguisedTreeClassifier().fit(X, y)

    shipped = _shipped(model, tmp_path)

    assert shipped.predict(pl.DataFrame(X.to_dict("list"))).tolist() == model.predict(X).tolist()


@pytest.mark.parametrize(
    "reconstruction",
    [
        Bayes(tolerance=0.003),
        EM(most=7),
        EMS(),
        Inversion(project=False),
        Penalised(),
        ResponseLikelihood(),
        None,
    ],
)
def test_parameters_are_kept(tmp_path, reconstruction):
    model = DisguisedTreeClassifier(
        reconstruction=reconstruction,
        max_depth=np.int64(3),
        min_samples_reconstruct=math.inf,
        min_samples_leaf=3.3,
        pruning=None,
        criterion="entropy",
    ).fit([[1], [2]], [0, 1])

    shipped = _shipped(model, tmp_path)

    assert shipped.get_params() == model.get_params()


@settings(max_examples=60)
@given(
    st.lists(
        st.tuples(
            st.one_of(st.just(math.nan), st.floats(-1e300, 1e300), st.sampled_from([0.0, 5e-324])),
            st.sampled_from(["a", "b", "c", "", "ü", '"', None]),
            st.integers(-2, 2),
        ),
        min_size=2,
        max_size=40,
    )
)
def test_a_round_trip_changes_nothing(tmp_path_factory, records):
    X = pd.DataFrame(
        {
            "number": [r[0] for r in records],
            "word": pd.Series([r[1] for r in records], dtype=object),
        }
    )
    model = DisguisedTreeClassifier(pruning=None).fit(X, [r[2] for r in records])

    _assert_same(model, _shipped(model, tmp_path_factory.mktemp("models")), X)


def test_a_file_says_what_it_is_and_reads_well():
    X, y = _mixed()

    text = DisguisedTreeClassifier().fit(X, y).to_json()

    given = json.loads(text, parse_constant=pytest.fail)
    assert (given["format"], given["version"], given["specification"]) == ("scumble-tree", 1, None)
    assert text.count('\n    {"id": ') == len(given["nodes"])
    assert given["nodes"][0]["attribute"] == "age"
    assert "inf" in [node.get("below") for node in given["nodes"]]
    assert given["missing_seen"] == ["age", "car"]
    assert given["column_names"] == ["age", "car", "one", "rich"]


@pytest.fixture(scope="module")
def disguised():
    X, y = make_quest(function=1, n=2000, seed=0)
    spec = quest_specification(GaussianNoise(privacy=0.25))
    model = DisguisedTreeClassifier(spec, method="byclass", reconstruction=Bayes()).fit(
        disguise(X, spec, seed=1), y
    )
    return json.loads(model.to_json())


@pytest.fixture(scope="module")
def clear():
    X, y = _mixed()
    return json.loads(DisguisedTreeClassifier().fit(X, y).to_json())


def _changed(given, path, value):
    given = copy.deepcopy(given)
    *way, last = path
    part = given
    for step in way:
        part = part[step]
    if value is KeyError:
        del part[last]
    elif callable(value):
        part[last] = value(part[last])
    else:
        part[last] = value
    return given


ANYWHERE = [
    (["format"], "sklearn", "format: expected 'scumble-tree'"),
    (["format"], KeyError, "format: expected 'scumble-tree', got None"),
    (["version"], 2, "version: expected 1, got 2; read the file with the scumble that wrote it"),
    (["version"], True, "version: expected 1, got True"),
    (["nodes"], KeyError, "model: expected a key 'nodes', got none"),
    (["nods"], [], "model: unknown key 'nods'; did you mean 'nodes'?"),
    (["specification_digest"], "abc", "specification_digest: expected"),
    (["parameters"], [], "parameters: expected a table"),
    (["parameters", "method"], ["byclass"], r"parameters\.method: expected a plain value"),
    (["parameters", "reconstruction"], {"name": "bays"}, "unknown 'bays'; did you mean 'bayes'"),
    (["parameters", "reconstruction"], {"name": "em", "x": 1}, "unknown key 'x'"),
    (["parameters", "reconstruction"], {"name": "em", "most": []}, "most: expected a plain value"),
    (["classes"], ["A", "B"], "classes: expected a table"),
    (["classes", "dtype"], "<M8[s]", r"classes\.dtype: expected"),
    (["classes", "dtype"], "nonsense", r"classes\.dtype: expected"),
    (["classes", "dtype"], "<i8", r"classes\.values: expected labels of type int64"),
    (["classes", "values"], [], r"classes\.values: expected from 1"),
    (["classes", "values"], lambda v: v[::-1], "in ascending order"),
    (["classes", "values"], lambda v: [*v[:-1], "Bee"], "in ascending order"),
    (["classes", "values"], lambda v: [*v, None], "expected text, numbers or truth values"),
    (["classes", "values"], lambda v: [*v, "C"], r"nodes\[0\]\.counts: expected \d numbers"),
    (["columns"], 0, "columns: expected a whole number from 1"),
    (["columns"], 1, "column_names: expected 1 texts"),
    (["column_names"], lambda v: [*v[:-1], v[0]], "column_names: expected names, each once"),
    (["column_names", 0], "salry", "attributes: expected those"),
    (["attributes"], [], "attributes: expected at least one"),
    (["attributes", 0], {"kind": "numeric"}, r"attributes\[0\]: expected a table with a name"),
    (["attributes", 0, "kind"], "number", r"attributes\[0\]\.kind: expected"),
    (["attributes", 0, "name"], "salry", "attributes: expected those of the specification"),
    (["missing_seen"], ["nobody"], "missing_seen: expected names of attributes"),
    (["missing_seen"], "age", "missing_seen: expected a list"),
    (["nodes"], {}, "nodes: expected a list"),
    (["nodes"], [], "nodes: expected at least one"),
    (["nodes", 0], 7, r"nodes\[0\]: expected a table"),
    (["nodes", 1, "id"], 2, r"nodes\[1\]\.id: expected 1, got 2"),
    (["nodes", 0, "left"], 0, r"nodes\[0\]\.left: expected a whole number from 1"),
    (["nodes", 0, "left"], -1, r"nodes\[0\]\.left: expected a whole number from 1"),
    (["nodes", 0, "left"], 10**6, r"nodes\[0\]\.left: expected a whole number from 1"),
    (["nodes", 0, "left"], 1.0, r"nodes\[0\]\.left: expected a whole number from 1"),
    (["nodes", 0, "right"], 9, r"nodes\[0\]\.right: expected 2"),
    (["nodes", 0, "right"], KeyError, r"nodes\[0\]: expected a key 'right'"),
    (["nodes", 0, "missing"], "up", r"nodes\[0\]\.missing: expected 'left' or 'right'"),
    (["nodes", 0, "attribute"], "nobody", r"nodes\[0\]\.attribute: expected one of"),
    (["nodes", 0, "attribute"], ["age"], r"nodes\[0\]\.attribute: expected one of"),
    (["nodes", 0, "below"], "nan", r"nodes\[0\]\.below: expected a number"),
    (["nodes", 0, "below"], True, r"nodes\[0\]\.below: expected a number"),
    (["nodes", 0, "below"], 10**400, r"nodes\[0\]\.below: expected a number"),
    (["nodes", 0, "below"], "-inf", r"nodes\[0\]\.below: expected a number or 'inf'"),
    (["nodes", 0, "below"], KeyError, r"nodes\[0\]: expected 'below' and not 'values'"),
    (["nodes", 0, "values"], [1], r"nodes\[0\]: expected 'below' and not 'values'"),
    (["nodes", 0, "counts"], [1.0], r"nodes\[0\]\.counts: expected \d numbers"),
    (["nodes", 0, "counts", 0], -1, r"nodes\[0\]\.counts: expected numbers from 0"),
    (["nodes", 0, "counts", 0], "inf", r"nodes\[0\]\.counts: expected numbers from 0"),
    (["nodes", 0, "counts"], lambda v: [0] * len(v), r"nodes\[0\]\.counts: expected numbers"),
    (["nodes", 0, "counts", 0], "many", r"nodes\[0\]\.counts: expected a number"),
    (["nodes"], lambda v: [{"id": 0, "counts": v[0]["counts"]}, *v[1:]], "expected one parent"),
]


@pytest.mark.parametrize("which", ["disguised", "clear"])
@pytest.mark.parametrize(("path", "value", "message"), ANYWHERE)
def test_a_wrong_file_gives_one_clear_line(which, path, value, message, request):
    given = _changed(request.getfixturevalue(which), path, value)

    with pytest.raises(ModelError, match=message) as caught:
        model_from_dict(given)

    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 250


def test_the_specification_must_be_the_one_of_the_digest(disguised):
    path = ["specification", "attributes", "age", "high"]

    with pytest.raises(ModelError, match="specification_digest: expected that of"):
        model_from_dict(_changed(disguised, path, 90.0))
    with pytest.raises(ModelError, match=r"specification\.attributes\.age\.high: expected"):
        model_from_dict(_changed(disguised, path, 10.0))


def test_categories_that_go_left_must_be_known(clear):
    place = next(n["id"] for n in clear["nodes"] if "values" in n)

    for values, message in (
        (["nobody"], "expected values of the attribute"),
        (["old", "old"], "expected each value once"),
        ("old", "expected a list"),
    ):
        with pytest.raises(ModelError, match=rf"nodes\[{place}\]\.values: {message}"):
            model_from_dict(_changed(clear, ["nodes", place, "values"], values))


def test_infinity_has_its_missing_values_on_the_right(clear):
    place = next(n["id"] for n in clear["nodes"] if n.get("below") == "inf")

    with pytest.raises(ModelError, match=r"\.below: expected a number, or missing values on the"):
        model_from_dict(_changed(clear, ["nodes", place, "missing"], "left"))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "expected JSON"),
        ("[1, 2", "expected JSON"),
        ("[" * 100_000, "expected JSON"),
        ("[]", "format: expected 'scumble-tree', got 'list'"),
        ('{"format": "a", "format": "b"}', "expected each key once"),
        ('{"format": NaN}', "expected numbers of JSON, got NaN"),
        (b"\xff\xfe", "expected JSON"),
    ],
)
def test_a_file_that_is_no_model_is_named(tmp_path, content, message):
    path = tmp_path / "people.json"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())

    with pytest.raises(ModelError, match=rf"people\.json: .*{message}"):
        DisguisedTreeClassifier.from_json(path)


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(ModelError, match=r"absent\.json: cannot be read \(No such file"):
        DisguisedTreeClassifier.from_json(tmp_path / "absent.json")


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("method", "byclas", "parameters.method: unknown 'byclas'; did you mean 'byclass'"),
        ("max_depth", 0, "parameters.max_depth: expected at least 1"),
        ("max_depth", "deep", "parameters.max_depth: expected a number"),
        ("depth", 3, "parameters.depth: unknown; did you mean 'max_depth'"),
        ("spec", None, "parameters.spec: unknown"),
    ],
)
def test_parameters_that_fit_would_refuse_are_refused(tmp_path, clear, name, value, message):
    path = tmp_path / "model.json"
    path.write_text(json.dumps(_changed(clear, ["parameters", name], value)))

    with pytest.raises(ModelError, match=rf"model\.json: {message}"):
        DisguisedTreeClassifier.from_json(path)


def test_what_no_file_can_hold_is_refused_and_leaves_the_file(tmp_path):
    class Own(Bayes):
        pass

    path = tmp_path / "model.json"
    path.write_text("as it was")
    model = DisguisedTreeClassifier(reconstruction=Own()).fit([[1], [2]], [0, 1])

    with pytest.raises(ModelError, match=r"parameters\.reconstruction: expected a plain value"):
        model.to_json(path)
    assert path.read_text() == "as it was"


def test_a_model_error_is_one_of_ours():
    assert issubclass(ModelError, ScumbleError)
    assert issubclass(ModelError, ValueError)


def test_values_of_a_clear_column_that_no_test_needs_are_not_written():
    rng = np.random.default_rng(1)
    size = rng.random(500)
    table = pd.DataFrame({"name": [f"secret{k % 40}" for k in range(500)], "size": size})
    model = DisguisedTreeClassifier().fit(table, size > 0.5)

    assert "secret" not in model.to_json()


@pytest.fixture(scope="module")
def several():
    """A tree whose root has three branches, of which missing values take all."""
    return json.loads(C45Classifier().fit(*golf(unknown=True)).to_json())


def test_a_node_of_several_branches_lists_its_values_and_children(several):
    root = several["nodes"][0]

    assert root["branches"] == [["overcast"], ["rain"], ["sunny"]]
    assert root["children"] == [1, 2, 3]
    assert root["missing"] == "all"
    # Two branches read as they always did.
    assert {"values", "left", "right", "missing"} <= set(several["nodes"][2])


def test_missing_values_may_take_one_of_several_branches(several):
    tree = model_from_dict(_changed(several, ["nodes", 0, "missing"], 3)).tree

    assert tree.missing[0] == 2
    assert tree.leaves(np.full((1, 4), np.nan))[0] in tree.children(3)


OF_SEVERAL = [
    (["children"], [1, 2], "expected at least three"),
    (["children"], [1, 2, 4], "expected nodes that follow each other"),
    (["children"], [0, 1, 2], "expected a whole number from 1"),
    (["children"], [1, 2.0, 3], "expected nodes that follow each other"),
    (["children"], list(range(1, 100)), "expected nodes below 8"),
    (["children"], KeyError, "expected a key 'children'"),
    (["missing"], "left", "expected a child or 'all'"),
    (["missing"], 7, "expected a child or 'all'"),
    (["missing"], True, "expected a child or 'all'"),
    (["branches"], [["overcast"], ["rain"]], "expected a list for each child"),
    (["branches"], [["overcast"], ["rain"], []], "expected each value of the attribute once"),
    (["branches"], [["rain"], ["rain"], ["sunny"]], "expected each value of the attribute once"),
    (["branches"], [["fog"], ["rain"], ["sunny"]], "expected values of the attribute"),
    (["branches"], 3, "expected a list"),
    (["attribute"], "humidity", "expected 'below' and not 'branches'"),
    (["left"], 1, "unknown key 'left'"),
]


@pytest.mark.parametrize(("path", "value", "message"), OF_SEVERAL)
def test_a_wrong_node_of_several_branches_gives_one_clear_line(several, path, value, message):
    with pytest.raises(ModelError, match=message):
        model_from_dict(_changed(several, ["nodes", 0, *path], value))


def test_only_a_leaf_that_is_one_of_several_may_hold_no_record(several):
    for node, fits in ((0, False), (1, True), (2, False), (4, False)):
        given = _changed(several, ["nodes", node, "counts"], [0.0, 0.0])
        if fits:
            tree = model_from_dict(given).tree
            assert (tree.probabilities[node] == tree.probabilities[0]).all()
        else:
            with pytest.raises(ModelError, match=rf"nodes\[{node}\]\.counts: expected numbers"):
                model_from_dict(given)


def test_a_model_of_another_kind_is_refused(tmp_path, clear):
    path = tmp_path / "model.json"
    path.write_text(json.dumps(clear))
    with pytest.raises(ModelError, match=r"model\.json: parameters\.\w+: unknown"):
        C45Classifier.from_json(path)

    C45Classifier().fit(*golf()).to_json(path)
    with pytest.raises(ModelError, match=r"model\.json: parameters\.confidence: unknown"):
        DisguisedTreeClassifier.from_json(path)
