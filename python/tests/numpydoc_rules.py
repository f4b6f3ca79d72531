"""What docstrings must say: each parameter, in numpydoc's sections."""

import inspect
import re

import bayes


def public():
    """Return the public names of the package, methods too."""
    names = []
    for name in bayes.__all__:
        value = getattr(bayes, name)
        if not inspect.isclass(value) and not inspect.isfunction(value):
            continue
        names.append(name)
        if value is bayes.Classifier:
            names += [f"{name}.{m}" for m, f in vars(value).items() if not m.startswith("_") and (inspect.isfunction(f) or isinstance(f, classmethod))]
    return names


def missing(name):
    """Return what the docstring of a public name lacks."""
    value = bayes
    for part in name.split("."):
        value = getattr(value, part)
    text = inspect.getdoc(value) or ""
    lacks = [] if text.split("\n")[0].endswith((".", ":", "`.")) else ["a first sentence"]
    if inspect.isclass(value) and value is not bayes.Classifier:
        return lacks
    section = re.search(r"^Parameters\n-+\n(.*?)(?=^\w+\n-+\n|\Z)", text, re.MULTILINE | re.DOTALL)
    lines = re.findall(r"^(\S.*?) : ", section[1], re.MULTILINE) if section else []
    said = {word for line in lines for word in re.findall(r"\w+", line)}
    for parameter in inspect.signature(value).parameters:
        if parameter not in said and parameter != "self":
            lacks.append(parameter)
    if inspect.isfunction(value) and inspect.signature(value).return_annotation not in ("None", None) and "Returns\n---" not in text:
        lacks.append("Returns")
    return lacks
