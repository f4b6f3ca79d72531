"""The part that is written in Go, and what of it lives in one process.

The library is loaded when it is first used. Its runtime has threads, and a process that is
forked has none of them: there the library is loaded once more, from a copy of its file, and
models are restored from the bytes of their files. The parent writes these just before it forks.
"""

from __future__ import annotations

import ctypes
import glob
import os
import re
import tempfile
import threading
import weakref
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ._errors import BayesError

_pointer = ctypes.c_void_p
_handle = ctypes.c_size_t


class Texts(ctypes.Structure):
    """Strings one after the other, and where each ends."""

    _fields_ = [("n", ctypes.c_int64), ("all", ctypes.c_char_p), ("ends", _pointer)]
    _keep: Any

    @classmethod
    def of(cls, texts: Sequence[str] | None) -> Texts:
        if texts is None:
            return cls(-1, None, None)
        parts = encoded(texts)
        ends = np.cumsum(np.fromiter(map(len, parts), np.int64, len(parts)), dtype=np.int64)
        made = cls(len(parts), b"".join(parts), ends.ctypes.data)
        made._keep = ends
        return made


class Documents(ctypes.Structure):
    """Texts, or the cells of a matrix; of examples also labels and weights."""

    _fields_ = [
        ("texts", Texts),
        ("row_ends", _pointer),
        ("cells", _pointer),
        ("values", _pointer),
        ("labels", _pointer),
        ("weights", _pointer),
        ("names", Texts),
    ]

    def __init__(self, texts: Texts, **members: Any) -> None:
        super().__init__(texts=texts, **members)
        self.kept: list[Any] = [texts]  # what is pointed to


def encode(text: str) -> bytes:
    """Return a text in UTF-8; half of a surrogate pair, which is no character, as its bytes."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")


def encoded(texts: Sequence[str]) -> list[bytes]:
    try:
        return [t.encode() for t in texts]
    except UnicodeEncodeError:
        return [encode(t) for t in texts]


def _declare(lib: ctypes.CDLL) -> ctypes.CDLL:
    texts, documents = ctypes.POINTER(Texts), ctypes.POINTER(Documents)
    out, size = ctypes.POINTER(_pointer), ctypes.POINTER(ctypes.c_int64)
    made = ctypes.POINTER(_handle)
    signatures: dict[str, list[Any]] = {
        "new": [texts, texts, texts, texts, documents, made],
        "load": [ctypes.c_char_p, ctypes.c_int64, texts, made],
        "import": [ctypes.c_char_p, ctypes.c_char_p, texts, _pointer, texts, _pointer, made],
        "learn": [_handle, documents, ctypes.c_int],
        "predict": [_handle, documents, _pointer],
        "scores": [_handle, documents, ctypes.c_int, _pointer, ctypes.c_int64],
        "scores_text": [_handle, ctypes.c_char_p, ctypes.c_int64, ctypes.c_int, _pointer, ctypes.c_int64],
        "explain": [_handle, documents, ctypes.c_int64, out, size],
        "save": [_handle, out, size],
        "classes": [_handle, out, size],
        "describe": [_handle, out, size],
        "export": [_handle, out, size],
        "analyze": [_handle, ctypes.c_char_p, ctypes.c_int64, out, size],
    }
    for name, arguments in signatures.items():
        function = getattr(lib, "bayes_" + name)
        function.argtypes, function.restype = arguments, _pointer
    lib.bayes_predict_text.argtypes = [_handle, ctypes.c_char_p, ctypes.c_int64]
    lib.bayes_predict_text.restype = ctypes.c_int32
    lib.bayes_delete.argtypes, lib.bayes_delete.restype = [_handle], None
    lib.bayes_free.argtypes, lib.bayes_free.restype = [_pointer], None
    return lib


class _Process:
    """What this process has of the library: a forked one begins anew."""

    def __init__(self, generation: int, copy: _Copy | None) -> None:
        self.generation = generation  # how many forks there were since the library's own file was loaded
        self.copy = copy  # one which no process above has loaded
        self.lock = threading.Lock()
        self.lib: ctypes.CDLL | None = None

    def library(self) -> ctypes.CDLL:
        with self.lock:
            if self.lib is None:
                self.lib = _declare(self.load())
            return self.lib

    def load(self) -> ctypes.CDLL:
        if self.generation == 0:
            return ctypes.CDLL(_file())
        # The loader takes a file of the same name, or the same file, for what it has loaded already.
        copy, self.copy = self.copy, None
        if copy is not None and copy.is_open():
            try:
                return ctypes.CDLL(f"/proc/self/fd/{'./' * self.generation}{copy.descriptor}")
            finally:
                os.close(copy.descriptor)
        descriptor, path = tempfile.mkstemp(prefix="bayes")
        try:
            _copy(descriptor)
            return ctypes.CDLL(path)
        finally:
            os.close(descriptor)
            os.unlink(path)


class _Copy:
    """A copy of the library's file in memory, which all children share."""

    def __init__(self) -> None:
        self.descriptor = os.memfd_create("bayes")
        try:
            _copy(self.descriptor)
        except OSError:
            os.close(self.descriptor)
            raise
        self.inode = os.fstat(self.descriptor).st_ino

    def is_open(self) -> bool:
        """Whether the descriptor is still that of the copy: what makes itself a daemon closes all it has."""
        try:
            return os.fstat(self.descriptor).st_ino == self.inode
        except OSError:
            return False


