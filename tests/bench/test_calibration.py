"""The unit of work is the work that its documentation says."""

from __future__ import annotations

from grashof.bench.calibration import SIZE, calibrate, work


def test_the_native_kernel_does_the_documented_arithmetic_to_the_last_bit() -> None:
    x, k, table = 0.5, 1, [0.0] * SIZE
    for _ in range(50_000):
        x = 3.75 * x * (1.0 - x)
        k = (1664525 * k + 1013904223) % 2**32
        table[k >> 17] = 0.5 * table[k >> 17] + x
    assert work(50_000) == (x, table)


def test_the_table_is_visited_everywhere() -> None:
    assert all(value > 0.0 for value in work(1_000_000)[1])


def test_a_unit_takes_time() -> None:
    assert 0.0 < calibrate(repeat=1) < 10.0
