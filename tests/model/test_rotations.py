"""Rotations as matrices and as quaternions."""

import numpy as np

from grashof.model.rotations import quaternion, quaternions, rotation_matrix


def test_quaternions_of_many_rotations_are_those_of_each_and_turn_as_the_matrices_do() -> None:
    rng = np.random.default_rng(5)
    given = rng.normal(size=(400, 4))
    given[:50, 1:] = 0.0  # no turn
    given[50:100, 0] = 0.0  # half turns
    given[100:150, :3] *= 1e-9
    matrices = np.array([rotation_matrix(tuple(q / np.linalg.norm(q))) for q in given])
    found = quaternions(matrices)
    assert np.allclose(found, [quaternion(matrix) for matrix in matrices], rtol=0.0, atol=4e-16)
    assert np.allclose([rotation_matrix(tuple(q)) for q in found], matrices, atol=1e-15)
