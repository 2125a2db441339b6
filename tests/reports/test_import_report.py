"""`gr.import_report`: a folder with a file that is whole, one from which something is left out, and a damaged one."""

import json
import os
from multiprocessing import get_context
from pathlib import Path

import pytest
from typer.testing import CliRunner

import grashof as gr
from grashof.cli.app import app
from grashof.reports import import_workshop
from grashof.reports.import_report import ImportReport
from grashof.reports.imported_file import SAME_PUSH, SAME_WAY, ImportedFile

PENDULUM = """<robot name="pendulum">
  <link name="base"/>
  <link name="rod"><inertial><origin xyz="0.5 0 0"/><mass value="2"/>
    <inertia ixx="0.01" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="pin" type="continuous"><parent link="base"/><child link="rod"/><axis xyz="0 1 0"/></joint>
</robot>"""

WITH_MUSCLE = """<?xml version="1.0"?>
<OpenSimDocument Version="40000"><Model name="arm"><gravity>0 -9.81 0</gravity>
  <BodySet name="bodyset"><objects><Body name="rod"><mass>2</mass><mass_center>0 -0.5 0</mass_center>
    <inertia>0.1 0.01 0.1 0 0 0</inertia></Body></objects></BodySet>
  <JointSet name="jointset"><objects><PinJoint name="pin"><socket_parent_frame>/ground</socket_parent_frame>
    <socket_child_frame>/bodyset/rod</socket_child_frame>
    <coordinates><Coordinate name="turn"><default_value>0.7</default_value></Coordinate></coordinates></PinJoint>
  </objects></JointSet>
  <ForceSet name="forceset"><objects>%s</objects></ForceSet>
</Model></OpenSimDocument>"""
HINGE = """<mujoco><worldbody><body name="rod"><joint type="hinge" axis="0 1 0"/>
  <geom type="capsule" fromto="0 0 0 1 0 0" size="0.05"/></body></worldbody></mujoco>"""
MUSCLES = "".join(f'<Thelen2003Muscle name="m{k}"/>' for k in range(2))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "below").mkdir()
    (tmp_path / "pendulum.urdf").write_text(PENDULUM)
    (tmp_path / "below" / "arm.osim").write_text(WITH_MUSCLE % MUSCLES)
    (tmp_path / "damaged.osim").write_text((WITH_MUSCLE % "")[:400])
    (tmp_path / "feed.xml").write_text("<?xml version='1.0'?><!-- <mujoco> --><feed/>")
    return tmp_path


def test_files_are_read_run_or_refused_and_counted_by_format(folder: Path) -> None:
    report = gr.import_report(folder, t_end=0.2, compare=False)
    arm, damaged, pendulum = report.files
    assert [file.path for file in report.files] == ["below/arm.osim", "damaged.osim", "pendulum.urdf"]
    assert (arm.outcome, len(arm.left_out), len(arm.kinds)) == ("runs", 2, 1)
    assert damaged.outcome == "refused"
    assert "not XML" in damaged.explain()
    assert (pendulum.outcome, pendulum.left_out) == ("runs", ())
    assert pendulum.status == "Finished at t = 0.2 s."
    assert report.formats()["OpenSim"] == {"files": 2, "read": 1, "whole": 0, "runs": 1, "refused": 1}
    assert report.kinds() == {"OpenSim": {arm.kinds[0]: 1}}
    assert "OpenSim: 2 files; 1 read, 0 of them with nothing left out, 1 runs, 1 refused." in str(report)


def test_a_file_that_takes_too_long_is_given_up_and_the_next_one_is_tried(folder: Path) -> None:
    report = gr.import_report(folder, limit_s=1e-9, compare=False)
    assert [file.outcome for file in report.files] == ["stopped"] * 3
    assert report.formats()["URDF"] == {"files": 1, "stopped": 1}


