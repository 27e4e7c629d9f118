"""Authenticators for browsers: the part of a phone that knows its owner's finger, simulated by Chromium itself."""


class Authenticator:
    """A platform authenticator of one page's browser. Its owner touches it at once. With `asks` the browser shows its own
    dialog before, as on a phone."""

    def __init__(self, page, knows_owner=True, asks=False):
        self.session = page.context.new_cdp_session(page)
        self.session.send("WebAuthn.enable", {"enableUI": asks})
        self.id = self.session.send("WebAuthn.addVirtualAuthenticator", {"options": {
            "protocol": "ctap2", "ctap2Version": "ctap2_1", "transport": "internal", "hasResidentKey": True,
            "hasUserVerification": True, "isUserVerified": knows_owner, "automaticPresenceSimulation": True,
            "defaultBackupEligibility": True, "defaultBackupState": True,
        }})["authenticatorId"]

    def _set(self, command, **values):
        self.session.send(f"WebAuthn.{command}", {"authenticatorId": self.id, **values})

    def knows_owner(self, known=True):
        """Whether the finger is the right one."""
        self._set("setUserVerified", isUserVerified=known)

    def credentials(self):
        return self.session.send("WebAuthn.getCredentials", {"authenticatorId": self.id})["credentials"]

    def forget(self):
        self._set("clearCredentials")

    def take(self, credential):
        """Holds a credential of another one from now on, as synced passkeys do."""
        names = ("credentialId", "isResidentCredential", "rpId", "privateKey", "userHandle", "signCount")
        self._set("addCredential", credential={name: credential[name] for name in names})

    def remove(self):
        self._set("removeVirtualAuthenticator")


def without_suggestions(page):
    """A browser that offers no passkeys among what it suggests for the email. With them, an authenticator that Chromium
    simulates signs in by itself as soon as it may, while a test is about to press the button."""
    page.add_init_script(
        "if (window.PublicKeyCredential) PublicKeyCredential.isConditionalMediationAvailable = async () => false;")
