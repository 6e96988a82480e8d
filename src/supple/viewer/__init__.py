"""The browser page: a running simulation or a recorded run. It reads frames, never solver internals."""
