"""Pictures of the gallery: plots for light and dark mode, strips of pictures, small films."""
