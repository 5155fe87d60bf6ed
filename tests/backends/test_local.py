"""A model file on this machine behind the port: with a stand-in for its runtime, and with a real small model."""

import asyncio
import json
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from fake_runtime import Finish, History, Runtime
from made_gguf import ENTRIES, gguf, write_gguf

from tracewitness.asking.capabilities import AnswerForm
from tracewitness.asking.port import Answer, Picture, Question, Side, Unavailable
from tracewitness.backends.local import CONTEXT_TOKENS, LocalAsker, LocalOptions, local_capabilities
from tracewitness.backends.local_engine import LocalModelError
from tracewitness.backends.missing import MissingPackageError
from tracewitness.findings.causes import UnavailableCause
from tracewitness.values.digests import digest_bytes

SCHEMA = json.dumps(
    {
        "type": "object",
        "properties": {"claim": {"enum": ["SUCCESS", "UNCLEAR"]}},
        "required": ["claim"],
        "additionalProperties": False,
    }
)


def question(user: str = "Done.", run_number: int = 0, **changes: Any) -> Question:
    return Question(Side.REPORT, "claim/1", "Read the claim.", user, SCHEMA, run_number, **changes)


@pytest.fixture
def runtime(monkeypatch: pytest.MonkeyPatch) -> Runtime:
    made = Runtime()
    monkeypatch.setitem(sys.modules, "openvino_genai", made.module())
    return made


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return write_gguf(tmp_path / "made.gguf")


def ask(asker: LocalAsker, one: Question | None = None) -> Answer | Unavailable:
    return asyncio.run(asker.ask(one or question()))


def cause(reply: Answer | Unavailable) -> UnavailableCause | None:
    return reply.cause if isinstance(reply, Unavailable) else None


def test_an_answer_is_read_and_counted(runtime: Runtime, file: Path) -> None:
    reply = ask(LocalAsker(file))
    assert isinstance(reply, Answer)
    assert (reply.value, reply.raw, reply.model) == ({"claim": "SUCCESS"}, '{"claim": "SUCCESS"}', "local:made.gguf")
    assert (reply.input_tokens, reply.output_tokens, reply.microusd, reply.tokens) == (11, 7, 0, ())
    (asked,) = runtime.asked
    assert asked.messages == [
        {"role": "system", "content": "Read the claim."},
        {"role": "user", "content": "Done."},
    ]
    assert (asked.max_new_tokens, asked.do_sample, asked.temperature, asked.rng_seed) == (1500, True, 0.7, 0)
    assert asked.structured_output_config == SCHEMA
    assert asked.extra == {}


def test_the_runs_of_a_vote_have_seeds_of_their_own(runtime: Runtime, file: Path) -> None:
    for number in range(3):
        ask(LocalAsker(file), question(run_number=number))
    assert [asked.rng_seed for asked in runtime.asked] == [0, 1, 2]


def test_without_temperature_nothing_is_drawn(runtime: Runtime, file: Path) -> None:
    ask(LocalAsker(file, LocalOptions(temperature=0)), question(run_number=3))
    assert (runtime.asked[0].do_sample, runtime.asked[0].rng_seed) == (False, None)


def test_thinking_aloud_is_allowed_for_and_never_read_as_the_answer(runtime: Runtime, file: Path) -> None:
    runtime.say = lambda _: '<think>{"claim": "UNCLEAR"} or not</think>\n{"claim": "SUCCESS"}'
    reply = ask(LocalAsker(file, LocalOptions(thinking=True, thinking_tokens=300, context_tokens=9000)))
    assert isinstance(reply, Answer)
    assert (reply.value, reply.raw.strip()) == ({"claim": "SUCCESS"}, '{"claim": "SUCCESS"}')
    (asked,) = runtime.asked
    assert (asked.structured_output_config, asked.max_new_tokens) == (None, 1800)
    assert asked.extra == {"enable_thinking": True}
    assert SCHEMA in asked.messages[0]["content"]


def test_a_thought_without_an_end_is_no_answer(runtime: Runtime, file: Path) -> None:
    runtime.say = lambda _: '<think>{"claim": "UNCLEAR"}'
    asker = LocalAsker(file, LocalOptions(thinking=True))
    assert cause(ask(asker)) is UnavailableCause.UNPARSABLE
    runtime.finish = Finish.LENGTH
    assert cause(ask(asker)) is UnavailableCause.ANSWER_CUT


