"""Bodies of material points, and worlds that contain them."""
