import os

from hypothesis import settings

# No deadlines: a slow machine is no bug. CI draws the same examples each time, so that a change is
# judged by its own faults; finding new ones is the nightly run's work.
settings.register_profile("local", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.register_profile("nightly", deadline=None, max_examples=5_000, print_blob=True)
settings.load_profile(
    os.environ.get("TEST_PROFILE") or ("ci" if os.environ.get("CI") else "local"),
)
