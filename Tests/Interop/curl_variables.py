"""The variables of `curl -w` that a fetch has too."""

# Only other protocols have these, or they are always the same here.
CONSTANT = {"ftp_entry_path", "proxy_ssl_verify_result", "tls_earlydata", "urlnum"}
# What curl 8 counts and measures for its own list of URLs; it has the parts of the URL as well.
OF_LISTS = {"conn_id", "xfer_id", "time_queue", "time_posttransfer"}


def comparable(theirs: dict) -> dict:
    """What curl writes for `%{json}`, without what no fetch has."""
    theirs = {name: value for name, value in theirs.items()
              if name not in CONSTANT | OF_LISTS and not name.startswith(("url.", "urle."))}
    # curl 8 writes it in lower case.
    return theirs | {"scheme": theirs["scheme"].upper()}
