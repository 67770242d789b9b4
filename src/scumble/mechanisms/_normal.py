"""The normal distribution, loaded only where it is used: it is half the import time."""

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]


def normal_cdf(t: FloatArray) -> FloatArray:
    """Return the standard normal cdf."""
    from scipy.special import ndtr

    return np.asarray(ndtr(t))


def normal_quantile(share: FloatArray | float) -> FloatArray:
    """Return the standard normal quantiles."""
    from scipy.special import ndtri

    return np.asarray(ndtri(share))
