"""Administrators of a server."""

from support.pages import words
from support.server import Person


def administrator_of(server):
    ada = Person(server, "Ada")
    # Anyone can register with another person's address, so the command accepts only ids of unconfirmed accounts.
    granted = server.command("account", "operator", ada.id)
    assert granted.returncode == 0, granted.stderr
    return ada


def give_proof(page, person):
    """Gives the proof for sensitive acts from a page that requires it."""
    page.get_by_role("link", name=words("Confirm that it’s you")).click()
    page.get_by_label("Password", exact=True).fill(person.password)
    page.get_by_role("button", name=words("Continue")).click()


def prove_by_request(person):
    """Gives the same proof for the session of the person's requests."""
    person.call("POST", "/account/proofs/administration", {"password": person.password}, expect=201)
