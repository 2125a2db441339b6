"""The suites, by name."""

from __future__ import annotations

from campaign.suite import Suite
from campaign.suites import (
    beyond_reach,
    both_formulations,
    capped_and_fixed,
    contacts,
    couplings,
    long_runs,
    near_misses,
    nearly,
    pairs,
    pulses,
    reductions,
    rough,
    rows_of_lanes,
    short_contacts,
    sticking,
    stiff,
    touching,
    turns_in_space,
    uneven,
    work_of_motors,
)
from campaign.suites.singular_positions import SingularPositions

SUITES: dict[str, Suite] = {
    suite.name: suite
    for suite in (
        SingularPositions(),
        near_misses.SUITE,
        long_runs.SUITE,
        work_of_motors.SUITE,
        turns_in_space.SUITE,
        pulses.SUITE,
        nearly.SUITE,
        couplings.SUITE,
        contacts.SUITE,
        short_contacts.SUITE,
        nearly.FITTED,
        beyond_reach.SUITE,
        uneven.SUITE,
        pairs.SUITE,
        rough.SUITE,
        capped_and_fixed.SUITE,
        touching.SUITE,
        reductions.SUITE,
        rows_of_lanes.SUITE,
        both_formulations.SUITE,
        stiff.SUITE,
        sticking.SUITE,
    )
}
