"""Laws in principal stretches: their decomposition of F, stress and tangent, and the materials written in them."""
