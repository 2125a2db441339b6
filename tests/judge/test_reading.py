"""Result files in the dialects of many tools say the same; what cannot be read is named by line and column."""

from __future__ import annotations

import gzip
import os
import threading
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grashof.common.errors import ModelError
from grashof.judge import ResultTable, read_table
from grashof.problems import make_case

CASE = make_case("double-four-bar")
NAMES = [column.name for column in CASE.columns]
HEADINGS = {
    "as official": NAMES,
    "with units": [f"{column.name} [{column.unit}]" for column in CASE.columns],
    "in symbols": ["t", "x₁", "ẋ₁", "E − E₀", "C_pos", "C_vel", "C_acc"],
    "in words": ["Time", "X1", "dx1/dt", "Total energy", "Position violation", "Velocity violation", "violation_acc"],
}
SEPARATORS = {"space": "  ", "tab": "\t", "comma": ",", "comma and space": ", ", "semicolon": ";"}
EXPONENTS = {"e": "e", "E": "E", "Fortran's D": "D", "lost": ""}


def number(x: float, sign: str, exponent: str, decimal: str, quoted: bool) -> str:
    """17 digits, which name a double exactly; Fortran drops the letter only before three digits."""
    mantissa, _, power = f"{x:{sign}.16e}".partition("e")
    letter = exponent if exponent or len(power) == 4 else "D"
    text = f"{mantissa}{letter}{power}".replace(".", decimal)
    return f'"{text}"' if quoted else text


@st.composite
def dialects(draw: st.DrawFn) -> tuple[bytes, list[str], np.ndarray]:
    """A file's content, the names of its columns, and its numbers."""
    numbers = st.floats(allow_nan=False, allow_infinity=False)
    names = draw(st.permutations(NAMES))
    separator = draw(st.sampled_from(list(SEPARATORS)))
    between = SEPARATORS[separator]
    headings = draw(st.sampled_from(list(HEADINGS)))
    exponent = EXPONENTS[draw(st.sampled_from(list(EXPONENTS)))]
    decimal = draw(st.sampled_from([".", ","])) if not separator.startswith("comma") else "."
    quoted, sign = draw(st.booleans()), draw(st.sampled_from("-+"))
    last = draw(st.sampled_from(["", between.strip()]))
    mark = draw(st.sampled_from(["", "# ", "% ", "! ", "// "]))
    heads = dict(zip(NAMES, HEADINGS[headings], strict=True))
    # a name of several words is told from its neighbours by more than one space
    lines = [mark + between.join(heads[name] for name in names)]
    rows = draw(st.lists(st.tuples(*[numbers] * len(NAMES)), min_size=1, max_size=5))
    for row in rows:
        lines.append(between.join(number(x, sign, exponent, decimal, quoted) for x in row) + last)
        lines += draw(st.lists(st.sampled_from(["", "   ", "# a comment, 1 2 3", "% 4;5"]), max_size=1))
        lines[-1] += draw(st.sampled_from(["", "  # why not", "   "]))
    if draw(st.booleans()):
        lines.insert(0, "Result of some tool, version 3")
    text = draw(st.sampled_from(["\n", "\r\n"])).join(lines) + draw(st.sampled_from(["", "\n"]))
    content = draw(st.sampled_from([b"", b"\xef\xbb\xbf"])) + text.encode()
    return draw(st.sampled_from([content, gzip.compress(content, mtime=0)])), list(names), np.array(rows)


@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(dialects())
def test_every_dialect_says_the_same(tmp_path: Path, written: tuple[bytes, list[str], np.ndarray]) -> None:
    content, names, numbers = written
    (tmp_path / "result").write_bytes(content)
    table = read_table(tmp_path / "result", CASE)
    assert set(table.columns) == set(names)
    for name, values in zip(names, numbers.T, strict=True):
        assert np.array_equal(table.columns[name], values), name


def read(tmp_path: Path, content: str | bytes) -> ResultTable:
    path = tmp_path / "result.txt"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return read_table(path, CASE)