def _file() -> str:
    found = glob.glob(os.path.join(glob.escape(os.path.dirname(__file__)), "_bayes.*"))
    if not found:
        raise ImportError("bayes was not built: its library is missing (hint: pip wheel ./python makes a package)")
    return found[0]


def _copy(to: int) -> None:
    """Copy the library's file to a descriptor."""
    with open(_file(), "rb") as file:
        while block := file.read(1 << 20):
            view = memoryview(block)
            while view:
                view = view[os.write(to, view) :]


_process = _Process(0, None)
# All there are, by id: a dictionary is copied in one step, whatever other threads do.
_cores: dict[int, weakref.ref[Core]] = {}


def _live() -> list[Core]:
    return [core for made in list(_cores.values()) if (core := made()) is not None]


def _before_fork() -> None:
    live = _live()
    for core in live:
        try:
            core.keep()
        except BayesError:
            pass  # another thread is deleting it
    if live and _process.copy is None and _process.lib is not None and hasattr(os, "memfd_create"):
        try:
            _process.copy = _Copy()
        except OSError:
            pass  # each child makes a copy of its own, on disk


def _after_fork() -> None:
    global _process
    loaded = _process.lib is not None
    _process = _Process(_process.generation + loaded, _process.copy)
    for core in _live():
        core.forget()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before_fork, after_in_child=_after_fork)


def _check(lib: ctypes.CDLL, message: int | None) -> None:
    if message:
        text = ctypes.string_at(message).decode("utf-8", "replace")
        lib.bayes_free(message)
        # Parameters are flags of the command, which is what messages speak of.
        raise BayesError(_FLAG.sub(lambda flag: flag[1].replace("-", "_"), text))


_FLAG = re.compile(r"--([a-z]+(?:-[a-z]+)*)")


def _texts(data: bytes) -> list[str]:
    n = int.from_bytes(data[:8], "little")
    ends = np.frombuffer(data, np.int64, n, 8).tolist()
    start = 8 + 8 * n
    return [data[start + a : start + b].decode("utf-8", "surrogatepass") for a, b in zip([0, *ends], ends)]


