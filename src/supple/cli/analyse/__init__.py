"""`supple analyse`: one file per study."""
