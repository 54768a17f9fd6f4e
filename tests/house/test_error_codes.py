"""Every error code that the source uses is explained in docs/errors.md, once, and nothing else is."""

import re
from pathlib import Path

import isolog

SOURCE = Path(isolog.__file__).parent
PAGE = SOURCE.parents[1] / "docs" / "errors.md"


def test_codes_and_page_agree() -> None:
    used = {code for path in SOURCE.rglob("*.py") for code in re.findall(r"\bE[1-7]\d\d\b", path.read_text("utf-8"))}
    explained = re.findall(r"^\| (E\d{3}) \|", PAGE.read_text("utf-8"), flags=re.M)
    assert len(explained) == len(set(explained))
    assert used == set(explained)