def test_thinking_may_be_switched_off(runtime: Runtime, file: Path) -> None:
    ask(LocalAsker(file, LocalOptions(thinking=False)))
    assert runtime.asked[0].extra == {"enable_thinking": False}
    assert runtime.asked[0].structured_output_config == SCHEMA


@pytest.mark.parametrize(
    ("said", "finish", "expected"),
    [
        ("no object", Finish.STOP, UnavailableCause.UNPARSABLE),
        ('{"claim": "MAYBE"}', Finish.STOP, UnavailableCause.SCHEMA_VIOLATION),
        ('{"claim": "SUC', Finish.LENGTH, UnavailableCause.ANSWER_CUT),
        ("", Finish.STOP, UnavailableCause.UNPARSABLE),
    ],
)
def test_an_answer_of_no_use_tells_why_and_what_it_cost(
    said: str, finish: Finish, expected: UnavailableCause, runtime: Runtime, file: Path
) -> None:
    runtime.say, runtime.finish = lambda _: said, finish
    reply = ask(LocalAsker(file))
    assert isinstance(reply, Unavailable)
    assert (reply.cause, reply.input_tokens, reply.output_tokens, reply.microusd) == (expected, 11, 7, 0)
    assert "MAYBE" not in reply.detail


def test_a_question_that_does_not_fit_is_not_asked(runtime: Runtime, file: Path) -> None:
    long = question("word " * 2000)
    reply = ask(LocalAsker(file), long)
    assert isinstance(reply, Unavailable)
    assert reply.cause is UnavailableCause.CONTEXT_OVERFLOW
    assert "2004 tokens" in reply.detail and "2048 at once" in reply.detail
    assert runtime.asked == []
    assert isinstance(ask(LocalAsker(file, LocalOptions(context_tokens=8000)), long), Answer)


def test_an_answer_gets_no_more_room_than_the_context_has(runtime: Runtime, file: Path) -> None:
    ask(LocalAsker(file), question("word " * 1000))
    assert runtime.asked[0].max_new_tokens == 2048 - 1004


def test_a_file_that_tells_no_context_has_a_cautious_one(runtime: Runtime, tmp_path: Path) -> None:
    path = write_gguf(tmp_path / "made.gguf", entries={"general.architecture": "llama"})
    assert LocalAsker(path).capabilities.context_tokens == CONTEXT_TOKENS
    assert runtime.loaded == []


def test_a_template_without_system_messages_gets_one_message(runtime: Runtime, file: Path) -> None:
    runtime.system = False
    assert isinstance(ask(LocalAsker(file)), Answer)
    assert runtime.asked[0].messages == [{"role": "user", "content": "Read the claim.\n\nDone."}]


def test_an_answer_that_takes_too_long_is_stopped(runtime: Runtime, file: Path) -> None:
    runtime.say, runtime.seconds = lambda _: "word " * 500, 0.02
    started = time.monotonic()
    reply = ask(LocalAsker(file, LocalOptions(timeout=0.2)))
    assert cause(reply) is UnavailableCause.TIMEOUT
    assert time.monotonic() - started < 5


def test_waiting_for_others_is_no_time_of_ones_own(runtime: Runtime, file: Path) -> None:
    runtime.say, runtime.seconds = lambda _: '{"claim": "SUCCESS"} . . . .', 0.05
    asker = LocalAsker(file, LocalOptions(timeout=1.0))

    async def all_at_once() -> list[Answer | Unavailable]:
        return list(await asyncio.gather(*(asker.ask(question(run_number=number)) for number in range(6))))

    replies = asyncio.run(all_at_once())
    assert all(isinstance(reply, Answer) for reply in replies)
    assert runtime.together == 1
    assert len(runtime.loaded) == 1


def test_whoever_gives_up_waiting_stops_the_writing(runtime: Runtime, file: Path) -> None:
    runtime.say, runtime.seconds = lambda _: "word " * 2000, 0.02
    asker = LocalAsker(file)

    async def given_up() -> None:
        async with asyncio.timeout(0.3):
            await asyncio.gather(asker.ask(question()), asker.ask(question(run_number=1)))

    started = time.monotonic()
    with pytest.raises(TimeoutError):
        asyncio.run(given_up())
    assert time.monotonic() - started < 10
    assert len(runtime.asked) == 1


