"""What makes a sick mesh sound: see `repair`."""
