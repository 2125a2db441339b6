"""The web app: a library of benchmark problems that judges results, and a workbench. Needs the extra `grashof[web]`."""
