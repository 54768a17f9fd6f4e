"""The report in a browser: it searches, sorts, opens proofs, asks nothing of elsewhere, and fits a small screen."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

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
    bar.get_by_role("button", name="on").click()
    assert not set(first) & set(wide.firsts("facts")) and "page 2 of" in bar.locator("output").inner_text()
    bar.get_by_role("button", name="back").click()
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


def test_it_can_be_read_at_400_pixels(browser: Browser, demo: Demo) -> None:
    watched = Watched(browser, demo, 400)
    watched.page.locator("#facts summary").first.click()
    assert watched.page.evaluate("document.documentElement.scrollWidth") <= 400
    assert watched.complaints == [] and watched.page.get_by_role("heading", name="Program").is_visible()
    watched.page.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_in_light_and_in_dark(browser: Browser, demo: Demo, scheme: str) -> None:
    watched = Watched(browser, demo, 800)
    watched.page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    ink = watched.page.evaluate(
        "(() => { const probe = document.createElement('p'); probe.style.color = 'CanvasText';"
        " document.body.append(probe);"
        " return [document.body, probe].map(each => getComputedStyle(each).color); })()"
    )
    assert ink[0] == ink[1] == ("rgb(255, 255, 255)" if scheme == "dark" else "rgb(0, 0, 0)")
    watched.page.close()