def test_a_failure_of_the_runtime_is_no_exception_and_quotes_nothing(runtime: Runtime, file: Path) -> None:
    def fails(history: History) -> str:
        raise RuntimeError(history.messages[-1]["content"])

    runtime.say = fails
    reply = ask(LocalAsker(file), question("Rosebud"))
    assert isinstance(reply, Unavailable)
    assert (reply.cause, reply.detail) == (UnavailableCause.INTERNAL, "the local model failed: RuntimeError")


def test_a_file_that_the_runtime_cannot_load_is_no_exception(runtime: Runtime, file: Path) -> None:
    runtime.loadable = False
    assert cause(ask(LocalAsker(file))) is UnavailableCause.INTERNAL


def test_pictures_are_refused(runtime: Runtime, file: Path) -> None:
    shown = Picture(digest_bytes(b"x"), "image/png", b"x")
    assert cause(ask(LocalAsker(file), question(pictures=(shown,)))) is UnavailableCause.INTERNAL
    assert runtime.loaded == []


def test_two_askers_of_one_file_share_the_loaded_model(runtime: Runtime, file: Path, tmp_path: Path) -> None:
    link = tmp_path / "link.gguf"
    link.symlink_to(file)
    for asker in (LocalAsker(file), LocalAsker(str(file), LocalOptions(temperature=0)), LocalAsker(link)):
        ask(asker)
    assert len(runtime.loaded) == 1


def test_another_content_under_the_same_name_is_another_model(runtime: Runtime, file: Path) -> None:
    before = LocalAsker(file)
    ask(before)
    write_gguf(file, entries={**ENTRIES, "general.name": "Another"})
    after = LocalAsker(file)
    ask(after)
    assert len(runtime.loaded) == 2
    assert before.parameters != after.parameters


def test_the_parameters_tell_all_that_bears_on_an_answer(runtime: Runtime, file: Path) -> None:
    told = json.loads(LocalAsker(file).parameters)
    assert told == {
        "context_tokens": 2048,
        "file": digest_bytes(gguf()),
        "form": "json_schema",
        "runtime": "openvino-genai 2026.4.test",
        "temperature": 0.7,
        "thinking": None,
        "thinking_tokens": 0,
    }
    varied = [
        LocalOptions(),
        LocalOptions(temperature=0.2),
        LocalOptions(thinking=True),
        LocalOptions(thinking=False),
        LocalOptions(context_tokens=99),
        LocalOptions(thinking=True, thinking_tokens=5),
    ]
    assert len({LocalAsker(file, options).parameters for options in varied}) == len(varied)
    assert LocalAsker(file, LocalOptions(timeout=5)).parameters == LocalAsker(file).parameters
    assert runtime.loaded == []


def test_what_it_can_do_is_known_without_loading_it(runtime: Runtime, file: Path) -> None:
    assert LocalAsker(file).capabilities == local_capabilities(2048)
    assert local_capabilities().form is AnswerForm.JSON_SCHEMA
    assert local_capabilities(thinking=True).form is AnswerForm.PLAIN_TEXT
    assert not local_capabilities().logprobs and not local_capabilities().images
    assert runtime.loaded == []


def test_tokens_are_counted_by_the_model(runtime: Runtime, file: Path) -> None:
    assert LocalAsker(file).count("one two three") == 3


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (None, "cannot be opened"),
        (b"", "no usable GGUF"),
        (b"PK\x03\x04zip", "no usable GGUF"),
        (gguf()[:-1], "cut off"),
    ],
)
def test_a_file_of_no_use_is_refused_in_one_clear_line(
    content: bytes | None, why: str, runtime: Runtime, tmp_path: Path
) -> None:
    path = tmp_path / "model.gguf"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(LocalModelError, match=why) as caught:
        LocalAsker(path)
    assert str(path) in str(caught.value) and "\n" not in str(caught.value)
    assert runtime.loaded == []


