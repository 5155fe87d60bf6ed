"""A dialogue runs to its end in every way it can be driven, and long work apart from the loop holds up nobody."""

import asyncio
import threading
import time

import pytest

from tracewitness.asking.dialogue import Dialogue, settle, settle_async
from tracewitness.asking.port import Answer, Askers, Question, Side
from tracewitness.testing import ScriptedAsker

ASKED = Question(Side.TRACE, "p/1", "system", "user", '{"type": "object"}')


def reading(seconds: float = 0.0, threads: list[int] | None = None) -> Dialogue[str]:
    told: list[str] = []
    for number in range(2):
        if threads is not None:
            threads.append(threading.get_ident())
        time.sleep(seconds)
        (reply,) = yield (ASKED,)
        assert isinstance(reply, Answer)
        told.append(f"{number}: {reply.value['n']}")
    time.sleep(seconds)
    return ", ".join(told)


def askers() -> Askers:
    return Askers(None, ScriptedAsker([{"n": 1}, {"n": 2}]))


@pytest.mark.parametrize("apart", [False, True])
def test_every_way_of_driving_gives_the_same(apart: bool) -> None:
    assert settle(reading(), askers()) == "0: 1, 1: 2"
    assert asyncio.run(settle_async(reading(), askers(), apart=apart)) == "0: 1, 1: 2"


def test_work_apart_leaves_the_loop_free() -> None:
    async def beats() -> int:
        work = asyncio.create_task(settle_async(reading(0.2, threads), askers(), apart=True))
        count = 0
        while not work.done():
            count += 1
            await asyncio.sleep(0.005)
        assert await work == "0: 1, 1: 2"
        return count

    threads: list[int] = []
    assert asyncio.run(beats()) > 10
    assert threading.get_ident() not in threads


@pytest.mark.parametrize("apart", [False, True])
def test_a_reader_s_fault_comes_out(apart: bool) -> None:
    def broken() -> Dialogue[str]:
        yield (ASKED,)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        asyncio.run(settle_async(broken(), askers(), apart=apart))
