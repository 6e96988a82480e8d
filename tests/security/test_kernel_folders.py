"""Compiled kernels are executed, so they are read only if complete, and from folders that no other user can write to."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from numba.core.caching import IndexDataCacheFile

from supple.kernel_cache.trust import problem
from supple.scene.tables.scene import json_schema

CHOSEN = "import os, supple.linalg; print(os.environ['NUMBA_CACHE_DIR'])"
"""The choice of a process."""
KERNEL = """
import supple.linalg
from numba import njit

@njit(cache=True)
def half(x):
    return 0.5 * x

print(half(3.0), sum(half.stats.cache_hits.values()))
"""


def python(code: str, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """In a process with a separate home; `code` or a file that has it."""
    clean = {key: value for key, value in os.environ.items() if not key.startswith(("NUMBA_CACHE", "XDG_CACHE"))}
    done = subprocess.run(
        [sys.executable, *(["-c", code] if "\n" in code or ";" in code else [code])], cwd=folder, text=True, timeout=120,
        capture_output=True, env={**clean, "HOME": str(folder), **environment}, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    return done


def chosen(folder: Path, **environment: str) -> tuple[Path, str]:
    """The folder in use, and the note about it."""
    done = python(CHOSEN, folder, **environment)
    return Path(done.stdout.strip()), done.stderr


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    folder = tmp_path / "mine"
    folder.mkdir(mode=0o755)
    return folder


def test_our_folder_is_for_the_user_alone(tmp_path: Path) -> None:
    folder, said = chosen(tmp_path)
    assert folder.is_relative_to(tmp_path / ".cache/supple/kernels")
    assert folder.stat().st_mode & 0o777 == 0o700
    assert said == ""


def test_a_folder_that_the_user_names_is_taken(mine: Path, tmp_path: Path) -> None:
    assert chosen(tmp_path, NUMBA_CACHE_DIR=str(mine)) == (mine, "")
    assert mine.stat().st_mode & 0o777 == 0o700


def open_to_all(folder: Path) -> None:
    folder.chmod(0o777)


def with_an_open_folder(folder: Path) -> None:
    (folder / "inner").mkdir()
    (folder / "inner").chmod(0o777)


def with_a_link(folder: Path) -> None:
    (folder / "inner").symlink_to("/tmp")


def a_link(folder: Path) -> None:
    folder.rename(folder.with_name("elsewhere"))
    folder.symlink_to(folder.with_name("elsewhere"))


def below_an_open_folder(folder: Path) -> None:
    folder.parent.chmod(0o777)


SPOILED = [open_to_all, with_an_open_folder, with_a_link, a_link, below_an_open_folder]


@pytest.mark.parametrize("spoil", SPOILED)
def test_a_folder_that_others_can_write_to_is_not_read(
    spoil: Callable[[Path], None], mine: Path, tmp_path: Path
) -> None:
    assert problem(mine) == ""
    spoil(mine)
    assert problem(mine)
    home = tmp_path / "home"
    home.mkdir()
    folder, said = chosen(home, NUMBA_CACHE_DIR=str(mine))
    assert folder != mine
    assert said.count("compiled kernels are not read from there, since") == 1
    assert str(mine) in said
    if spoil is not below_an_open_folder:  # in which the home stands as well
        assert folder.is_relative_to(home)


def test_a_folder_of_another_user_is_not_read(mine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 12345)
    assert problem(mine) == "it belongs to another user"


def test_without_a_folder_kernels_go_with_the_process(tmp_path: Path) -> None:
    (tmp_path / ".cache/supple").mkdir(parents=True)
    (tmp_path / ".cache/supple/kernels").symlink_to("/tmp")
    folder, said = chosen(tmp_path)
    assert not folder.exists(), "it is gone with the process"
    assert not folder.is_relative_to(tmp_path)
    assert said.count("kernels are compiled again in this process") == 1
    code = f"{CHOSEN}; print(oct(os.stat(os.environ['NUMBA_CACHE_DIR']).st_mode))"
    assert python(code, tmp_path).stdout.endswith("0o40700\n")


def test_the_command_says_it_in_a_sentence(mine: Path, tmp_path: Path) -> None:
    mine.chmod(0o777)
    command = "import sys; sys.argv = ['supple', 'info']; from supple.cli import script; script()"
    done = python(command, tmp_path, NUMBA_CACHE_DIR=str(mine))
    assert done.stderr.startswith(
        f"{mine}: compiled kernels are not read from there, since it can be written to by others"
    )
    assert done.stderr.count("\n") == 1


def test_a_settings_file_in_the_current_folder_has_no_say(tmp_path: Path) -> None:
    (tmp_path / "evil").mkdir()
    (tmp_path / ".numba_config.yaml").write_text("cache_dir: evil\ncache_locator_classes: evil.Locator\n")
    code = "import supple.linalg, numba; print(repr(numba.config.CACHE_LOCATOR_CLASSES), numba.config.CACHE_DIR)"
    found = python(code, tmp_path).stdout
    assert found.startswith("'' ")
    assert str(tmp_path / ".cache/supple/kernels") in found


def test_no_key_of_a_scene_names_the_folder() -> None:
    def keys(part: object) -> set[str]:
        inner = part.values() if isinstance(part, dict) else part if isinstance(part, list) else ()
        return set(part if isinstance(part, dict) else ()).union(*(keys(entry) for entry in inner))

    assert not [key for key in keys(json_schema()) if "cache" in key.lower() or "kernel" in key.lower()]


def test_a_relative_cache_home_is_not_taken(tmp_path: Path) -> None:
    folder, _ = chosen(tmp_path, XDG_CACHE_HOME="here")
    assert folder.is_relative_to(tmp_path / ".cache")


@pytest.mark.parametrize("ending", ["nbi", "nbc"])
@pytest.mark.parametrize("how", ["cut", "empty", "flipped", "replaced", "unsigned"])
def test_a_damaged_file_is_as_good_as_none(how: str, ending: str, tmp_path: Path) -> None:
    files = IndexDataCacheFile(str(tmp_path), "kernel", "stamp of the source")
    files.save("signature", ("code", b"\0" * 100))
    assert files.load("signature") == ("code", b"\0" * 100)
    (file,) = tmp_path.glob(f"kernel*.{ending}")
    data = file.read_bytes()
    middle = len(data) // 2
    file.write_bytes({
        "cut": data[:middle], "empty": b"", "replaced": b"no pickle", "unsigned": data[:-32],
        "flipped": data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :],
    }[how])  # fmt: skip
    assert files.load("signature") is None
    files.save("signature", ("new code",))
    assert files.load("signature") == ("new code",)


def test_files_are_checked_whichever_is_imported_first(tmp_path: Path) -> None:
    asked = "from numba.core.caching import IndexDataCacheFile as files; print(files.checked_by_supple)"
    assert python(f"import numba; import supple.linalg; {asked}", tmp_path).stdout == "True\n"
    assert python(f"import supple.linalg; import supple.points; {asked}", tmp_path).stdout == "True\n"


def test_damaged_kernels_are_compiled_anew_and_no_pickle_of_a_stranger_is_read(tmp_path: Path) -> None:
    """Not even in the user's own folder, unless it ends as our files do."""
    (tmp_path / "kernel.py").write_text(KERNEL)
    assert python("kernel.py", tmp_path).stdout == "1.5 0\n"
    assert python("kernel.py", tmp_path).stdout == "1.5 1\n"
    for file in [*(tmp_path / ".cache").rglob("*.nbi"), *(tmp_path / ".cache").rglob("*.nbc")]:
        file.write_bytes(b"cos\nsystem\n(S'touch executed'\ntR.")
    assert python("kernel.py", tmp_path).stdout == "1.5 0\n"
    assert not (tmp_path / "executed").exists()
