"""Bodies and obstacles at a time, as triangles with light and shadow, and the two renderers that draw them."""
