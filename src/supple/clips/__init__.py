"""Motion from files: point caches, Alembic, USD, glTF, sequences of OBJ files and arrays, and skeletons with their joints."""
