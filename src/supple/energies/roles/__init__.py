"""What only some terms do beside adding to a sum: one role a file, each a class that such terms inherit from as well."""
