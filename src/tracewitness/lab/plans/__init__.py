"""What an agent does in an app, as data: operations on pages, one after the other."""
