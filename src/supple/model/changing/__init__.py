"""What changes with time: options whose numbers are curves, as drives of terms, and muscles."""
