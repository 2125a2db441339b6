"""Problems that do not come with the package, to test that a problem is one folder."""
