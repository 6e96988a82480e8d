"""Materials by everyday words: published or typical values, and bodies made of them."""
