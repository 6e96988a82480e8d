"""Whether a folder of compiled kernels may be read: a process executes the files in it.

Only its user, or the administrator, may be able to write to the folder or to put another one in its place.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path


def problem(folder: Path) -> str:
    """Why kernels are not read from a folder that exists; empty if they may be."""
    if not hasattr(os, "geteuid"):  # rights on Windows are of another kind; the folder is in the profile of the user
        return ""
    try:
        if reason := _unsafe(folder.lstat(), os.geteuid()):
            return f"it {reason}"
        with os.scandir(folder) as entries:
            for entry in entries:
                if reason := _unsafe(entry.stat(follow_symlinks=False), os.geteuid(), file=True):
                    return f"{entry.name} in it {reason}"
        for above in folder.resolve().parents:
            found = above.stat()
            if found.st_uid not in (0, os.geteuid()):
                return f"{above} belongs to another user"
            if _others_write(found) and not found.st_mode & stat.S_ISVTX:
                return f"others may write to {above}"
    except OSError as error:
        return f"it cannot be examined ({error.strerror})"
    return ""


def _unsafe(found: os.stat_result, user: int, file: bool = False) -> str:
    if stat.S_ISLNK(found.st_mode):
        return "is a link"
    if not (stat.S_ISDIR(found.st_mode) or (file and stat.S_ISREG(found.st_mode))):
        return "is no folder"
    if found.st_uid != user:
        return "belongs to another user"
    return "can be written to by others" if _others_write(found) else ""


def _others_write(found: os.stat_result) -> bool:
    """Whether others can write; a group with the user as its only member does not count."""
    if found.st_mode & stat.S_IWOTH:
        return True
    return bool(found.st_mode & stat.S_IWGRP) and not _own_group(found.st_gid)


def _own_group(group: int) -> bool:
    import grp
    import pwd

    try:
        user = pwd.getpwuid(os.geteuid())
        return group == user.pw_gid and set(grp.getgrgid(group).gr_mem) <= {user.pw_name}
    except KeyError:
        return False
