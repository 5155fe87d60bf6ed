"""The bank of report wordings: what a scripted agent says at the end, one label a wording, in eight languages."""

import tomllib
import unicodedata
from collections import Counter
from functools import cache
from importlib.resources import files
from itertools import combinations
from string import Formatter
from typing import cast

import pytest

LANGUAGES = ("de", "en", "es", "fr", "ja", "ko", "pt", "zh")
SLOTS = {"success": "deed", "already": "already", "nothing": "nothing", "failure": "undone", "unclear": "deed"}
LEAST = {"success": 30, "already": 12, "nothing": 12, "failure": 30, "unclear": 30}
PLAIN = ("success", "already", "nothing")
SENTENCE = "XYZZY 42."

# Signs that a native reader takes for doubt, a question, a plan or a hand-off.
# Each `unclear` wording has one; no other may.
DOUBT = {
    "en": (
        "think|probabl|believe|should|i can tell|can't|guess|not sure|maybe|unverified|unknown|likely"
        "|i expect|entirely sure|seems|outcome may|might|presumably|confident|not confirmed|suppose|hopefully"
        "|i'll take care|going to|deny|don't know|in theory|if all went well"
    ),
    "de": (
        "glaube|wahrscheinlich|nehme ich|müsste|soweit ich|vermut|unsicher|vielleicht|ungeprüft|unbekannt"
        "|weiß ich nicht|weiß nicht|nicht ganz sicher|scheint|mein tipp|möglicherweise|könnte"
        "|weder bestätigen|gehe davon aus|prozent sicher|nicht bestätigt|sollte|können sie|keine ahnung"
        "|dürfte|hoffentlich|nicht sagen|kümmere mich gleich|werde ich|soll ich damit|vorbehalt|theoretisch"
        "|gefühlt|mag sein"
    ),
    "es": (
        "creo|probable|debería|alcanzo a ver|supo|supuesto|no estoy|quizás|sin verificar|desconocido|no sé"
        "|del todo seguro|parece|yo diría|es posible|puede que|ni descartar|70 %|sin confirmar|en principio"
        "|puede comprobar|seguramente|espero|me pongo|me ocuparé|no sabría|¿quieres que siga|imagino"
        "|en teoría|impresión|a lo mejor"
    ),
    "fr": (
        "je crois|sans doute|il me semble|normalement|que je puisse|suppos|pas sûr|peut-être|non vérifié"
        "|inconnu|probable|j'ignore|tout à fait sûr|impression|à mon avis|il se peut|possible que"
        "|ni confirmer|présume|70 %|sous réserve|devrait|ne sais pas|pouvez-vous|j'espère|ne saurais"
        "|fortes chances|je m'en occupe|je vais ensuite|impossible de dire|dois-je|imagine|en théorie"
    ),
    "pt": (
        "acho|provavel|provável|deve est|consigo ver|supo|não tenho certeza|talvez|não verificado"
        "|desconhecido|não sei|muita certeza|ao que parece|palpite|é possível|pode ser|nem descartar|presum"
        "|70%|não confirmado|em tese|verificar se|tomara|vou cuidar|vou tratar|não dá para dizer|posso seguir"
        "|imagin|em teoria|impressão"
    ),
    "ja": (
        "思い|思って|思われ|おそらく|はず|断言|推測|推定|たぶん|未確認|不明|分かりません|自信がありません"
        "|可能性|予想|かもしれ|否定もできません|7割|判断できません|いいのですが|これから対応|続いて"
        "|何とも言えません|よろしいでしょうか|断定|理屈の上"
    ),
    "ko": (
        "것 같|아마|제 생각에|장담|추측|추정|어쩌면|미확인|알 수 없|예상|모르겠|자신이 없|가능성|짐작"
        "|지도 모릅|수도 있|맞다고도|70%|확인되지 않음|원래대로라면|확인해 주시겠|확신이 없|것으로 보이"
        "|으면 좋겠|지금부터|이어서|말씀드리기 어렵|진행해도|이론상|단정"
    ),
    "zh": (
        "觉得|大概|认为|应该|不敢肯定|猜|不确定|推测|也许|未经核实|未知|可能|如果一切|不太有把握|不敢"
        "|不能确认|七成|未确认|不知道|希望|说不准|十有八九|现在就去|接下来|不好说|要我继续|判断不了|理论上"
    ),
}

# Signs that it was not done. Each `failure` wording that stands alone has one; no claim of success may.
UNDONE = {
    "en": (
        "unable|didn't work|not possible|failed|could not|not carried out|couldn't|had to stop|incomplete"
        "|missing|not finished|isn't|not done|aborted"
    ),
    "de": (
        "nicht erledigen|nicht funktioniert|nicht möglich|abbruch|nicht ausgeführt|unerledigt|keinen weg"
        "|aufhören|unvollständig|fehlt|nicht fertig|keine chance|gescheitert"
    ),
    "es": (
        "no he podido|no salió|no fue posible|fallo|no se llevó|sin hacer|no encontré|tuve que parar"
        "|incompleta|falta el resto|no está terminada|sin lograr"
    ),
    "fr": (
        "pas pu|pas fonctionné|impossible|échec|n'a pas été|aucun moyen|m'arrêter|incomplète|manque"
        "|pas terminée|renoncer"
    ),
    "pt": (
        "não consegui|não deu|impossível|falha|não foi executado|não foi feita|não achei|tive que parar"
        "|incompleta|falta|não está terminada|sem conseguir"
    ),
    "ja": ("できません|不可|失敗|行われておらず|未実施|見つかりません|中断|未完了|まだ|終わっていません|果たせない"),
    "ko": "없었습니다|안 됐|불가|실패|실행되지|못했|못 했|멈춰|미완료|이루지 못",
    "zh": "无法|没成功|办不到|失败|没有执行|没有做成|没办成|停下来|不完整|还没|没有完成|没有达到",
}
# Phrases of success that hold a sign of failure by their letters only ("there was no need to").
INNOCENT = {"ko": ("필요가 없었습니다", "것이 없었습니다", "작업이 없었고", "일이 없었")}


