"""Whether a split tells classes apart beyond the noise of the inversion."""

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]


def evidence_of_splits(totals: FloatArray, squares: FloatArray, *, records: float) -> FloatArray:
    """Return by how many standard errors the two sides of splits differ in their classes.

    Parameters
    ----------
    totals : array, (splits, 2 classes)
        Estimated counts, those of the left side first.
    squares : array, (splits, 2 classes, 2 classes)
        The sums over records of products of what each counts for them.
    records : float
        The number of records.

    Notes
    -----
    For each class c the difference is D_c = L_c R - L R_c, with L and R the counts of the
    sides and L_c and R_c those of the class; of two classes it is L_0 R_1 - L_1 R_0. Its
    variance comes from the spread of what single records count (the delta method). Of more
    classes, D' V^-1 D is a chi-square; it is told as the standard errors of a single
    difference that is as unlikely.

    Examples
    --------
    >>> counted = np.array([[1.0, 0, 0, 0]] * 40 + [[0, 0, 0, 1.0]] * 40 + [[0, 1.0, 0, 0]] * 20)
    >>> squares = counted.T @ counted
    >>> evidence_of_splits(counted.sum(axis=0)[None], squares[None], records=100).round(1).tolist()
    [10.0]
    """
    from scipy.stats import chi2, norm

    classes = totals.shape[1] // 2
    left, right = totals[:, :classes], totals[:, classes:]
    in_left, in_right = left.sum(axis=1)[:, None], right.sum(axis=1)[:, None]
    difference = (left * in_right - in_left * right)[:, :-1]
    # How each difference changes with each count: of its own class, and of all on a side.
    gradient = np.zeros((len(totals), classes - 1, 2 * classes))
    own = np.arange(classes - 1)
    gradient[:, :, :classes] -= right[:, :-1, None]
    gradient[:, :, classes:] += left[:, :-1, None]
    gradient[:, own, own] += in_right
    gradient[:, own, classes + own] -= in_left
    scatter = squares - totals[:, :, None] * totals[:, None, :] / records
    variance = gradient @ scatter @ gradient.transpose(0, 2, 1)
    if classes == 2:
        spread = np.sqrt(np.maximum(variance[:, 0, 0], 0))
        # Without spread there is no doubt, be it that they differ or that they do not.
        sure = np.where(difference[:, 0] == 0, 0.0, np.inf)
        ratio = np.abs(difference[:, 0]) / np.where(spread > 0, spread, 1)
        return np.where(spread > 0, ratio, sure)
    solved = np.linalg.pinv(variance, hermitian=True) @ difference[:, :, None]
    square = (difference[:, :, None] * solved).sum(axis=(1, 2))
    return np.asarray(norm.isf(chi2.sf(np.maximum(square, 0), classes - 1) / 2))
