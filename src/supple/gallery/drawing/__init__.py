"""How the pictures of the gallery look: plots for light and dark paper, strips of pictures, small films."""
