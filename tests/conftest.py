"""Settings of all tests."""

from hypothesis import settings

# on a busy machine any example may take long, which is no failure
settings.register_profile("supple", deadline=None)
settings.load_profile("supple")
