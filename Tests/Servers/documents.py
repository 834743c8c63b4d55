"""Looking into JSON documents whose exact shape is not the test's business."""


def find(document, *names):
    """The first member of one of these names, however deep; None without one."""
    if isinstance(document, dict):
        for name in names:
            if name in document:
                return document[name]
        found = (find(value, *names) for value in document.values())
        return next((value for value in found if value is not None), None)
    return None


def strings(document, part) -> list:
    """Every text member whose name contains `part`, however deep."""
    if not isinstance(document, dict):
        return []
    own = [value for name, value in document.items()
           if part in name.lower() and isinstance(value, str)]
    return own + [found for value in document.values() for found in strings(value, part)]
