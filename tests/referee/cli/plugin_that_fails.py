raise RuntimeError("it fails when it is imported")
