"""Who may connect to a page, what a client may say, and how often it is served."""