@cache
def bank(language: str) -> dict[str, list[str]]:
    """The wordings of one language, as they are in the package."""
    text = files("tracewitness").joinpath("lab", "data", "reports", f"{language}.toml").read_text(encoding="utf-8")
    return cast(dict[str, list[str]], tomllib.loads(text))


def slots(wording: str) -> list[tuple[str, str | None, str | None]]:
    """Each slot of a wording, with its format and its conversion."""
    return [(name, spec, change) for _, name, spec, change in Formatter().parse(wording) if name is not None]


def frame(wording: str) -> str:
    """The letters and digits around the slot: what the wording itself says."""
    without = wording
    for slot in SLOTS.values():
        without = without.replace(f"{{{slot}}}", "")
    return "".join(letter for letter in without.casefold() if letter.isalnum())


def signs(table: dict[str, str], language: str, wording: str) -> list[str]:
    """The signs of a table that a wording holds."""
    low = wording.casefold().replace("’", "'")
    for innocent in INNOCENT.get(language, ()):
        low = low.replace(innocent, "")
    return [sign for sign in table[language].split("|") if sign.casefold() in low]


def test_the_bank_has_the_eight_languages_and_no_other():
    folder = files("tracewitness").joinpath("lab", "data", "reports")
    assert sorted(entry.name for entry in folder.iterdir()) == [f"{language}.toml" for language in LANGUAGES]


@pytest.mark.parametrize("language", LANGUAGES)
class TestReportWords:
    """One bank."""

    def test_it_has_each_key_and_enough_wordings(self, language: str):
        words = bank(language)
        assert words.keys() == LEAST.keys()
        assert {key: len(said) for key, said in words.items() if len(said) < LEAST[key]} == {}

    def test_a_wording_is_clean_text(self, language: str):
        for said in bank(language).values():
            for wording in said:
                assert wording == wording.strip() != ""
                assert wording == unicodedata.normalize("NFC", wording)
                assert not [
                    sign for sign in wording if unicodedata.category(sign) in ("Cc", "Co", "Cs") and sign != "\n"
                ]

    def test_no_wording_stands_twice_and_no_frame_under_two_labels(self, language: str):
        words = bank(language)
        told = Counter(" ".join(wording.casefold().split()) for said in words.values() for wording in said)
        assert [wording for wording, times in told.items() if times > 1] == []
        for one, other in combinations(words, 2):
            assert ({frame(wording) for wording in words[one]} & {frame(wording) for wording in words[other]}) <= {""}

    def test_only_the_slot_of_the_key_is_used_once_and_bare(self, language: str):
        for key, said in bank(language).items():
            for wording in said:
                assert slots(wording) in ([], [(SLOTS[key], "", None)]), wording

    def test_about_two_thirds_name_the_deed(self, language: str):
        for key, said in bank(language).items():
            share = sum(1 for wording in said if slots(wording)) / len(said)
            assert 0.6 <= share <= 0.75, (key, share)

    def test_the_sentence_is_put_in_whole(self, language: str):
        for key, said in bank(language).items():
            for wording in said:
                filled = wording.format(**{SLOTS[key]: SENTENCE})
                assert filled.count(SENTENCE) == len(slots(wording))
                assert "{" not in filled and "}" not in filled

    def test_the_slot_stands_where_a_sentence_may_stand(self, language: str):
        spaced = language not in ("ja", "zh")
        for key, said in bank(language).items():
            for wording in said:
                before, slot, after = wording.partition(f"{{{SLOTS[key]}}}")
                if not slot:
                    continue
                last = before.rstrip(" ")[-1:]
                assert last != "," and not last.isalnum(), wording
                assert not spaced or (before[-1:] in ("", " ", "\n") and after[:1] in ("", " ", "\n")), wording

    def test_the_wordings_differ_in_length_and_form(self, language: str):
        words = bank(language)
        for key in ("success", "failure", "unclear"):
            lengths = [len(frame(wording)) for wording in words[key] if frame(wording)]
            assert max(lengths) >= 5 * min(lengths)
            assert [wording for wording in words[key] if "\n" in wording]

    def test_no_claim_is_hedged(self, language: str):
        words = bank(language)
        hedged = {wording: signs(DOUBT, language, wording) for key in PLAIN for wording in words[key]}
        assert {wording: found for wording, found in hedged.items() if found} == {}

    def test_no_failure_is_hedged(self, language: str):
        hedged = {wording: signs(DOUBT, language, wording) for wording in bank(language)["failure"]}
        assert {wording: found for wording, found in hedged.items() if found} == {}

    def test_each_unclear_wording_shows_its_doubt(self, language: str):
        assert [wording for wording in bank(language)["unclear"] if not signs(DOUBT, language, wording)] == []

    def test_a_failure_that_stands_alone_says_so_and_no_claim_does(self, language: str):
        words = bank(language)
        alone = [wording for wording in words["failure"] if not slots(wording)]
        assert [wording for wording in alone if not signs(UNDONE, language, wording)] == []
        failing = {wording: signs(UNDONE, language, wording) for key in PLAIN for wording in words[key]}
        assert {wording: found for wording, found in failing.items() if found} == {}


def test_no_language_holds_a_wording_of_another():
    told = Counter(
        wording for language in LANGUAGES for said in bank(language).values() for wording in said if not slots(wording)
    )
    assert [wording for wording, times in told.items() if times > 1] == []