def test_without_a_header_columns_come_in_the_official_order(tmp_path: Path) -> None:
    table = read(tmp_path, "0 0 1\n0.01 0.01 1\n")
    assert list(table.columns) == ["t", "x_1", "xdot_1"]
    assert "official order" in table.remarks[0]


def test_whole_numbers_with_commas_are_separate_numbers(tmp_path: Path) -> None:
    assert read(tmp_path, "0,0,1\n1,2,3\n").columns["xdot_1"].tolist() == [1.0, 3.0]


def test_decimal_commas_are_seen_after_rows_without_any(tmp_path: Path) -> None:
    assert read(tmp_path, "0 0 1\n0,5 1,25 3\n").columns["x_1"].tolist() == [0.0, 1.25]


def test_columns_nobody_asked_for_are_skipped_by_name(tmp_path: Path) -> None:
    table = read(tmp_path, "xdot_1,cpu load,t\n1,50,0\n1.5,60,0.01\n")
    assert table.columns["xdot_1"].tolist() == [1.0, 1.5]
    assert "column 2 'cpu load'" in table.remarks[0]


def test_a_thousand_columns_nobody_asked_for_are_counted(tmp_path: Path) -> None:
    table = read(tmp_path, " ".join(str(k) for k in range(len(NAMES) + 1000)))
    assert table.columns["x_1"].tolist() == [1.0]
    assert table.remarks[-1].endswith("column 19 and 988 more.")


def test_a_capital_t_is_the_kinetic_energy_beside_a_small_one_and_the_time_alone(tmp_path: Path) -> None:
    path = tmp_path / "result.txt"
    case = make_case("andrews")
    path.write_text("t x_F T V\n1 2 3 4\n")
    assert {name: float(x[0]) for name, x in read_table(path, case).columns.items()} == {
        "t": 1.0,
        "x_F": 2.0,
        "kinetic": 3.0,
        "potential": 4.0,
    }
    path.write_text("T X_F Y_F\n1 2 3\n")
    assert list(read_table(path, case).columns) == ["t", "x_F", "y_F"]


UNITS = {
    "brackets": "t [ms];x_1 [mm];xdot_1 [mm/s];energy [kJ]",
    "parentheses": "t (ms);x_1 (mm);xdot_1 (mm/s);energy (kN m)",
    "slashes": "t/ms;x_1/mm;dx1/dt/(mm/s);energy/kJ",
    "powers": "t [msec];x_1 [millimetres];xdot_1 [mm s⁻¹];energy [kJ]",
    "a line of units": "t;x_1;xdot_1;energy\nms;mm;mm/s;kJ",
    "a line of bracketed units": "t x_1 xdot_1 energy\n(ms) (mm) (mm/s) (kJ)",
    "spaces": "t [ms] x_1 [mm] xdot_1 [mm/s] energy [kN m]",
}


@pytest.mark.parametrize("form", UNITS)
def test_units_in_the_header_are_converted(form: str, tmp_path: Path) -> None:
    separator = ";" if ";" in UNITS[form] else " "
    table = read(tmp_path, UNITS[form] + "\n" + separator.join(["10", "2", "300", "0.5"]) + "\n")
    values = {name: pytest.approx(x, rel=1e-15) for name, x in {"t": 0.01, "x_1": 2e-3, "xdot_1": 0.3}.items()}
    assert {name: float(x[0]) for name, x in table.columns.items()} == {**values, "energy": 500.0}
    assert len(table.remarks) == 1
    assert "x_1 from m" in table.remarks[0]


def test_angles_in_degrees_and_revolutions_are_converted(tmp_path: Path) -> None:
    (tmp_path / "grid.csv").write_text("t,phi_1 [°],phidot_1 [rpm]\n0,180,60\n")
    columns = read_table(tmp_path / "grid.csv", make_case("multiple-four-bar")).columns
    assert (columns["phi_1"][0], columns["phidot_1"][0]) == pytest.approx((np.pi, 2.0 * np.pi), rel=1e-15)