@pytest.fixture
def examined(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the files that were examined; nothing is done with them."""
    found: list[str] = []

    def examine(_: object, path: Path, __: float) -> ImportedFile:
        found.append(path.name)
        return ImportedFile(str(path), "URDF", status="Finished.", ok=True)

    monkeypatch.setattr(import_workshop.Workshop, "examine", examine)
    return found


def test_a_report_that_was_interrupted_goes_on_where_its_record_ends(
    folder: Path, tmp_path: Path, examined: list[str]
) -> None:
    record = tmp_path / "found.jsonl"
    first = gr.import_report(folder, t_end=0.1, compare=False, record=record)
    lines = record.read_bytes().splitlines()
    assert len(lines) == len(first.files) == 3
    known = json.loads(lines[0])
    known["file"]["status"] = "Recorded."
    record.write_bytes(json.dumps(known).encode() + b"\n" + lines[1][:40])  # the second line was not finished
    again = gr.import_report(folder, t_end=0.1, compare=False, record=record)
    assert [file.status for file in again.files] == ["Recorded.", "Finished.", "Finished."]
    assert [file.path for file in again.files] == [file.path for file in first.files]
    assert examined == ["arm.osim", "damaged.osim", "pendulum.urdf", "damaged.osim", "pendulum.urdf"]
    with pytest.raises(gr.ModelError, match="line 2: this is not a record"):
        gr.import_report(folder, t_end=0.1, compare=False, record=record)


def test_a_recorded_file_that_has_changed_is_tried_again(tmp_path: Path, examined: list[str]) -> None:
    model, record = tmp_path / "pendulum.urdf", tmp_path / "found.jsonl"
    model.write_text(PENDULUM)
    for t_end, text in ((0.1, PENDULUM), (0.1, PENDULUM), (0.1, PENDULUM + "\n"), (0.2, PENDULUM)):
        model.write_text(text)
        gr.import_report(tmp_path, t_end=t_end, record=record)
    assert len(examined) == len(record.read_bytes().splitlines()) == 3


def test_a_sample_is_the_same_every_time_and_grows(tmp_path: Path, examined: list[str]) -> None:
    for k in range(12):
        (tmp_path / f"model{k}.urdf").write_text("<robot")
    samples = [{file.path for file in gr.import_report(tmp_path, sample=x).files} for x in (0.4, 0.4, 0.8, 1.0)]
    assert samples[0] == samples[1] < samples[2] < samples[3]
    assert len(samples[3]) == 12
    assert len(examined) == sum(map(len, samples))
    with pytest.raises(gr.ModelError, match="more than 0 and at most 1"):
        gr.import_report(tmp_path, sample=0.0)


@pytest.mark.parametrize("problem", ["an exception", "a crash"])
def test_a_defect_is_a_row_of_the_report(problem: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pendulum.urdf").write_text(PENDULUM)
    if problem == "an exception":
        monkeypatch.setattr(import_workshop, "load_file", lambda *_, **__: [][1])
        ((file, _),) = import_workshop.examine(tmp_path / "pendulum.urdf", 0.1, compare=False)
        assert (file.outcome, file.was_read) == ("error", False)
        assert file.explain().startswith("IndexError: list index out of range (test_import_report.py, line")
    else:
        away = get_context("fork")  # in which the change below is seen
        monkeypatch.setattr(import_workshop, "load_file", lambda *_, **__: os._exit(3))
        with import_workshop.Workshop(0.1, False, _away=away) as workshop:
            file = workshop.examine(tmp_path / "pendulum.urdf", 60.0)
        assert file.outcome == "stopped"
        assert file.explain() == "It was being read when its process crashed."


def test_a_file_that_is_refused_counts_if_its_own_engine_reads_it(tmp_path: Path) -> None:
    pytest.importorskip("mujoco")
    (tmp_path / "hinge.xml").write_text(HINGE)
    (tmp_path / "unknown.xml").write_text(HINGE.replace('type="hinge"', 'type="screw"'))
    report = gr.import_report(tmp_path, t_end=0.1)
    assert [file.freedoms for file in report.files] == [1, None]
    counts = report.formats()["MJCF"]
    assert (counts["files"], counts["read"], counts["move"], counts["move_read"]) == (2, 1, 1, 1)


@pytest.mark.parametrize(("name", "engine"), [("pendulum.urdf", "pinocchio"), ("arm.osim", "opensim")])
def test_a_motion_is_compared_with_that_of_the_engine_that_reads_the_file(
    name: str, engine: str, tmp_path: Path
) -> None:
    pytest.importorskip(engine)
    (tmp_path / name).write_text(PENDULUM if engine == "pinocchio" else WITH_MUSCLE % "")
    (file,) = gr.import_report(tmp_path).files
    assert file.outcome == "agrees", file.explain()
    assert file.push is not None
    assert file.apart is not None
    assert file.push < SAME_PUSH
    assert file.apart < SAME_WAY


LINK = """<link name="{0}"><inertial><origin xyz="0 0 -0.4"/><mass value="2"/>
  <inertia ixx="0.1" iyy="0.1" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="{0} pin" type="{3}"><parent link="{1}"/><child link="{0}"/><origin xyz="0.1 0 -0.5" rpy="0.3 0 0"/>
  <axis xyz="0 1 0"/><limit lower="-3" upper="3" effort="9" velocity="9"/>{2}</joint>"""


def test_pinocchio_runs_files_with_their_damping_and_mimic_joints(tmp_path: Path) -> None:
    pytest.importorskip("pinocchio")
    damping = '<dynamics damping="0.7"/>'
    links = (
        LINK.format("a", "base", damping, "continuous"),
        LINK.format("b", "a", '<mimic joint="a pin" multiplier="-0.5" offset="0.4"/>', "revolute"),
        LINK.format("c", "b", '<mimic joint="b pin" multiplier="2" offset="0.1"/>', "revolute"),
        LINK.format("d", "c", damping, "prismatic"),
    )
    path = tmp_path / "arm.urdf"
    path.write_text(f'<robot name="arm"><link name="base"/>{"".join(links)}</robot>')
    *_, (file, _) = import_workshop.examine(path, 0.5, compare=True)
    assert file.outcome == "agrees", file.explain()
    undamped = tmp_path / "undamped.urdf"
    undamped.write_text(path.read_text().replace(damping, ""))
    *_, (file, _) = import_workshop.examine(undamped, 0.5, compare=True)
    assert file.outcome == "agrees", file.explain()


CONTACT = '<HuntCrossleyForce name="c"/>'
CORD = """<PathSpring name="cord"><resting_length>0.1</resting_length><stiffness>50</stiffness>
  <dissipation>0</dissipation><GeometryPath><PathPointSet><objects>
  <PathPoint name="p"><socket_parent_frame>/ground</socket_parent_frame><location>0.3 0 0</location></PathPoint>
  <PathPoint name="q"><socket_parent_frame>/bodyset/rod</socket_parent_frame><location>0 -0.5 0</location></PathPoint>
  </objects></PathPointSet></GeometryPath></PathSpring>"""


@pytest.mark.parametrize(("forces", "outcome"), [(CONTACT, "agrees"), (CORD, "differs")])
def test_an_engine_with_a_force_that_was_left_out_differs_unless_it_is_contact(
    forces: str, outcome: str, tmp_path: Path
) -> None:
    pytest.importorskip("opensim")
    (tmp_path / "arm.osim").write_text(WITH_MUSCLE % forces)
    (file,) = gr.import_report(tmp_path, t_end=0.2).files
    assert file.left_out
    assert file.outcome == outcome, file.explain()


def test_the_command_prints_a_table_markdown_or_json(folder: Path) -> None:
    def call(form: str) -> str:
        words = ["import-report", str(folder), "--no-compare", "--t-end", "0.1", "--format", form]
        result = CliRunner().invoke(app, words, env={"COLUMNS": "120"})
        assert result.exit_code == 0, result.output
        return result.stdout

    data = json.loads(call("json"))
    assert [file["outcome"] for file in data["files"]] == ["runs", "refused", "runs"]
    assert "| pendulum.urdf | runs | 0 |" in call("markdown")


def test_a_folder_without_models_is_refused(tmp_path: Path) -> None:
    with pytest.raises(gr.ModelError, match="no model files"):
        gr.import_report(tmp_path)
    with pytest.raises(gr.ModelError, match="no such folder"):
        gr.import_report(tmp_path / "missing")


def test_a_report_is_plain_data_and_text() -> None:
    assert str(ImportReport("empty", ())) == ""
