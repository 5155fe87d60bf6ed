"""The languages of the lab, and how each formats what it shows."""

LANGUAGES: tuple[str, ...] = ("en", "de", "es", "fr", "pt", "ja", "ko", "zh")
"""Every language that the lab speaks."""

LOCALES: dict[str, str] = {
    "en": "en_US",
    "de": "de_DE",
    "es": "es_ES",
    "fr": "fr_FR",
    "pt": "pt_BR",
    "ja": "ja_JP",
    "ko": "ko_KR",
    "zh": "zh_CN",
}
"""The locale by whose customs a language writes dates, times, numbers and money."""

CURRENCIES: dict[str, str] = {
    "en": "USD",
    "de": "EUR",
    "es": "EUR",
    "fr": "EUR",
    "pt": "BRL",
    "ja": "JPY",
    "ko": "KRW",
    "zh": "CNY",
}
"""The money of a language's shop."""
