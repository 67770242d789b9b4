"""Settings for all tests."""

import matplotlib
from hypothesis import settings

matplotlib.use("Agg")
# The machines that run the tests are noisy: a time limit would fail at random.
settings.register_profile("scumble", deadline=None)
settings.load_profile("scumble")
