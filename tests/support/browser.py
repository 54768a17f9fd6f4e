"""Where the browser is that some tests open pages in."""

from pathlib import Path

CHROMIUM = Path("/usr/bin/chromium")
