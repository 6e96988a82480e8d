"""Materials by everyday words: published values, and bodies made of them."""
