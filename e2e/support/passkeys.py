"""Virtual authenticators of Chromium, which simulate a fingerprint reader."""


class Authenticator:
    """A platform authenticator of one page's browser. It confirms requests immediately. With `asks` the browser first
    shows its own dialog, as on a phone."""

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
        """Sets whether the finger is the right one."""
        self._set("setUserVerified", isUserVerified=known)

    def credentials(self):
        return self.session.send("WebAuthn.getCredentials", {"authenticatorId": self.id})["credentials"]

    def forget(self):
        self._set("clearCredentials")

    def take(self, credential):
        """Adds a credential of another authenticator, as synced passkeys do."""
        names = ("credentialId", "isResidentCredential", "rpId", "privateKey", "userHandle", "signCount")
        self._set("addCredential", credential={name: credential[name] for name in names})

    def remove(self):
        self._set("removeVirtualAuthenticator")


def without_suggestions(page):
    """Turns off passkey suggestions in the email field. With them, Chromium's virtual authenticator signs in
    automatically as soon as it can, before a test presses the button."""
    page.add_init_script(
        "if (window.PublicKeyCredential) PublicKeyCredential.isConditionalMediationAvailable = async () => false;")