def test_a_folder_or_a_loop_of_links_is_refused(runtime: Runtime, tmp_path: Path) -> None:
    loop = tmp_path / "loop.gguf"
    loop.symlink_to(loop)
    for path in (tmp_path, loop):
        with pytest.raises(LocalModelError, match="cannot be opened"):
            LocalAsker(path)


def test_without_the_runtime_the_error_tells_how_to_install_it(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "openvino_genai", None)
    with pytest.raises(MissingPackageError, match=r"pip install 'tracewitness\[local\]'"):
        LocalAsker(file)


def test_a_bare_install_can_load_the_module() -> None:
    program = (
        "import sys; sys.modules['jsonschema'] = sys.modules['openvino_genai'] = None;"
        "import tracewitness.backends.local as local;"
        "from tracewitness.backends.missing import MissingPackageError\n"
        "try: local.LocalAsker(sys.argv[1])\n"
        "except MissingPackageError as error: print(error)"
    )
    with TemporaryDirectory() as folder:
        path = write_gguf(Path(folder) / "made.gguf")
        command = [sys.executable, "-c", program, str(path)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    assert "pip install 'tracewitness[local]'" in done.stdout


@pytest.fixture
def tiny(tiny_model_file: Path) -> Path:
    pytest.importorskip("openvino_genai", reason="the extra local is not installed")
    return tiny_model_file


def test_a_real_model_answers_in_the_asked_for_form(tiny: Path) -> None:
    asker = LocalAsker(tiny)
    reply = ask(asker, question("The report says: done, the alarm was deleted.", answer_tokens=60))
    assert isinstance(reply, Answer)
    assert reply.value["claim"] in {"SUCCESS", "UNCLEAR"}
    assert 20 < reply.input_tokens < 80
    assert 3 < reply.output_tokens <= 60
    assert reply.seconds > 0
    again = ask(asker, question("The report says: done, the alarm was deleted.", answer_tokens=60))
    assert isinstance(again, Answer)
    assert again.raw == reply.raw


def test_a_real_model_is_stopped_and_goes_on_afterwards(tiny: Path) -> None:
    free = json.dumps(
        {"type": "object", "properties": {"why": {"type": "string", "minLength": 3000}}, "required": ["why"]}
    )
    long = Question(Side.REPORT, "claim/1", "Tell a story.", "Go on.", free, answer_tokens=1500)
    assert cause(ask(LocalAsker(tiny, LocalOptions(timeout=1.0)), long)) is UnavailableCause.TIMEOUT
    short = Question(Side.REPORT, "claim/1", "Tell a story.", "Go on.", free, answer_tokens=20)
    assert cause(ask(LocalAsker(tiny), short)) is UnavailableCause.ANSWER_CUT
    assert isinstance(ask(LocalAsker(tiny), question(answer_tokens=60)), Answer)


def test_a_real_model_counts_exactly_and_knows_what_fits(tiny: Path) -> None:
    asker = LocalAsker(tiny)
    assert asker.capabilities.context_tokens == 8192
    assert asker.count("") == 0
    assert asker.count("hello world") == 2
    reply = ask(asker, question("word " * 9000))
    assert cause(reply) is UnavailableCause.CONTEXT_OVERFLOW


def test_a_real_model_with_a_schema_it_cannot_be_held_to(tiny: Path) -> None:
    odd = Question(Side.REPORT, "claim/1", "", "Go on.", '{"type": "nonsense"}', answer_tokens=20)
    assert cause(ask(LocalAsker(tiny), odd)) is UnavailableCause.INTERNAL


def test_a_real_model_that_is_cut_off_never_reaches_the_runtime(tiny: Path, tmp_path: Path) -> None:
    cut = tmp_path / "cut.gguf"
    shutil.copyfile(tiny, cut)
    with cut.open("r+b") as stream:
        stream.truncate(tiny.stat().st_size // 2)
    with pytest.raises(LocalModelError, match="cut off"):
        LocalAsker(cut)


def test_a_real_model_answers_from_several_threads(tiny: Path) -> None:
    replies: list[Answer | Unavailable] = []
    asker = LocalAsker(tiny)

    def work(number: int) -> None:
        replies.append(ask(asker, question(run_number=number, answer_tokens=60)))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(replies) == 3
    assert all(isinstance(reply, Answer) for reply in replies)