class Core:
    """A classifier in the library. It may be used by many threads, copied and pickled."""

    def __init__(self, kept: bytes | None, columns: Sequence[str] | None, handle: int = 0) -> None:
        self._handle = handle
        self._generation = _process.generation
        self._kept = kept  # the model file, unless it was changed since
        self._changes = 0  # how often it has begun or ended to learn
        self._lock = threading.Lock()  # of the two
        self._columns = columns
        _cores[id(self)] = weakref.ref(self)

    # What makes one.

    @staticmethod
    def new(
        flags: Sequence[str],
        vocabulary: Sequence[str] | None,
        labels: Sequence[str] | None,
        columns: Sequence[str] | None,
        documents: Documents | None,
    ) -> Core:
        return Core._made(
            columns,
            lambda lib, out: lib.bayes_new(
                Texts.of(flags),
                Texts.of(vocabulary),
                Texts.of(labels),
                Texts.of(columns),
                documents,
                out,
            ),
        )

    @staticmethod
    def load(file: bytes, columns: Sequence[str] | None = None) -> Core:
        core = Core._made(columns, lambda lib, out: lib.bayes_load(file, len(file), Texts.of(columns), out))
        core._kept = file
        return core

    @staticmethod
    def imported(
        space: str,
        event: str,
        labels: Sequence[str],
        weights: npt.NDArray[np.float64],
        terms: Sequence[str],
        sums: npt.NDArray[np.float64],
    ) -> Core:
        weights, sums = np.ascontiguousarray(weights, np.float64), np.ascontiguousarray(sums, np.float64)
        return Core._made(
            None,
            lambda lib, out: getattr(lib, "bayes_import")(
                space.encode(),
                event.encode(),
                Texts.of(labels),
                weights.ctypes.data,
                Texts.of(terms),
                sums.ctypes.data,
                out,
            ),
        )

    @staticmethod
    def _made(columns: Sequence[str] | None, make: Callable[[ctypes.CDLL, Any], int | None]) -> Core:
        lib = _process.library()
        out = _handle()
        _check(lib, make(lib, ctypes.byref(out)))
        return Core(None, columns, out.value)

    # Its life.

    def use(self) -> tuple[ctypes.CDLL, int]:
        """Return the library, and what the classifier is in it."""
        lib = _process.lib
        if self._handle and lib is not None:
            return lib, self._handle
        lib = _process.library()
        with _process.lock:
            if not self._handle:
                if self._kept is None:
                    raise BayesError("the classifier could not be kept when the process was forked")
                out = _handle()
                _check(lib, lib.bayes_load(self._kept, len(self._kept), Texts.of(self._columns), ctypes.byref(out)))
                self._handle, self._generation = out.value, _process.generation
        return lib, self._handle

    def keep(self) -> bytes:
        """Return the model file, and keep it until the classifier is changed."""
        kept = self._kept
        if kept is not None:
            return kept
        changes = self._changes
        kept = self._bytes("save")
        with self._lock:
            if self._changes == changes:
                self._kept = kept
        return kept

    def _change(self) -> None:
        with self._lock:
            self._changes += 1
            self._kept = None

    def forget(self) -> None:
        """Forget the handle, which is of a library that is gone, and the lock, whose owner may be gone."""
        self._handle, self._lock = 0, threading.Lock()

    def __del__(self) -> None:
        handle, self._handle = self._handle, 0
        if _cores is not None:
            _cores.pop(id(self), None)
        lib = _process.lib if _process is not None else None
        if handle and lib is not None and self._generation == _process.generation:
            lib.bayes_delete(handle)

    def __reduce__(self) -> tuple[Callable[..., Core], tuple[bytes, Sequence[str] | None]]:
        return Core, (self.keep(), self._columns)

    # What it does.

    def _bytes(self, function: str, *arguments: Any) -> bytes:
        lib, handle = self.use()
        data, n = _pointer(), ctypes.c_int64()
        _check(lib, getattr(lib, "bayes_" + function)(handle, *arguments, ctypes.byref(data), ctypes.byref(n)))
        try:
            return ctypes.string_at(data.value or 0, n.value) if n.value else b""
        finally:
            lib.bayes_free(data)

    def learn(self, documents: Documents, unlearn: bool = False) -> None:
        lib, handle = self.use()
        self._change()
        try:
            _check(lib, lib.bayes_learn(handle, documents, unlearn))
        finally:
            self._change()  # another thread may have kept what was there before

    def predict_text(self, text: str) -> int:
        """Return the index of the most probable class, -1 if there is none."""
        lib, handle = self.use()
        data = encode(text)
        i: int = lib.bayes_predict_text(handle, data, len(data))
        return i

    def predict(self, documents: Documents) -> npt.NDArray[np.int32]:
        lib, handle = self.use()
        out = np.empty(documents.texts.n, np.int32)
        _check(lib, lib.bayes_predict(handle, documents, out.ctypes.data))
        return out

    def scores(self, documents: Documents, kind: int, classes: int) -> npt.NDArray[np.float64]:
        lib, handle = self.use()
        out = np.zeros((documents.texts.n, classes))
        _check(lib, lib.bayes_scores(handle, documents, kind, out.ctypes.data, out.size))
        return out

    def scores_text(self, text: str, kind: int, classes: int) -> npt.NDArray[np.float64]:
        lib, handle = self.use()
        data = encode(text)
        out = np.zeros((1, classes))
        _check(lib, lib.bayes_scores_text(handle, data, len(data), kind, out.__array_interface__["data"][0], classes))
        return out

    def explain(self, documents: Documents, i: int) -> bytes:
        return self._bytes("explain", documents, i)

    def classes(self) -> list[str]:
        return _texts(self._bytes("classes"))

    def describe(self) -> bytes:
        return self._bytes("describe")

    def analyze(self, text: str) -> list[str]:
        data = encode(text)
        return _texts(self._bytes("analyze", data, len(data)))

    def export(self) -> tuple[npt.NDArray[np.float64], ...]:
        """Return ln P(c), the weights of classes, and of terms their weights, their sums and their names."""
        data = self._bytes("export")
        classes, terms = (int(n) for n in np.frombuffer(data, np.int64, 2))
        cells, at = classes * terms, 16 + 16 * classes
        values = np.frombuffer(data, np.float64, 2 * classes + 2 * cells, 16).copy()
        prior, weights = values[:classes], values[classes : 2 * classes]
        weight, sums = values[2 * classes :].reshape(2, classes, terms)
        names = np.array(_texts(data[at + 16 * cells :]), dtype=object)
        return prior, weights, weight, sums, names
