"""Settings of all tests."""

import gc
import os

from hypothesis import settings

# on a busy machine any example may take long, which is no failure
settings.register_profile("supple", deadline=None)
settings.load_profile("supple")
# runs of tests need not survive a power cut, and a checkpoint waits for the disk six times
os.fsync = lambda _: None


def pytest_collection_finish() -> None:
    """Leave the tests and their modules out of garbage collections, which would visit millions of objects each time."""
    gc.collect()
    gc.freeze()
