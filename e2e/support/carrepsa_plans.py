"""Deliveries as lists of steps, with what each step must leave in the store: for tests that interrupt the server."""

from dataclasses import dataclass

REWARD, LOCK = 3, 7
# The other reward of an edited offer.
EDITED = 4


@dataclass(frozen=True)
class Step:
    """A request about a package."""
    who: str
    method: str
    path: str
    body: dict
    # What shows that it happened: "story" (an event of the history), "message", "review" or "recipient".
    kind: str
    name: str
    # The package's state afterwards.
    state: str
    # The change of the owner's and of the carrier's balance.
    owner: int = 0
    carrier: int = 0
    # The money in escrow afterwards.
    held: tuple = (REWARD, 0)
    # Whether the request says which version was read.
    reads: bool = False


def step(who, path, name, state, body=None, method="POST", kind="story", **effects):
    return Step(who, method, path, body or {}, kind, name, state, **effects)


CREATE = Step("owner", "POST", "", {
    "title": "Parcel", "from": "Aachen", "to": "Bonn", "weight": 1, "reward": REWARD, "moneyLock": LOCK},
    "story", "post", "available", owner=-REWARD)
TRAVELLING = {"state": "travelling", "held": (REWARD, LOCK)}


def to_pickup(reward=REWARD, extra=()):
    """Returns the steps from the acceptance to the pickup. An edited offer requires the version that was read."""
    held = (reward, LOCK)
    return [step("carrier", "/acceptance", "accept", "accepted", carrier=-LOCK, held=held, reads=reward != REWARD),
            *extra,
            step("owner", "/pickup", "confirmPickup", "travelling", held=held)]


def reviewed(picture):
    """A delivery of an edited offer with a recipient, who refuses it, photos, messages and reviews."""
    accepted, travelling = (EDITED, LOCK), {"state": "travelling", "held": (EDITED, LOCK)}
    photo = {"pictureId": picture, "note": "A dent"}
    return [
        CREATE,
        step("owner", "", "edit", "available", {**CREATE.body, "reward": EDITED}, "PUT", owner=REWARD - EDITED,
             held=(EDITED, 0)),
        step("owner", "/recipient", "Zoe", "available", {"name": "Zoe", "contact": "zoe@example.org"}, "PUT",
             "recipient", held=(EDITED, 0)),
        *to_pickup(EDITED, [step("carrier", "/proofs", "addProof", "accepted", photo, held=accepted)]),
        step("owner", "/messages", "Where are you?", body={"text": "Where are you?"}, kind="message", **travelling),
        step("carrier", "/messages", "In the train", body={"text": "In the train"}, kind="message", **travelling),
        step("recipient", "/instructions", "instruct", body={"leaveAt": "At the door"}, method="PUT", **travelling),
        step("recipient", "/refusal", "refuse", **travelling),
        step("carrier", "/proofs", "addProof", body=photo, **travelling),
        step("owner", "/delivery", "confirmDelivery", "delivered", carrier=LOCK + EDITED, held=(0, 0)),
        step("owner", "/reviews", "owner", "delivered", {"onTime": True, "text": "Good"}, kind="review", held=(0, 0)),
        step("carrier", "/reviews", "carrier", "delivered", {"careful": True}, kind="review", held=(0, 0)),
    ]


def disputed():
    """Returns the steps to a dispute in which both have written."""
    return [CREATE, *to_pickup(), step("owner", "/dispute", "dispute", body={"reason": "It is wet"}, **TRAVELLING),
            step("carrier", "/statements", "addStatement", body={"statement": "It was dry"}, **TRAVELLING)]


# The carrier gets 1 of the reward, and the owner 2 of the deposit.
SPLIT = {"rewardToCarrier": 1, "depositToOwner": 2}
SPLIT_MONEY = {"owner": REWARD - 1 + 2, "carrier": LOCK - 2 + 1, "held": (0, 0)}


def divided():
    """A dispute that ends with an accepted offer; an offer before it is taken back."""
    return [
        *disputed(),
        step("carrier", "/split-offer", "offerSplit", body={"rewardToCarrier": 3, "depositToOwner": 0}, **TRAVELLING),
        step("carrier", "/split-offer", "retractSplit", method="DELETE", **TRAVELLING),
        step("carrier", "/split-offer", "offerSplit", body={**SPLIT, "statement": "Half"}, **TRAVELLING),
        step("owner", "/split-offer/acceptance", "acceptSplit", "cancelled", reads=True, **SPLIT_MONEY),
    ]


def decided():
    """A dispute whose decision both accept. The second acceptance moves the money."""
    return [
        *disputed(),
        step("administrator", "/decision", "decideSplit", body={"outcome": "split", "note": "Half", **SPLIT},
             **TRAVELLING),
        step("owner", "/decision/acceptance", "acceptDecision", **TRAVELLING),
        step("carrier", "/decision/acceptance", "acceptDecision enforceSplit", "cancelled", **SPLIT_MONEY),
    ]


def appealed():
    """A dispute that another administrator decides again."""
    return [
        *disputed(),
        step("administrator", "/decision", "decideLost", body={"outcome": "lost", "note": "It is gone"}, **TRAVELLING),
        step("carrier", "/appeal", "appeal", body={"reason": "It is here"}, **TRAVELLING),
        step("owner", "/statements", "addStatement", body={"statement": "It isn't"}, **TRAVELLING),
        step("second", "/decision", "decideDelivered enforceDelivered", "delivered",
             {"outcome": "delivered", "note": "A photo shows it"}, carrier=LOCK + REWARD, held=(0, 0)),
    ]


def plain():
    """A delivery that the owner confirms."""
    return [CREATE, *to_pickup(),
            step("owner", "/delivery", "confirmDelivery", "delivered", carrier=LOCK + REWARD, held=(0, 0))]


def events(steps):
    """Returns the events of the history after the steps, each in its order."""
    return [event for one in steps if one.kind == "story" for event in one.name.split()]


def names(steps, kind):
    return [one.name for one in steps if one.kind == kind]
