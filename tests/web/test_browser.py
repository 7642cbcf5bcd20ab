"""Deals played in a real browser, by clicks and by keys alone."""

import pytest

from kibitz.core.game import names
from tests.web.driving import Person, Running, chromium, plain_server


@pytest.fixture(scope="module")
def browser():
    with chromium() as found:
        yield found


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with Running(tmp_path_factory.mktemp("browser"), workers=2) as running:
        yield running


@pytest.fixture(scope="module")
def plain(tmp_path_factory):
    with plain_server(tmp_path_factory.mktemp("plain")) as running:
        yield running


def check_page(person):
    """What must be true of every page: no error, nothing beyond the sides, names for everything that can be pressed."""
    assert not person.errors, person.errors
    page = person.page
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")
    nameless = page.evaluate(
        """[...document.querySelectorAll('button, input, select, a, [role=img]')]
        .filter(e => !e.closest('dialog:not([open])') &&
          !(e.getAttribute('aria-label') || e.textContent.trim() || e.labels?.length))
        .map(e => e.outerHTML.slice(0, 120))"""
    )
    assert not nameless, nameless
    small = page.evaluate(
        """[...document.querySelectorAll('button, select, summary')]
        .filter(e => e.offsetParent && !e.closest('.slot'))
        .map(e => [e.textContent, e.getBoundingClientRect()])
        .filter(([_, r]) => r.height < 24 || r.width < 24).map(([t, r]) => t + r.height)"""
    )
    assert not small, small
    faint = page.evaluate(CONTRAST)
    assert not faint, faint


CONTRAST = """() => {
  const light = (c) => {
    const f = c.map((x) => { x /= 255; return x <= 0.03928 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4; });
    return 0.2126 * f[0] + 0.7152 * f[1] + 0.0722 * f[2]; };
  const parse = (text) => (text.match(/[\\d.]+/g) || []).map(Number);
  const ground = (e) => { for (; e; e = e.parentElement) { const s = getComputedStyle(e), c = parse(s.backgroundColor);
    if (e.classList?.contains("felt")) return [35, 100, 74];
    if (c.length === 3 || c[3] > 0.6) return c.slice(0, 3); } return [255, 255, 255]; };
  const found = [];
  for (const e of document.querySelectorAll("p, h1, h2, span, button, th, td, li, b, label, summary")) {
    if (!e.offsetParent || e.disabled || e.closest("button[disabled], .count, svg, .dots, .chips")) continue;
    if (![...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim())) continue;
    const a = light(parse(getComputedStyle(e).color)), b = light(ground(e));
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) found.push(`${e.textContent.trim().slice(0, 30)} (${e.className}) ${ratio.toFixed(2)}`);
  }
  return found; }"""


def test_a_deal_of_coinche_by_clicks_with_a_hint_a_reload_and_a_review(server, browser):
    table = server.table("coinche", bot="coinche-simple")
    person = Person(browser).open(server.place + table["players"][0])
    page = person.page
    person.step("pass")
    while not page.locator(".ending, button.card.lit").count():
        person.step("pass")
    if not person.is_over():
        page.locator('[data-key="hint"]').click()
        page.wait_for_selector(".hint tr.best")
        person.step()
        number = person.number()
        page.reload()
        page.wait_for_selector(".felt")
        assert person.number() >= number
    person.play("pass")
    check_page(person)
    page.locator('[data-key="review"]').click()
    page.wait_for_selector(".review .decision, .review .soft")
    if page.locator(".decision .summary").count():
        page.locator(".decision .summary").first.click()
        heads = page.locator(".details thead th").all_text_contents()
        assert "What was known" in heads and "The true deal" in heads
        page.locator('[data-key^="belief-"]').click()
        page.wait_for_selector(".belief tbody tr")
        page.locator('[data-key^="try-"]').click()
        page.locator('[data-key^="answer-"]').first.click()
        page.wait_for_selector(".decision p")
    check_page(person)
    person.context.close()


def test_a_deal_of_cheat_by_clicks_on_a_phone_in_the_dark(server, browser):
    table = server.table("cheat", bot="cheat-heuristic", max_turns="200")
    person = Person(browser, 360, 740, "dark").open(server.place + table["players"][0])
    person.step()
    check_page(person)
    person.play("trust", most=6)
    check_page(person)
    person.context.close()


def test_a_deal_of_leduc_by_keyboard_alone(server, browser):
    table = server.table("leduc", bot="leduc-rule")
    person = Person(browser).open(server.place + table["players"][0])
    page = person.page
    for _ in range(10):
        page.wait_for_selector(".ending, .status.turn")
        if person.is_over():
            break
        before = person.number()
        for _ in range(40):
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement.matches('[data-call]')"):
                break
        page.keyboard.press("Enter")
        page.wait_for_function(
            "n => document.querySelector('.ending') || Number(document.querySelector('main').dataset.n) !== n",
            arg=before,
        )
    assert person.is_over()
    page.keyboard.press("n")
    page.wait_for_selector(".status")
    check_page(person)
    person.context.close()


