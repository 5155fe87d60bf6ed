"""The layouts in which exporters of OpenTelemetry write spans down, taken apart into single spans."""

from collections.abc import Iterator
from typing import Any, cast

from tracewitness.intake.untyped import list_of, object_of, objects_of, text_of

_RESOURCES = ("resourceSpans", "resource_spans", "batches")
_SCOPES = ("scopeSpans", "scope_spans", "instrumentationLibrarySpans", "ilSpans")
_TRACE_IDS = ("traceId", "trace_id", "traceID")
_SPAN_IDS = ("spanId", "span_id", "spanID")
_PARENTS = ("parentSpanId", "parent_span_id", "parent_id", "parentId", "parentSpanID")
_CONTEXTS = ("spanContext", "context", "_spanContext")
_DEEPEST = 8

Raw = dict[str, Any]


def holds_spans(value: Any) -> bool:
    """Tell whether a value is a document that holds spans in one of the layouts."""
    keys = object_of(value)
    if any(isinstance(keys.get(key), list) for key in _RESOURCES[:2]):
        return True
    if any(name in one for one in objects_of(keys.get("batches"))[:3] for name in _SCOPES):
        return True
    if any(is_span(one) for one in list_of(keys.get("spans"))[:3]):
        return True
    return any(is_span(span) for one in objects_of(keys.get("data"))[:3] for span in list_of(one.get("spans"))[:3])


def is_span(value: Any) -> bool:
    """Tell whether a value is one span: ids of a trace and of a span, a name, and attributes or tags."""
    keys = object_of(value)
    named = "name" in keys or "operationName" in keys
    described = any(isinstance(keys.get(key), dict | list) for key in ("attributes", "tags"))
    return named and described and bool(trace_id(keys)) and bool(span_id(keys)) and "run_type" not in keys


def raw_spans(value: Any, place: str) -> Iterator[tuple[str, Raw, Raw]]:
    """Yield the spans of a value: place, span, and the attributes of what wrote it."""
    keys = object_of(value)
    for name in _RESOURCES:
        for at, one in enumerate(list_of(keys.get(name))):
            yield from _of_resource(object_of(one), _joined(place, f"{name}[{at}]"))
    for at, one in enumerate(list_of(keys.get("data"))):
        yield from _listed(object_of(one).get("spans"), _joined(place, f"data[{at}].spans"), {})
    if is_span(keys):
        yield place, keys, attributes_of(object_of(keys.get("resource")).get("attributes"))
    else:
        yield from _listed(keys.get("spans"), _joined(place, "spans"), {})


def _of_resource(resource: Raw, place: str) -> Iterator[tuple[str, Raw, Raw]]:
    about = attributes_of(object_of(resource.get("resource")).get("attributes"))
    for name in _SCOPES:
        for at, scope in enumerate(objects_of(resource.get(name))):
            yield from _listed(scope.get("spans"), f"{place}.{name}[{at}].spans", about)


def _listed(spans: Any, place: str, about: Raw) -> Iterator[tuple[str, Raw, Raw]]:
    for at, span in enumerate(list_of(spans)):
        yield f"{place}[{at}]", object_of(span), about


def _joined(place: str, inner: str) -> str:
    return f"{place}, {inner}" if place else inner


def trace_id(span: Raw) -> str:
    """Return the id of the trace of a span; empty where it has none."""
    return _id(span, _TRACE_IDS)


def span_id(span: Raw) -> str:
    """Return the id of a span; empty where it has none."""
    return _id(span, _SPAN_IDS)


def parent_id(span: Raw) -> str | None:
    """Return the id of the span that a span ran in; None for the outermost."""
    contexts = (object_of(span.get("parentSpanContext")), object_of(span.get("parent")))
    inner = next((found for one in contexts if (found := _bare_id(one, _SPAN_IDS))), "")
    references = objects_of(span.get("references"))
    child_of = next((text_of(one.get("spanID")) for one in references if one.get("refType") == "CHILD_OF"), "")
    found = _bare_id(span, _PARENTS) or inner or child_of
    return found if found.strip("0") else None


def _id(span: Raw, keys: tuple[str, ...]) -> str:
    contexts = (object_of(span.get(name)) for name in _CONTEXTS)
    return next((found for one in (span, *contexts) if (found := _bare_id(one, keys))), "")


def _bare_id(keys: Raw, names: tuple[str, ...]) -> str:
    return next((found.removeprefix("0x") for name in names if (found := text_of(keys.get(name)))), "")


def attributes_of(value: Any) -> Raw:
    """Return attributes as an object: they are one already, or a list of keys with typed values."""
    if isinstance(value, dict):
        return cast(Raw, value)
    pairs = ((text_of(one.get("key")), _value(one.get("value"), 0)) for one in objects_of(value))
    return {key: found for key, found in pairs if key}


def _value(value: Any, depth: int) -> Any:
    """Return the value of a typed value of OTLP; numbers of 64 bits are written as texts."""
    keys = object_of(value)
    if not keys or depth > _DEEPEST:
        return None if value == {} else value
    listed = keys.get("arrayValue", keys.get("array_value"))
    if listed is not None:
        return [_value(one, depth + 1) for one in list_of(object_of(listed).get("values"))]
    pairs = keys.get("kvlistValue", keys.get("kvlist_value"))
    if pairs is not None:
        inner = objects_of(object_of(pairs).get("values"))
        return {text_of(one.get("key")): _value(one.get("value"), depth + 1) for one in inner}
    simple = ("stringValue", "intValue", "doubleValue", "boolValue", "bytesValue")
    simple = (*simple, "string_value", "int_value", "double_value", "bool_value", "bytes_value")
    return next((keys[key] for key in simple if key in keys), None)
