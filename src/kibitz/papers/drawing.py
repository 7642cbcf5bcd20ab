"""Which SVG may stand in a report: lines, shapes and words, and nothing that loads, runs, links or leaves its frame.

Results are files, and files come from anywhere; what is drawn here by `arena/plots.py` needs no more than this.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree

from kibitz.core.errors import BadInput

NAMESPACES = ("", "http://www.w3.org/2000/svg")
LINK = "{http://www.w3.org/1999/xlink}href"
ELEMENTS = {
    "svg", "g", "defs", "path", "text", "tspan", "use", "rect", "circle", "ellipse", "line", "polyline",
    "polygon", "clipPath", "pattern", "linearGradient", "stop",
}  # fmt: skip
LOOKS = {
    "fill", "fill-opacity", "fill-rule", "stroke", "stroke-width", "stroke-opacity", "stroke-linecap",
    "stroke-linejoin", "stroke-miterlimit", "stroke-dasharray", "stroke-dashoffset", "opacity", "font",
    "font-family", "font-size", "font-style", "font-weight", "font-variant", "font-stretch", "text-anchor",
    "dominant-baseline", "clip-path", "clip-rule", "stop-color", "stop-opacity",
}  # fmt: skip
STYLES = LOOKS | {"width", "max-width", "height", "color"}
ATTRIBUTES = LOOKS | {
    "style", "id", "d", "x", "y", "x1", "y1", "x2", "y2", "dx", "dy", "cx", "cy", "r", "rx", "ry", "width",
    "height", "points", "transform", "role", "viewBox", "version", "offset", "patternUnits", "patternTransform",
    "patternContentUnits", "clipPathUnits", "gradientUnits", "gradientTransform",
}  # fmt: skip
OUTSIDE = re.compile(r"url\((?!#)|[@\\<]|//|data:|javascript:|image-set|expression\(", re.IGNORECASE)
"""What an attribute could reach beyond the drawing with."""


def check_drawing(svg: str) -> None:
    """Refuse what is not one `<svg>` element of known shapes; the message says what stands in the way."""
    if not svg.startswith("<svg") or "<!" in svg or "<?" in svg:  # no entities, comments or sections: one reading only
        raise BadInput("a drawing is one <svg> element without declarations or comments")
    try:
        root = ElementTree.fromstring(svg)
    except (ElementTree.ParseError, ValueError, RecursionError) as problem:
        raise BadInput(f"a drawing is one <svg> element, and this is none: {problem}") from None
    if _local(root.tag) != "svg":
        raise BadInput("a drawing is one <svg> element")
    for element in root.iter():
        name = _local(str(element.tag))
        if name not in ELEMENTS:
            raise BadInput(f"a drawing has no <{name}>: there are {', '.join(sorted(ELEMENTS))}")
        for attribute, value in element.attrib.items():
            _check_attribute(name, attribute, value)


def _check_attribute(element: str, attribute: str, value: str) -> None:
    if attribute == LINK:
        if not value.startswith("#"):
            raise BadInput(f"<{element}> points to {value[:40]!r}: a drawing points into itself alone")
        return
    if attribute not in ATTRIBUTES:
        raise BadInput(f"<{element}> has no {attribute.rpartition('}')[2][:40]} in a drawing")
    if OUTSIDE.search(value):
        raise BadInput(f"{attribute} of <{element}> reaches out of the drawing: {value[:40]!r}")
    if attribute == "style":
        for part in value.split(";"):
            name = part.partition(":")[0].strip()
            if name and name not in STYLES:
                raise BadInput(f"<{element}> has no style {name[:40]} in a drawing")


def _local(tag: str) -> str:
    """The name of an SVG element; one of another language keeps its address and so is not known."""
    space, brace, name = tag.rpartition("}")
    return name if not brace or space[1:] in NAMESPACES else tag
