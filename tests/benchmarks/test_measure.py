"""Ratios, and the facts that go with them."""

from __future__ import annotations

import platform

import pytest
from benchmarks.machine import facts
from benchmarks.measure import Entry, ratio


def test_a_ratio_is_taken_within_each_round() -> None:
    # the machine is twice as slow in the second round: the ratio does not notice
    entry = Entry("slow", "", cpu_s=[[2.0, 2.5], [4.0, 9.0], [2.0, 2.0]])
    other = Entry("fast", "", cpu_s=[[1.0, 1.5], [2.0, 2.0], [1.0, 3.0]])
    found = ratio(entry, other)
    assert (found.median, found.low, found.high) == (2.0, 2.0, 2.0)


def test_the_spread_of_a_ratio_is_the_middle_half_of_the_rounds() -> None:
    entry = Entry("slow", "", cpu_s=[[1.0], [2.0], [3.0], [4.0], [50.0]])
    other = Entry("fast", "", cpu_s=[[1.0]] * 5)
    found = ratio(entry, other)
    assert (found.median, found.low, found.high) == pytest.approx((3.0, 2.0, 4.0))


def test_the_facts_name_no_host_and_no_path() -> None:
    found = facts()
    assert all(found.values())
    assert not any(f" {platform.node()} " in f" {value} " for value in found.values())
    assert not any(value.startswith("/") or " /" in value for value in found.values())
