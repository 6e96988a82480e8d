"""Motion from glTF 2.0."""
