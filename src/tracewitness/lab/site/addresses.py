"""Addresses that a page hands back to the server."""

from tracewitness.lab.site.served import Served


def safe_back(served: Served, address: object, otherwise: str) -> str:
    """Return an address to go back to, if it is one of this app; a page of anybody else is never gone to.

    Args:
        served: The world.
        address: What the page or form says.
        otherwise: Where to go if it says nothing of use.
    """
    if not isinstance(address, str) or len(address) > 500 or "\\" in address:
        return otherwise
    inside = address == served.home or address.startswith((f"{served.home}/", f"{served.home}?"))
    return address if inside and address.isprintable() else otherwise
