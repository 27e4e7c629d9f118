"""Sample families with content for every view, for layout tests."""

import time

from support.carrepsa import act, post, trip_and_offer
from support.children import Child, Household
from support.items import HOME, lost_items, north, upload
from support.server import Person

THEMES = ["standard", "ocean", "forest", "sunset", "berry", "space", "candy"]


class SampleHousehold:
    """A parent with children, chores, contracts, points, requests, devices and history. `ids` fills in addresses."""

    def __init__(self, server, parent="Ada", children=("Mia", "Ben", "Zoé"), chores=None, reward=""):
        chores = chores or ["Set the table", "Walk the dog", "Dishes", "Tidy up", "Water the flowers", "Laundry"]
        self.server = server
        self.parent = Household(server, parent)
        self.parent.call("PATCH", "/account", {"avatarPictureId": self._avatars()[8]["id"]}, expect=200)
        self.children = [
            self.parent.child(name, theme=theme, avatarPictureId=self._avatars()[index * 2 + 4]["id"])
            for index, (name, theme) in enumerate(zip(children, ("ocean", "forest", "berry"), strict=True))
        ]
        self.chores = [self._chore(name) for name in chores]
        self._add_a_week_of_activity(reward)
        mia, ben, _ = self.children
        self.device = self._device(mia)
        deleted = self.parent.child(children[-1], avatarPictureId=self._avatars()[3]["id"])
        self.parent.call("DELETE", f"/family/children/{deleted['id']}", expect=204)
        rewards, purchases = self._fill_shop(mia, reward)
        self.ids = {
            "reward": rewards[2]["id"], "purchase": purchases[1]["id"],
            "deleted": deleted["id"],
            "mia": mia["id"], "ben": ben["id"], "zoe": self.children[2]["id"], "chore": self.chores[0]["id"],
            "parent": self.parent.call("GET", "/account", expect=200)["id"],
            "request": self.parent.call("GET", f"/family/children/{mia['id']}/requests", expect=200)["items"][0]["id"],
        }
        self._share_position()

    def _share_position(self):
        """Lets the parent see where the child is."""
        shared = {"personIds": [self.ids["parent"]], "duration": "1h"}
        self.device.call("POST", "/my-position/shares", shared, expect=201)
        here = {"latitude": HOME[0], "longitude": HOME[1], "accuracy": 12}
        self.device.call("PUT", "/my-position", here, expect=204)

    def _avatars(self):
        return self.parent.call("GET", "/pictures?builtin=true&limit=200", expect=200)["items"]

    def _chore(self, name):
        picture = upload(self.parent)
        return self.parent.call("POST", "/family/chores", {"name": name, "pictureId": picture}, expect=201)

    def _add_a_week_of_activity(self, reward):
        mia, ben, _ = self.children
        parent, chores = self.parent, self.chores
        parent.contract(mia, 5, [(f"{reward}Comic", 5)])
        for points in (3, 2):
            parent.gives(mia, chores[0], points)
        contract = parent.contract(
            mia, 10, [(f"{reward}Ice cream", 3), (f"{reward}Cinema", 3), (f"{reward}A day at the zoo", 4)])
        for chore, points in zip(chores[:3], (3, 2, 3), strict=True):
            last = parent.gives(mia, chore, points)
        parent.call("DELETE", f"/family/children/{mia['id']}/assignments/{last['id']}", expect=204)
        parent.gives(mia, chores[3], 2)
        parent.call("PUT", f"/family/children/{mia['id']}/contracts/{contract['id']}/levels/1/handover", expect=200)
        parent.contract(ben, 4, [(f"{reward}Swimming", 2), (f"{reward}Stay up late", 2)])
        for chore in chores[1:3]:
            parent.gives(ben, chore, 3)
        child = self._device(mia)
        for chore in (chores[4], chores[5]):
            child.call("POST", f"/family/children/{mia['id']}/requests", {"choreId": chore["id"]}, expect=201)

    def _fill_shop(self, mia, reward):
        """Adds rewards; the first is bought, the second waits for a parent."""
        picture = self.chores[1]["pictureId"]
        rewards = [
            self.parent.call("POST", "/family/shop", {"name": f"{reward}{name}", "price": price, **rest}, expect=201)
            for name, price, rest in [
                ("Bedtime story", 1, {"needsApproval": False, "stock": 3}), ("Film night", 3, {"cooldownDays": 7}),
                ("Swimming", 40, {"childIds": [mia["id"]], "pictureId": picture})]
        ]
        self.device.call("POST", f"/family/children/{mia['id']}/wishes", {"name": f"{reward}Kite"}, expect=201)
        self.device.call("PUT", f"/family/children/{mia['id']}/goal", {"rewardId": rewards[2]["id"]}, expect=200)
        path = f"/family/children/{mia['id']}/purchases"
        return rewards, [self.device.call("POST", path, {"rewardId": one["id"]}, expect=201) for one in rewards[:2]]

    def _device(self, child):
        """Signs in a device with the user agent of a tablet."""
        code = self.parent.code(child)["code"]
        tablet = {
            "User-Agent": "Mozilla/5.0 (iPad; CPU OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
                                "Version/17.5 Mobile/15E148 Safari/604.1"}
        status, _, answer = self.server.request("POST", "/family/sign-in", {"code": code}, headers=tablet)
        assert status == 201, (status, answer)
        return Child(self.server, answer)

    def code(self, name="mia"):
        return self.parent.call("POST", f"/family/children/{self.ids[name]}/sign-in-codes", {}, expect=201)

    def invitation(self):
        return self.parent.invitation()


