"""The report in a browser: it searches, sorts, opens proofs, asks nothing of elsewhere, and fits a small screen."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from isolog.report.build import Contents, RuleRow, build
from support.browser import CHROMIUM
from support.demo import Demo

pytestmark = pytest.mark.browser
QUIET = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Debian's chromium, without a window."""
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=str(CHROMIUM), args=QUIET)
        yield started
        started.close()


class Watched:
    """The report, opened from the disk at a width, with what the browser complained about and asked for."""

    def __init__(self, browser: Browser, demo: Demo, width: int) -> None:
        self.page: Page = browser.new_page(viewport={"width": width, "height": 800})
        self.complaints: list[str] = []
        self.requests: list[str] = []
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.goto(demo.report.as_uri())

    def firsts(self, table: str) -> list[str]:
        """The first column of a table, as far as it is shown."""
        return self.page.locator(f"#{table} tbody tr td:first-child").all_inner_texts()


@pytest.fixture
def wide(browser: Browser, demo: Demo) -> Iterator[Watched]:
    """The report on a large screen; in the end nothing was wrong."""
    watched = Watched(browser, demo, 1200)
    yield watched
    assert watched.complaints == [] and watched.requests == [demo.report.as_uri()]
    watched.page.close()


def test_search_narrows_a_table(wide: Watched) -> None:
    assert len(wide.firsts("rules")) == 4
    wide.page.get_by_label("search rule").fill("GRANDPARENT")
    (kept,) = wide.firsts("rules")
    assert kept.startswith("grandparent(")
    wide.page.get_by_label("search fact or rule").fill("nothing has this name")
    assert wide.firsts("facts") == []


def test_a_click_on_a_head_sorts(wide: Watched) -> None:
    head = wide.page.locator("#facts th").first
    head.get_by_role("button").click()
    up = wide.firsts("facts")
    assert up == sorted(up) and head.get_attribute("aria-sort") == "ascending"
    head.get_by_role("button").press("Enter")
    down = wide.firsts("facts")
    assert down == sorted(down, reverse=True) and head.get_attribute("aria-sort") == "descending" and up != down


def test_large_tables_have_pages(wide: Watched) -> None:
    first = wide.firsts("facts")
    assert len(first) == 50
    bar = wide.page.locator("[data-for=facts]")
    bar.get_by_role("button", name="next").click()
    assert not set(first) & set(wide.firsts("facts")) and "page 2 of" in bar.locator("output").inner_text()
    bar.get_by_role("button", name="previous").click()
    assert wide.firsts("facts") == first


def test_a_proof_opens_as_a_picture(wide: Watched) -> None:
    wide.page.get_by_label("search fact or rule").fill("grandparent(")
    first = wide.page.locator("#facts tbody tr").first
    assert first.locator("svg").count() == 0
    first.locator("summary").focus()
    wide.page.keyboard.press("Enter")
    first.locator("svg").wait_for()
    assert first.locator("svg text").count() == 3
    assert first.locator("p.mono").inner_text().startswith("grandparent(X, Y) :- ")


def test_all_can_be_done_with_the_keyboard(wide: Watched) -> None:
    reached: list[str] = []
    for _ in range(40):
        wide.page.keyboard.press("Tab")
        reached.append(
            wide.page.evaluate("[document.activeElement.tagName, document.activeElement.textContent].join()")
        )
        assert wide.page.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none", reached[-1]
        if reached[-1].startswith("SUMMARY"):
            break
    kinds = [each.partition(",")[0] for each in reached]
    assert kinds.count("A") == 4 and kinds.count("INPUT") == 2 and kinds[-1] == "SUMMARY"
    assert {"BUTTON,Rule", "BUTTON,Derives", "BUTTON,Fact", "BUTTON,next"} <= {*reached}
    wide.page.keyboard.press("Enter")
    wide.page.locator("#facts details[open] svg").wait_for()
    wide.page.keyboard.press("Enter")
    assert wide.page.locator("#facts details[open]").count() == 0


def test_where_there_is_no_other_page_buttons_say_so(wide: Watched) -> None:
    back, on = (wide.page.locator("[data-for=facts] button").nth(place) for place in (0, 1))
    assert back.is_disabled() and on.is_enabled()
    while on.is_enabled():
        on.click()
    assert back.is_enabled() and len(wide.firsts("facts")) <= 50


