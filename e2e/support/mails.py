"""Reading mails that the server has handed to a mail program (RFC 5322, MIME)."""

import email
import email.policy


def read_mail(file):
    """Returns a mail's headers and its decoded text."""
    message = email.message_from_bytes(file.read_bytes(), policy=email.policy.default)
    headers = "".join(f"{name}: {value}\n" for name, value in message.items())
    return f"{headers}\n{message.get_content()}"