def same_household(owner, other):
    """Puts both people into one family."""
    code = owner.call("POST", "/family/invitations", {"password": owner.password}, expect=201)["code"]
    other.call("POST", "/family/parents", {"code": code}, expect=201)


def in_all_apps(server):
    """Creates a household whose parent also has items and packages, and returns it with the addresses of those."""
    home = SampleHousehold(server, "Ada")
    ada = home.parent
    ada.call("PATCH", "/account", {"phone": "+49 151 23456789"}, expect=200)
    item = ada.add_item("Travelling bag", pictureId=upload(ada))
    secret = ada.add_osmand_tracker(item)
    ada.is_at(*HOME)
    for number in range(3):
        ada.report(secret, *north(number * 40), at=time.time() - 7200 + number * 600, batt=20)
    alert = ada.call("GET", "/notifications", expect=200)["items"][0]
    latitude, longitude = HOME
    place = ada.call("POST", "/tracking/safe-places", {
        "name": "Home", "latitude": latitude, "longitude": longitude, "radiusMetres": 150}, expect=201)
    rule = ada.call("POST", f"/tracking/items/{item['id']}/geofences", {
        "placeId": place["id"], "kind": "arrive"}, expect=201)
    source = ada.call("POST", "/tracking/sources", {"kind": "owntracks"}, expect=201)
    karl = Person(server, "Karl", phone="+49 151 98765432")
    for one in (ada, karl):
        one.call("GET", "/carrepsa/wallet", expect=200)
        assert server.command("wallet", "top-up", one.email, "900.00").returncode == 0
    offered, travelling = post(ada, "Bike helmet"), post(ada, "Rocking horse")
    carried, others = post(karl, "Cello"), post(karl, "Wardrobe")
    act(karl, travelling, "acceptance")
    act(ada, travelling, "pickup")
    act(ada, carried, "acceptance")
    recipient = ada.call("PUT", f"/carrepsa/packages/{travelling['id']}/recipient", {
        "name": "Mia", "contact": "+49 151 22222222", "address": "Am Markt 1\nBonn"}, expect=200)
    done = post(ada, "Lamp")
    act(karl, done, "acceptance")
    act(ada, done, "pickup")
    act(ada, done, "delivery")
    note = karl.call("POST", f"/carrepsa/packages/{travelling['id']}/messages", {"text": "At five"}, expect=201)
    home.ids |= {
        "delivery": recipient["url"].removeprefix(server.url),
        "item": item["id"], "empty": ada.add_item("Keys")["id"], "place": place["id"], "source": source["id"],
        "alert": alert["id"], "rule": rule["id"],
        "offered": offered["id"], "travelling": travelling["id"], "carried": carried["id"], "others": others["id"],
        "done": done["id"], "message": note["id"], "neighbour": karl.id, **trip_and_offer(ada, offered),
    }
    home.ids |= lost_items(ada, item, {"id": home.ids["empty"]})
    return home