def test_a_stated_unit_is_stronger_than_in_degrees(tmp_path: Path) -> None:
    (tmp_path / "grid.sto").write_text("inDegrees=yes\nendheader\nt\tphi_1 [rad]\tphidot_1\n0\t1\t180\n")
    columns = read_table(tmp_path / "grid.sto", make_case("multiple-four-bar")).columns
    assert (columns["phi_1"][0], columns["phidot_1"][0]) == pytest.approx((1.0, np.pi), rel=1e-15)


@pytest.mark.parametrize(
    ("heading", "words"),
    [
        ("x_1 [furlong]", "'furlong', stated for x_1, is not a known unit: its numbers are read as m."),
        ("x_1 [deg]", "'deg', stated for x_1, is not a unit of the same kind as m"),
    ],
)
def test_a_unit_that_cannot_be_converted_gets_a_sentence(heading: str, words: str, tmp_path: Path) -> None:
    table = read(tmp_path, f"t,{heading},xdot_1 [1]\n0,5,7\n")
    assert (table.columns["x_1"][0], table.columns["xdot_1"][0]) == (5.0, 7.0)
    assert len(table.remarks) == 1
    assert words in table.remarks[0]


def test_counts_above_the_table_are_no_rows(tmp_path: Path) -> None:
    table = read(tmp_path, "nColumns=3\n2 3\nt x_1 xdot_1\n0 0 1\n0.01 0.01 1\n")
    assert table.lines.tolist() == [4, 5]


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grashof.judge.reading._BLOCK", 4096)


@pytest.mark.usefixtures("small_blocks")
def test_rows_know_their_lines_across_blocks_and_comments(tmp_path: Path) -> None:
    rows = [f"{k * 1e-3:.3f} {k} 1.0" for k in range(5000)]
    rows.insert(3000, "# a break")
    table = read(tmp_path, "t x_1 xdot_1\n" + "\n".join(rows))
    assert np.array_equal(table.columns["x_1"], np.arange(5000))
    assert table.lines[[0, 2999, 3000, 4999]].tolist() == [2, 3001, 3003, 5002]


HEAD = "t x_1 xdot_1\n0 0 1\n"
MALFORMED = {
    "a word": (HEAD + "0.01 abc 1\n", ["line 3, column 6", "'abc'", "number 2", "x_1"]),
    "stars": (HEAD + "0.01 1.0 *****\n", ["line 3, column 10", "Fortran"]),
    "too few numbers": (HEAD + "0.01 1.0\n0.02 1 1\n", ["line 3, column 6", "2 numbers", "others have 3"]),
    "too many numbers": (HEAD + "0.01 1.0 1.0 7\n0.02 1 1\n", ["line 3, column 14", "4 numbers"]),
    "an empty cell": ("0,0,1\n0.01,,1\n", ["line 2, column 6", "found nothing"]),
    "an empty last cell": ("0;0;1\n0,01;1;\n", ["line 2, column 6", "2 numbers"]),
    "an underscore": (HEAD + "0.01 1_0 1\n", ["line 3, column 6", "'1_0'"]),
    "two signs": (HEAD + "0.01 +-1 1\n", ["line 3, column 6", "'+-1'"]),
    "two points": (HEAD + "0.01 1.0.0 1\n", ["line 3, column 6"]),
    "a last word": (HEAD + "0.01 1 1\nfinished\n", ["line 4, column 1", "'finished'"]),
    "no numbers": ("nothing here\n", ["no row of numbers", "line 1", "nothing here"]),
    "nothing": ("", ["empty"]),
    "no time": ("x_1 xdot_1\n0 1\n", ["line 1", "call that column t"]),
    "UTF-16": ("0 0 1\n".encode("utf-16"), ["UTF-16"]),
    "half a gzip file": (gzip.compress(b"0 0 1\n" * 1000)[:-9], ["gzip", "too early"]),
}


