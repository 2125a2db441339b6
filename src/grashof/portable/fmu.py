"""Functional mock-up units: a mechanism as a file that other simulation programs load (FMI 2.0 and 3.0).

The file contains machine code for Linux on x86-64, which LLVM compiles and `elf` links, and C source of the same code
for other systems.
"""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Mapping

from grashof.portable.c_code import translate
from grashof.portable.changing import changing_ir
from grashof.portable.description import describe_build, describe_model
from grashof.portable.fmi_core import EXTERNAL, LIBC, core_ir
from grashof.portable.fmi_exchange import derivative_tapes, exchange_ir
from grashof.portable.fmi_instance import FmuSpace
from grashof.portable.fmi_versions import version_ir
from grashof.portable.machine import PLATFORM, compile_library, without_repetition
from grashof.portable.make import Portable

FOLDERS = {3: PLATFORM, 2: "linux64"}
"""Where the standard has the machine code for Linux on x86-64."""

EPOCH = (1980, 1, 1, 0, 0, 0)
"""The date of the files, so that the same mechanism gives the same bytes."""

EXPORT = """\
#include <stdio.h>
#include <stdlib.h>

#if defined(_WIN32) || defined(__CYGWIN__)
#define FMI_EXPORT __declspec(dllexport)
#elif defined(__GNUC__)
#define FMI_EXPORT __attribute__((visibility("default")))
#else
#define FMI_EXPORT
#endif

static int supported(void) { return 1; }
"""


def fmu_bytes(portable: Portable, version: int, identifier: str, more: Mapping[str, str] | None = None) -> bytes:
    """The content of an FMU; `identifier` is the name of its library, `more` are other files."""
    space = _space(portable, version)
    ir, exports = _module(portable, space)
    source = translate(ir, exports, f"{identifier}_", EXTERNAL, plain=exports, mark="FMI_EXPORT ")
    about = f"/* {portable.model.name.replace('*/', '* /')}: FMI {version}.0, written by Grashof. */\n"
    files: dict[str, str | bytes] = {
        "modelDescription.xml": describe_model(portable, space, identifier),
        f"binaries/{FOLDERS[version]}/{identifier}.so": compile_library(ir, exports),
        f"sources/{identifier}.c": about + EXPORT + source,
    }
    if version == 3:
        files["sources/buildDescription.xml"] = describe_build(identifier, f"{identifier}.c")
    files |= more or {}
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name, EPOCH), content, zipfile.ZIP_DEFLATED)
    return written.getvalue()


def _space(portable: Portable, version: int) -> FmuSpace:
    code, catalog = portable.code, portable.catalog
    digest = hashlib.sha256(
        "\n".join([code.text(), str(version), *(x.name for x in (*portable.numbers, *portable.outputs))]).encode()
    ).hexdigest()
    parameters, forces, motions = portable.counts
    return FmuSpace(
        version=version,
        session=code.session,
        parameters=parameters,
        forces=forces,
        motions=motions,
        bounds=[(x.least, x.most) for x in portable.numbers],
        outputs=[catalog[x.name].since_start for x in portable.outputs],
        indicators=len(code.tapes["indicators"].outputs),
        token=f"{{{digest[:8]}-{digest[8:12]}-{digest[12:16]}-{digest[16:20]}-{digest[20:32]}}}",
        magic=int(digest[:15], 16),
    )


def _module(portable: Portable, space: FmuSpace) -> tuple[str, list[str]]:
    """The code of an FMU, and the functions that it exports."""
    code = portable.code
    tapes = derivative_tapes(code.tapes, len(space.outputs), code.session.count)
    nominals = [abs(float(x)) or 1.0 for x in code.made.program.scales]
    functions, exports = version_ir(space)
    parts = [
        LIBC,
        code.text(tapes),
        changing_ir(code.session, space.motions),
        core_ir(space),
        exchange_ir(space, nominals),
        functions,
        space.constants(),
    ]
    return without_repetition("".join(parts)), exports
