import inspect

from scumble import errors


def test_every_error_has_the_one_base_and_is_drawn_at_the_top():
    for name, item in inspect.getmembers(errors, inspect.isclass):
        assert issubclass(item, errors.ScumbleError | errors.ScumbleWarning), name
        assert name in errors.__doc__, f"{name} is not drawn"


def test_an_error_can_be_located_further_out():
    error = errors.SpecificationError("low: expected a number")

    assert str(error.within("attributes", "age")) == "attributes.age.low: expected a number"
