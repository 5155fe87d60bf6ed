"""Prompt files: they lie beside the reader that uses them and are known by their digest."""

import tomllib
from dataclasses import dataclass
from importlib.resources import files
from string import Template

from tracewitness.values.digests import Digest, digest_text


class PromptError(ValueError):
    """A prompt file is not in order; the message names the file and what is wrong."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """One prompt file.

    Attributes:
        prompt_id: Name and version, such as ``claim/1``.
        system: The system message.
        user: The user message, with ``$name`` where fenced text goes.
        digest: Digest of the file's text, written into every record that used it.
    """

    prompt_id: str
    system: str
    user: str
    digest: Digest

    def fill(self, **texts: str) -> str:
        """Return the user message with the texts put in, in one pass: a ``$name`` inside a text stays as it is.

        Raises:
            PromptError: A name of the template is missing among the texts, or the reverse.
        """
        template = Template(self.user)
        if set(template.get_identifiers()) != set(texts):
            wanted = ", ".join(sorted(template.get_identifiers()))
            raise PromptError(f"prompt {self.prompt_id}: it takes the texts {wanted}; got {', '.join(sorted(texts))}")
        return template.substitute(texts)


def parse_prompt(text: str, source: str) -> Prompt:
    """Read a prompt from the text of its TOML file (keys ``id``, ``system``, ``user``).

    Raises:
        PromptError: The text is not TOML, or a key is missing, unknown or no string.
    """
    try:
        fields = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise PromptError(f"{source}: not a TOML file ({error})") from error
    if set(fields) != {"id", "system", "user"} or not all(isinstance(value, str) for value in fields.values()):
        raise PromptError(f"{source}: expected exactly the texts id, system and user; got {', '.join(sorted(fields))}")
    return Prompt(fields["id"], fields["system"], fields["user"], digest_text(text))


def load_prompt(package: str, name: str) -> Prompt:
    """Read the prompt file ``name`` that lies in ``package``.

    Raises:
        PromptError: The file is missing or not in order.
    """
    try:
        text = files(package).joinpath(name).read_text(encoding="utf-8")
    except (FileNotFoundError, ModuleNotFoundError) as error:
        raise PromptError(f"{package}/{name}: there is no such prompt file") from error
    return parse_prompt(text, f"{package}/{name}")
