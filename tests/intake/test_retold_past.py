"""What an agent did and thought before stays out of task and trace, in whatever prompt it is told again."""

import json
from pathlib import Path

import pytest
from made_logs import the_run

from timing import processor_seconds
from tracewitness.intake.retold_past import without_own_past

PAST = "The order was placed and all is well"
SCREEN = "button Save"

PROMPTS = {
    "Qwen": f"The user query: Buy a bag\nTask progress (You have done the following operation): Step 1: {PAST}; ",
    "Qwen with a request": "The user query: Buy a bag\n"
    "Task progress (You have done the following 1 operations out of 9): \n"
    f"{PAST}\n"
    "\n"
    "Before answering, explain your reasoning.",
    "Qwen shorter": f"The user query: Buy a bag\nTask progress: Step 1: {PAST}",
    "Mobile-Agent on pages": "Please generate the next move.\n"
    "\n"
    "Instruction: Buy a bag\n"
    "\n"
    "Previous actions:\n"
    f"Step 1: {PAST}",
    "History": f"Instruction: Buy a bag\n\nHistory:\nStep 1: {PAST}",
    "AppAgent": "The task you need to complete is to Buy a bag. "
    "Your past actions to proceed with this task are summarized as \n"
    f"follows: {PAST}\n"
    "Now, given the following labeled screenshot, you need to think.",
    "AndroidWorld": "The current user goal/request is: Buy a bag\n"
    "\n"
    "Here is a history of what you have done so far:\n"
    f"Step 1- {PAST}\n"
    "\n"
    "Here is a list of descriptions for some UI elements:\n"
    f"{SCREEN}",
    "Mobile-Agent": "### Background ###\n"
    "The user's instruction is: Buy a bag\n"
    "\n"
    "### Screenshot information ###\n"
    f"{SCREEN}\n"
    "\n"
    "### History operations ###\n"
    f"Step-1: {PAST}\n"
    "\n"
    "### Completed contents ###\n"
    f"{PAST}\n"
    "\n"
    "### Memory ###\n"
    f"{PAST}\n"
    "\n"
    "### Response requirements ###\n"
    "Answer.",
    "UI-TARS": f"## User Instruction\nBuy a bag\n\n## Action History\n{PAST}\n\n## Screen\n{SCREEN}",
    "pages": f"OBJECTIVE: Buy a bag\nPREVIOUS ACTION: {PAST}",
    "thought": f"Task: Buy a bag\nThought: {PAST}\nObservation:\n{SCREEN}",
}


@pytest.mark.parametrize("prompt", PROMPTS.values(), ids=PROMPTS)
def test_the_past_is_taken_out_and_the_rest_stays(prompt: str) -> None:
    kept, past = without_own_past(prompt)
    assert "order was placed" not in kept
    assert PAST in past
    assert "Buy a bag" in kept
    assert (SCREEN in kept) == (SCREEN in prompt)


@pytest.mark.parametrize(
    "words",
    [
        "Write a note with the text:\nHistory: the war began",
        "Summary: write me a poem about progress",
        "Notes:\n- buy milk",
        "# Notes\nAdd a line to it",
        "## Task\nBuy a bag\n## Notes\nIt is blue",
        "Delete my browsing history and the previous actions of the app",
        "Look at the plan: is it done?",
    ],
)
def test_what_people_ask_for_stays(words: str) -> None:
    assert without_own_past(words) == (words, "")


@pytest.mark.parametrize("prompt", PROMPTS.values(), ids=PROMPTS)
@pytest.mark.parametrize(
    "answer", ["I see.", 'Thought: t\n<tool_call>{"name": "mobile_use", "arguments": {"action": "wait"}}</tool_call>']
)
def test_no_chat_shows_it_to_any_side(tmp_path: Path, prompt: str, answer: str) -> None:
    said = [
        {"role": "user", "content": prompt},
        {"role": "assistant", "content": answer},
        {"role": "user", "content": prompt},
        {"role": "assistant", "content": answer},
        {"role": "user", "content": [{"type": "text", "text": prompt}]},
        {"role": "assistant", "content": "All is well."},
    ]
    log = tmp_path / "chat.json"
    log.write_text(json.dumps(said), encoding="utf-8")
    run = the_run(log)
    assert "order was placed" not in repr((run.task, run.trace, run.report))
    assert "Buy a bag" in run.task.instruction


@pytest.mark.parametrize(
    "piece", ["History:\n", "### Memory ###\n", "Task:\nThought: ", "## a\n", "Previous actions:\nNow, given\n"]
)
def test_prompts_are_read_in_a_time_that_grows_with_their_length(piece: str) -> None:
    def seconds(length: int) -> float:
        text = piece * (length // len(piece))
        return processor_seconds(lambda: without_own_past(text))

    assert seconds(400_000) < 12 * max(seconds(100_000), 0.05)
