"""Settings of all tests."""

import gc
import os
import signal

from hypothesis import settings

# on a busy machine any example may take long, which is no failure
settings.register_profile("supple", deadline=None)
settings.load_profile("supple")
# runs of tests need not survive a power cut, and a checkpoint waits for the disk six times
os.fsync = lambda _: None
# nohup, under which tests may run, is respected by commands and inherited by their processes
signal.signal(signal.SIGHUP, signal.SIG_DFL)


def pytest_collection_finish() -> None:
    """Leave the tests and their modules out of garbage collections, which would visit millions of objects each time."""
    gc.collect()
    gc.freeze()