def test_on_paper_there_are_all_rules_and_the_proofs_in_view(wide: Watched) -> None:
    wide.page.get_by_label("search fact or rule").fill("grandparent(")
    wide.page.evaluate("window.printed = 0; addEventListener('beforeprint', () => { window.printed += 1; })")
    assert wide.page.pdf(format="A4").startswith(b"%PDF") and wide.page.evaluate("window.printed") == 1
    assert wide.page.locator("#facts details[open]").count() == 0
    wide.page.emulate_media(media="print", color_scheme="dark")
    wide.page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert not wide.page.locator("nav").is_visible() and not wide.page.get_by_label("search rule").is_visible()
    told = wide.page.locator("[data-for=facts] output")
    assert told.is_visible() and "with “grandparent(”, page 1 of" in told.inner_text()
    assert wide.page.locator("#facts svg").count() == wide.page.locator("#facts tbody tr").count() == 50
    for shown in (*wide.page.locator("#rules td").all()[:4], wide.page.locator("#facts svg").last):
        assert shown.is_visible()
    assert wide.page.evaluate("getComputedStyle(document.body).color") == "rgb(0, 0, 0)"
    wide.page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert wide.page.locator("#facts details[open]").count() == 0


def test_all_pages_of_rules_are_printed(browser: Browser, tmp_path: Path) -> None:
    rules = [RuleRow(f"p{number}(X) :- q(X).", 1, number, None) for number in range(120)]
    file = tmp_path / "report.html"
    file.write_text(build(Contents("t", [], {}, rules, [], [], 0)), encoding="utf-8")
    page = browser.new_page()
    page.goto(file.as_uri())
    assert page.locator("#rules tbody tr").count() == 50
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator("#rules tbody tr").count() == 120
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator("#rules tbody tr").count() == 50
    page.close()


def test_it_can_be_read_at_400_pixels(browser: Browser, demo: Demo) -> None:
    watched = Watched(browser, demo, 400)
    watched.page.get_by_label("search fact or rule").fill("grandparent(")
    watched.page.locator("#facts summary").first.click()
    assert watched.page.evaluate("document.documentElement.scrollWidth") <= 400
    cells = [*watched.page.locator("#rules tr").last.locator("td").all()]
    cells += watched.page.locator("#facts tbody tr").first.locator("td").all()
    for cell in cells:
        box = cell.bounding_box()
        assert box is not None and box["x"] >= 0 and box["x"] + box["width"] <= 400 and cell.inner_text()
    rule = watched.page.locator("#rules td").first.bounding_box()
    assert rule is not None and rule["width"] > 300
    assert watched.complaints == [] and watched.page.get_by_role("heading", name="Program").is_visible()
    watched.page.close()


CONTRAST = """
selector => {
  const channels = color => color.match(/[\\d.]+/g).slice(0, 3).map(Number);
  const linear = v => v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4;
  const light = ([r, g, b]) => .2126 * linear(r / 255) + .7152 * linear(g / 255) + .0722 * linear(b / 255);
  const probe = document.createElement("p");
  probe.style.color = "Canvas";
  document.body.append(probe);
  const paper = channels(getComputedStyle(probe).color);
  const element = document.querySelector(selector), style = getComputedStyle(element);
  const ink = channels(element instanceof SVGElement ? style.fill : style.color);
  const seen = ink.map((value, place) => style.opacity * value + (1 - style.opacity) * paper[place]);
  const [darker, lighter] = [light(seen), light(paper)].sort((one, other) => one - other);
  return (lighter + .05) / (darker + .05);
}
"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_in_light_and_in_dark(browser: Browser, demo: Demo, scheme: str) -> None:
    watched = Watched(browser, demo, 800)
    watched.page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    watched.page.locator("#facts summary").first.click()
    background = watched.page.evaluate("getComputedStyle(document.documentElement).colorScheme")
    assert background == "light dark"
    for selector in ("p", "h2", ".note", ".card span", "#rules td", "#facts summary", ".chart text", ".proof text"):
        assert watched.page.evaluate(CONTRAST, selector) >= 4.5, selector
    watched.page.close()
