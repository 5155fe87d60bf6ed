"""Words as a picture: they are on the screen, and neither in the page's text nor in its accessibility tree."""

from html import escape

from starlette.responses import Response


def words_as_picture(text: str) -> Response:
    """Return a picture of a text."""
    picture = (
        '<svg xmlns="http://www.w3.org/2000/svg" width="560" height="48">'
        f'<text x="4" y="30" font-family="sans-serif" font-size="15">{escape(text)}</text></svg>'
    )
    return Response(picture, media_type="image/svg+xml")
