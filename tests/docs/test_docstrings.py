"""Every public name is documented, with an example where it is a class or a function."""

import importlib
import inspect

import pytest

PACKAGES = [
    "scumble",
    "scumble.audit",
    "scumble.binarise",
    "scumble.datasets",
    "scumble.engines",
    "scumble.entropy",
    "scumble.experiments",
    "scumble.inversion",
    "scumble.mechanisms",
    "scumble.mining",
    "scumble.population",
    "scumble.reconstruction",
    "scumble.release",
    "scumble.relevance",
    "scumble.schema",
    "scumble.testing",
    "scumble.treatments",
]


def _public():
    for package in PACKAGES:
        module = importlib.import_module(package)
        for name in module.__all__:
            item = getattr(module, name)
            if inspect.isclass(item) or inspect.isfunction(item):
                yield pytest.param(item, id=f"{package}.{name}")


@pytest.mark.parametrize("package", PACKAGES)
def test_a_package_says_what_it_is_and_exports_what_it_has(package):
    module = importlib.import_module(package)

    assert module.__doc__
    assert len(set(module.__all__)) == len(module.__all__)


@pytest.mark.parametrize("item", list(_public()))
def test_a_public_name_is_documented(item):
    assert item.__doc__
    for name, member in inspect.getmembers(item):
        if inspect.isfunction(member) and not name.startswith("_"):
            # An override is documented where it is declared.
            assert any(
                getattr(base, name, None) is not None and getattr(base, name).__doc__
                for base in inspect.getmro(item)
            ), name


@pytest.mark.parametrize("package", ["scumble.mechanisms"])
def test_a_mechanism_shows_an_example(package):
    module = importlib.import_module(package)

    for name in module.__all__:
        assert ">>>" in getattr(module, name).__doc__, name
