"""Every view of the product by its template, with the addresses that show it. A new template must be added here
(test_layout checks that), so that the layout tests cover it."""

import re
from pathlib import Path

from support.server import ROOT

# The viewer of a view.
OWNER = {
    "accounts-start": ["/"],
    "accounts-settings": ["/account"],
    "accounts-edit": ["/account/edit"],
    "accounts-choice": ["/account/choices/maps", "/account/choices/appearance", "/account/choices/theme",
                        "/account/choices/language"],
    "accounts-devices": ["/account/sessions"],
    "accounts-password": ["/account/password"],
    "accounts-storage": ["/account/storage"],
    "accounts-access-tokens": ["/account/access-tokens"],
    "accounts-access-token-new": ["/account/access-tokens/new"],
    "accounts-delete": ["/account/delete"],
    "accounts-import": ["/account/import"],
    "accounts-proof": ["/account/proofs/export", "/account/proofs/email"],
    "accounts-popup": ["/account/fields/name", "/account/fields/phone", "/account/fields/email"],
    "accounts-entrance": ["/account/apps/family"],
    "accounts-pictures": ["/pictures"],
    "notifications-feed": ["/notifications"],
    "notifications-settings": ["/account/notifications"],
    "tracking-item-list": ["/tracking/items"],
    "tracking-item-new": ["/tracking/items/new"],
    "tracking-item-details": ["/tracking/items/{item}", "/tracking/items/{empty}"],
    "tracking-item-edit": ["/tracking/items/{item}/edit"],
    "tracking-item-delete": ["/tracking/items/{item}/delete"],
    "tracking-history": ["/tracking/items/{item}/fixes"],
    "tracking-people": ["/tracking/items/{item}/people"],
    "tracking-days": ["/tracking/items/{item}/days", "/tracking/items/{empty}/days"],
    "tracking-day": ["/tracking/items/{item}/days/2026-03-01"],
    "tracking-stays": ["/tracking/items/{item}/stays", "/tracking/items/{item}/stays?place={place}"],
    "tracking-map": ["/tracking/map"],
    "tracking-tracker": ["/tracking/items/{item}/tracker", "/tracking/items/{empty}/tracker"],
    "tracking-maps": ["/tracking/items/{item}/navigation"],
    "tracking-lost": ["/tracking/items/{item}/lost", "/tracking/items/{empty}/lost"],
    "tracking-label": ["/tracking/items/{item}/label", "/tracking/items/{empty}/label"],
    "tracking-finder-report": ["/tracking/items/{item}/finder-reports/{report}"],
    "tracking-live-links": ["/tracking/live-links"],
    "tracking-live-link-new": ["/tracking/live-links/new", "/tracking/live-links/new?item={item}"],
    "tracking-live-link": ["/tracking/live-links/{livelink}"],
    "tracking-my-position": ["/my-position"],
    "tracking-persons": ["/tracking/people"],
    "tracking-gone": ["/tracking/items/0190a1b2-c3d4-7000-8000-000000000001"],
    "tracking-settings": ["/tracking/settings"],
    "tracking-alerts": ["/tracking/alerts"],
    "tracking-safe-places": ["/tracking/safe-places"],
    "tracking-safe-place": ["/tracking/safe-places/{place}", "/tracking/safe-places/new?item={item}"],
    "tracking-geofences": ["/tracking/items/{item}/geofences", "/tracking/items/{empty}/geofences"],
    "tracking-geofence": ["/tracking/items/{item}/geofences/new", "/tracking/items/{item}/geofences/{rule}"],
    "tracking-alert": ["/tracking/alerts/{alert}"],
    "tracking-source-list": ["/tracking/sources"],
    "tracking-source-new": ["/tracking/sources/new", "/tracking/sources/new?kind=osmand"],
    "tracking-source": ["/tracking/sources/{source}"],
    "tracking-quarantine": ["/tracking/quarantine"],
    "carrepsa-list": ["/carrepsa/packages", "/carrepsa/packages?from=nowhere", "/carrepsa/packages?role=owner",
                      "/carrepsa/packages?role=owner&past=true", "/carrepsa/packages?role=carrier"],
    "carrepsa-new": ["/carrepsa/packages/new", "/carrepsa/packages/{offered}/edit"],
    "carrepsa-package": ["/carrepsa/packages/{offered}", "/carrepsa/packages/{travelling}",
                         "/carrepsa/packages/{carried}", "/carrepsa/packages/{done}",
                         "/carrepsa/packages/{others}"],
    "carrepsa-trips": ["/carrepsa/trips"],
    "carrepsa-trip-new": ["/carrepsa/trips/new", "/carrepsa/trips/{trip}/edit"],
    "carrepsa-trip": ["/carrepsa/trips/{trip}"],
    "carrepsa-recipient": ["/carrepsa/packages/{offered}/recipient", "/carrepsa/packages/{travelling}/recipient"],
    "carrepsa-profile": ["/carrepsa/profile"],
    "carrepsa-wallet": ["/carrepsa/wallet/entries"],
    "carrepsa-money": ["/carrepsa/money"],
    "carrepsa-person": ["/carrepsa/people/{neighbour}"],
    "carrepsa-messages": ["/carrepsa/packages/{travelling}/messages"],
    "carrepsa-message-report": ["/carrepsa/packages/{travelling}/messages/{message}/report"],
    "carrepsa-blocks": ["/carrepsa/blocks"],
    "carrepsa-message-reports": ["/carrepsa/message-reports"],
    "carrepsa-question": ["/carrepsa/packages/{offered}/questions/withdraw"],
    "carrepsa-disputes": ["/carrepsa/disputes"],
    "carrepsa-ledger": ["/carrepsa/ledger"],
    "admin-overview": ["/admin"],
    "admin-people": ["/admin/people", "/admin/people?search=nothing-like-it"],
    "admin-person": ["/admin/people/{neighbour}"],
    "admin-registration": ["/admin/registration"],
    "admin-invitations": ["/admin/invitations"],
    "admin-checks": ["/admin/checks"],
    "admin-backups": ["/admin/backups"],
    "admin-mail": ["/admin/mail"],
    "admin-providers": ["/admin/providers"],
    "admin-push": ["/admin/push"],
    "admin-ledger": ["/admin/ledger"],
    "admin-trackers": ["/admin/trackers"],
    "admin-tracker": ["/admin/trackers/{source}"],
    "admin-storage": ["/admin/storage"],
    "admin-quota": ["/admin/storage/{neighbour}"],
    "admin-wallets": ["/admin/wallets", "/admin/wallets?search=nothing-like-it"],
    "admin-wallet": ["/admin/wallets/{neighbour}"],
    "admin-payout-requests": ["/admin/payout-requests"],
    "admin-payment-instructions": ["/admin/payment-instructions"],
    "admin-jobs": ["/admin/jobs"],
    "admin-log": ["/admin/log"],
    "error": ["/account/nothing", "/carrepsa/nothing"],
}
# Pages that respond to forms: the page of the form, its action, and its fields.
POSTED = {
    "accounts-access-token-secret": ("/account/access-tokens/new", "/account/access-tokens",
                                     {"name": "Backup", "scopes": "tracking:read",
                                      "password": "correct horse battery"}),
    "tracking-source-set-up": ("/tracking/sources/new", "/tracking/sources", {"kind": "osmand"}),
    "carrepsa-code": ("/carrepsa/packages/{carried}", "/carrepsa/packages/{carried}/handover-codes",
                      {"step": "pickup"}),
}
SIGNED_OUT = {
    "accounts-sign-in": ["/sign-in"],
    "accounts-register": ["/register"],
    "accounts-forgotten": ["/forgotten-password"],
    "accounts-reset": ["{reset}"],
    "accounts-verification": ["/email-verifications/abcdefgh"],
    "accounts-link-gone": ["/password-resets/abcdefgh"],
    "accounts-invitation-gone": ["/invitations/abcdefgh"],
    "carrepsa-welcome": ["/carrepsa"],
    "carrepsa-delivery": ["{delivery}"],
    "carrepsa-delivery-gone": ["/deliveries/unknown"],
    "carrepsa-offer": ["{offer}"],
    "carrepsa-offer-gone": ["/offers/unknown/unknown"],
    "tracking-found": ["/found?e=nothing"],
    "tracking-found-item": ["{label}", "{unreported}"],
    "tracking-label-ended": ["{formerlabel}"],
    "tracking-own-report": ["{ownreport}"],
    "tracking-own-report-gone": ["/found/reports/unknown"],
    "tracking-live": ["{live}"],
    "tracking-live-gone": ["/live/unknown"],
    "offline": ["/offline"],
}
# Views of an account with a passcode.
GUARDED = {
    "accounts-lock-settings": ["/account/lock"],
    "accounts-passcode": ["/account/lock/passcode"],
    "accounts-lock-off": ["/account/lock/off"],
    "accounts-passkeys": ["/account/passkeys"],
    "accounts-touch-id": ["/account/touch-id"],
}
LOCKED = {"accounts-lock": ["/lock?return=/tracking/items"]}
# Views of a server with sign-in providers.
LINKED = {
    "accounts-sign-in": ["/sign-in", "/sign-in?provider=google&outcome=failed"],
    "accounts-register": ["/register?app=family"],
    "accounts-identities": ["/account/identities"],
    "accounts-link": ["/account/identities/oidc"],
}
LINKED_POSTED = {
    "accounts-departure": ("/account/identities/oidc", "/account/identities",
                           {"provider": "oidc", "password": "correct horse battery"}),
}
# Family's views, for a parent, for a child, and signed out.
PARENT = {
    "family-dashboard": ["/family"],
    "family-child": ["/family/children/{mia}", "/family/children/{ben}", "/family/children/{zoe}"],
    "family-menu": ["/family/menu", "/family/menu?for=account", "/family/children/{mia}/menu"],
    "family-person": ["/family/children/{mia}/edit", "/family/children/new", "/family/account/edit"],
    "family-contracts": ["/family/children/{mia}/contracts", "/family/children/{zoe}/contracts"],
    "family-contract-new": ["/family/children/{mia}/contracts/new"],
    "family-assignments": ["/family/children/{mia}/assignments"],
    "family-assign": ["/family/children/{mia}/assignments/new"],
    "family-code": ["/family/children/{mia}/sign-in-codes", "/family/children/{mia}/sign-in-codes?from=setup"],
    "family-devices": ["/family/children/{mia}/devices", "/family/children/{zoe}/devices"],
    "family-starter-chores": ["/family/starter-chores"],
    "family-setup": ["/family/setup/new"],
    "family-chores": ["/family/chores"],
    "family-schedule": ["/family/chores/{chore}/schedule", "/family/chores/{chore}/schedule?from=chores"],
    "family-pauses": ["/family/pauses"],
    "family-swaps": ["/family/swaps"],
    "family-today": ["/family/today"],
    "family-requests": ["/family/requests"],
    "family-tablets": ["/family/tablets"],
    "family-tablet-code": ["/family/tablets/codes"],
    "family-picture-pin": ["/family/children/{mia}/picture-pin"],
    "family-shop": ["/family/shop"],
    "family-reward": ["/family/shop/new", "/family/shop/{reward}/edit"],
    "family-purchases": ["/family/children/{mia}/purchases"],
    "family-purchase": ["/family/children/{mia}/purchases/{purchase}"],
    "family-chore": ["/family/chores/new", "/family/chores/{chore}/edit"],
    "family-account": ["/family/account"],
    "family-invite": ["/family/invitations"],
    "family-parent": ["/family/parents/{parent}"],
    "family-deleted-children": ["/family/deleted-children"],
    "family-deleted-child": ["/family/deleted-children/{deleted}"],
    "family-request-page": ["/family/children/{mia}/requests/{request}"],
    "tracking-person": ["/tracking/people/{mia}"],
}
CHILD = {
    "family-my": ["/family"],
    "family-my-shop": ["/family/shop"],
    "family-purchases": ["/family/children/{mia}/purchases"],
    "family-my-profile": ["/family/children/{mia}", "/family/children/{ben}"],
    "family-contracts": ["/family/children/{mia}/contracts"],
    "family-assignments": ["/family/children/{mia}/assignments"],
    "family-devices": ["/family/children/{mia}/devices"],
    "family-my-account": ["/family/account"],
    "family-my-edit": ["/family/account/edit"],
    "family-chore-done": ["/family/chores/{chore}/requests/new"],
    "family-swap-new": ["/family/children/{mia}/swaps/new"],
    "family-menu": ["/family/menu"],
    "tracking-my-position": ["/my-position"],
}
FAMILY_SIGNED_OUT = {
    "family-welcome": ["/family"],
    "accounts-register": ["/register?app=family"],
    "family-scan": ["/family/scan"],
    "family-join": ["/family/invitations/{invitation}"],
    "tracking-invitation": ["/tracking/invitations/unknown"],
    "family-sign-in": ["/family/sign-in?code={code}"],
    "family-code-dead": ["/family/sign-in?code=AAAAAAAAAAAAAAAAAAAAAA"],
    "family-tablet-pairing": ["/family/tablet/pairing?code={tablet_code}"],
    "family-tablet-code-invalid": ["/family/tablet/pairing?code=AAAAAAAAAAAAAAAAAAAAAA"],
}
# On a shared tablet.
TABLET = {
    "family-tablet": ["/family/tablet"],
    "family-tablet-child": ["/family/tablet/children/{mia}", "/family/tablet/children/{ben}"],
}
# Reached by an emailed link, so test_sensitive_acts.py covers it.
MAILED = {"accounts-undo": []}
# Shown by a server without an administrator, so test_setup.py covers it.
NEW_SERVER = {"accounts-setup": []}
ALL = [MAILED, NEW_SERVER, OWNER, POSTED, SIGNED_OUT, GUARDED, LOCKED, LINKED, LINKED_POSTED, PARENT, CHILD,
       TABLET, FAMILY_SIGNED_OUT]


def addresses(*tables):
    return [address for table in tables for places in table.values() for address in places]


def page_templates():
    """Returns the templates of whole pages."""
    files = Path(ROOT, "Sources").glob("*/Embedded/templates/*.mustache")
    return {file.stem for file in files if re.match(r"\s*\{\{<shell\}\}", file.read_text())}


def post(page, start, action, fields):
    """Submits a form like a browser without scripts, and shows the response."""
    page.goto(start)
    with page.expect_event("load"):
        page.evaluate("""([action, fields]) => {
            const form = Object.assign(document.createElement("form"), { method: "post", action });
            for (const [name, value] of Object.entries(fields)) {
                form.append(Object.assign(document.createElement("input"), { type: "hidden", name, value }));
            }
            document.body.append(form);
            form.submit();
        }""", [action, fields])