def test_two_people_in_two_browsers_and_one_who_looks_on_at_kuhn(server, browser):
    table = server.table("kuhn", people=2)
    people = [Person(browser).open(server.place + link) for link in table["players"]]
    watcher = Person(browser).open(server.place + table["watch"])
    assert watcher.page.locator("button.card").count() == 0 and watcher.page.locator(".fan:not(.open)").count() == 2
    for _ in range(6):
        for person in people:
            if person.page.locator(".status.turn").count():
                person.step()
        if all(person.is_over() for person in people):
            break
        people[0].page.wait_for_timeout(100)
    assert all(person.is_over() for person in people)
    watcher.page.wait_for_selector(".fan.open")
    for person in (*people, watcher):
        check_page(person)
        person.context.close()


def test_a_table_is_opened_in_the_lobby_and_records_are_replayed(server, browser, tmp_path):
    person = Person(browser, lang="de")
    page = person.page
    page.goto(f"{server.place}/#{server.server.token}")
    page.locator('[data-key="game-kuhn"]').click()
    page.locator('[data-key="start"]').click()
    page.wait_for_selector(".felt")
    assert "Du bist dran" in page.content() or "ist dran" in page.content() or person.is_over()
    person.play()
    with page.expect_download() as kept:
        page.locator('[data-key="download"]').click()
    file = tmp_path / "kept.jsonl"
    kept.value.save_as(file)
    page.locator(".brand").click()
    page.wait_for_selector("#file", state="attached")
    page.locator("#file").set_input_files(file)
    page.wait_for_selector(".replay")
    page.keyboard.press("ArrowRight")
    page.wait_for_function("() => document.querySelector('.ply span').textContent.startsWith('Zug 1')")
    page.locator('[data-key="seat"]').select_option("1")
    page.wait_for_selector(".mine")
    assert not person.errors
    person.context.close()


def test_a_name_is_shown_as_it_is_written(server, browser):
    table = server.ask("/api/tables", {
        "game": "kuhn", "seats": [{"kind": "person", "name": "<b>Eve</b>"}, {"kind": "bot", "spec": "random"}],
        "pace": 0,
    })  # fmt: skip
    person = Person(browser).open(server.place + table["players"][0])
    assert person.page.locator(".own .name").text_content() == "<b>Eve</b>"
    person.context.close()


DEALS: dict[str, dict[str, str]] = {name: {} for name in names()} | {
    name: {"max_turns": "30"} for name in names() if name.startswith("cheat")
}
"""Every game with the options it is clicked through with: a game that could go on for long ends."""
AT_ONCE = (
    "collaborative-kuhn-noisy", "cheat-tiny", "skat", "cego", "cego-standard", "hearts", "euchre", "belote",
)  # fmt: skip


def check_deal(server, browser, name, width=1280, scheme="light", **options):
    """A deal to its end by clicks; the page is looked at before, in the middle and at the end."""
    table = server.table(name, bot="random", **DEALS[name], **options)
    person = Person(browser, width, 800, scheme).open(server.place + table["players"][0])
    person.step()
    check_page(person)
    person.play()
    assert person.is_over()
    check_page(person)
    person.context.close()


@pytest.mark.parametrize("name", AT_ONCE)
def test_a_deal_to_its_end_by_clicks(plain, browser, name):
    check_deal(plain, browser, name)


@pytest.mark.slow
@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize(("width", "scheme"), [(360, "dark"), (360, "light"), (1280, "light"), (2560, "dark")])
def test_a_deal_of_every_game_by_clicks(plain, browser, name, width, scheme):
    check_deal(plain, browser, name, width, scheme)


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("players", ["2", "4", "8"])
def test_up_to_eight_seats_at_cheat(plain, browser, players, scheme):
    check_deal(plain, browser, "cheat", 360, scheme, players=players, decks="2" if players == "8" else "1")


def test_eight_seats_on_a_phone_do_not_lie_on_each_other(plain, browser):
    table = plain.table("cheat", players="8", decks="2", bot="random", max_turns="30")
    person = Person(browser, 360, 740).open(plain.place + table["players"][0])
    person.page.wait_for_selector(".ending, .status.turn")
    check_page(person)
    assert not person.page.evaluate(OVERLAPS)
    person.page.set_viewport_size({"width": 1280, "height": 800})
    assert not person.page.evaluate(OVERLAPS)
    person.context.close()


OVERLAPS = """() => {
  const all = [...document.querySelectorAll(".plate, .contract")].map((e) => e.getBoundingClientRect());
  return all.some((a, k) => all.slice(k + 1).some((b) =>
    a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom));
}"""


def test_a_browser_without_sockets_is_told_so(plain, browser):
    table = plain.table("kuhn")
    person = Person(browser)
    person.context.add_init_script("delete window.WebSocket")
    person.page.goto(plain.place + table["players"][0])
    person.page.wait_for_selector(".plain")
    assert "has no WebSocket" in person.page.locator(".plain").text_content() and not person.errors
    person.context.close()


def test_a_link_to_a_game_that_is_not_there_says_what_would_be_right(plain, browser):
    person = Person(browser)
    page = person.page
    page.goto(f"{plain.place}/?game=skta#{plain.server.token}")
    page.wait_for_selector("#toast.shown")
    assert "did you mean skat" in page.locator("#toast").text_content()
    page.goto(f"{plain.place}/?game=kuhn&bot=nobody#{plain.server.token}")
    page.locator('[data-key="start"]').click()
    page.wait_for_function("() => document.querySelector('dialog .bad').textContent.includes('there is no bot nobody')")
    page.goto(f"{plain.place}/t/12345678#{'0' * 32}")
    page.wait_for_selector(".plain")
    assert "there is no such table" in page.locator(".plain").text_content()
    person.context.close()