@pytest.mark.parametrize("mistake", MALFORMED)
def test_what_cannot_be_read_is_named_by_file_line_and_column(mistake: str, tmp_path: Path) -> None:
    content, words = MALFORMED[mistake]
    with pytest.raises(ModelError) as problem:
        read(tmp_path, content)
    assert all(word in str(problem.value) for word in ["result.txt", *words]), problem.value


@pytest.mark.usefixtures("small_blocks")
def test_a_mistake_far_down_has_its_line(tmp_path: Path) -> None:
    rows = "".join(f"{k} 0.5 1.0\n" for k in range(5000))
    with pytest.raises(ModelError, match="line 5001, column 6: found 'x'"):
        read(tmp_path, rows + "5000 x 1.0\n")


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("before", ["", "0 0.5 1.0\n" * 1000])
def test_a_line_without_end_is_refused_before_it_is_read(before: str, tmp_path: Path) -> None:
    path = tmp_path / "result.txt"
    with path.open("w") as file:
        file.write(before)
        file.truncate(file.tell() + (1 << 36))  # which takes no room
    with pytest.raises(ModelError, match=r"no line ends in the 4,096 bytes before byte [\d,]{5,6}\. Give a text file"):
        read_table(path, CASE)


def test_no_file_and_a_folder(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="no such file"):
        read_table(tmp_path / "absent.txt", CASE)
    with pytest.raises(ModelError, match="folder"):
        read_table(tmp_path, CASE)


def test_more_text_or_numbers_than_memory_has_room_for_are_refused_by_their_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("grashof.judge.reading.MOST_BYTES", 10_000_000)
    bomb = gzip.compress(HEAD.encode() + b"# nothing\n" * 2_000_000)  # a few kilobytes
    with pytest.raises(ModelError, match="longer than the limit of 10,000,000 bytes"):
        read(tmp_path, bomb)
    monkeypatch.setattr("grashof.judge.reading.MOST_NUMBERS", 3000)
    assert len(read(tmp_path, "0 1 2\n" * 1000).lines) == 1000
    with pytest.raises(ModelError, match="more than 3,000 numbers"):
        read(tmp_path, "0 1 2\n" * 1001)


@pytest.mark.parametrize(
    "line", [" " * 1_000_000, "[" * 1_000_000, "(" * 1_000_000 + "t", "ẋ̣" * 300_000, "; \t" * 300_000]
)
def test_no_header_takes_time_that_grows_as_its_square(line: str, tmp_path: Path) -> None:
    """At the square of a million characters this would take hours."""
    assert list(read(tmp_path, line + "\n" + HEAD).columns) == ["t", "x_1", "xdot_1"]


@pytest.mark.skipif(os.name == "nt", reason="there are no such pipes")
@pytest.mark.parametrize("packed", [False, True])
def test_a_pipe_is_read_as_a_file_is(tmp_path: Path, packed: bool) -> None:
    content = (HEAD + "0.01 0.01 1\n" * 50_000).encode()
    content = gzip.compress(content) if packed else content
    path = tmp_path / "pipe"
    os.mkfifo(path)

    def write() -> None:
        with path.open("wb", buffering=0) as pipe:
            pipe.write(content[:1])  # it may come in pieces
            pipe.write(content[1:])

    writer = threading.Thread(target=write)
    writer.start()
    table = read_table(path, CASE)
    writer.join()
    assert len(table.lines) == 50_001


@pytest.mark.skipif(os.name == "nt", reason="there are no such pipes")
@pytest.mark.parametrize("begun", [False, True])
def test_a_pipe_that_says_nothing_is_not_waited_for_without_end(tmp_path: Path, begun: bool) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    writer = os.open(path, os.O_RDWR)
    if begun:
        os.write(writer, HEAD.encode())
    with pytest.raises(ModelError, match=r"pipe: no data arrived for 0\.05 s"):
        read_table(path, CASE, wait=0.05)
    os.close(writer)
