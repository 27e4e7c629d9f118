import Accounts
import Kernel
import Notifications
import Storage
import TestSupport
import Testing

@testable import Tracking

/// Two people who share a household, as Family would say.
private struct SharedHousehold: HouseholdPeopleReader {
    let people: [PersonID: String]

    func adults(with person: PersonID, in tx: Transaction) throws -> [HouseholdPerson] {
        people.keys.contains(person)
            ? people.filter { $0.key != person }.map { HouseholdPerson(id: $0.key, name: $0.value) } : []
    }

    func timeZone(of person: PersonID, in tx: Transaction) throws -> String? { nil }
}

@Suite("Sharing items")
struct SharingTests {
    @Test("An invitation adds one person with its access, once", arguments: Engine.allCases)
    func invitation(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person("Ada")
            let ben = try await fixture.person("Ben")
            let cleo = try await fixture.person("Cleo")
            let item = try await fixture.item("Bike", of: ada).item.id
            let code = try await fixture.invite(to: item, .locate, by: ada)
            let preview = try await fixture.tracking.itemInvitations.preview(ofCode: code, clientAddress: "192.0.2.1")
            #expect(preview == ItemInvitationPreview(itemName: "Bike", inviterName: "Ada", access: .locate))
            #expect(try await fixture.accept(code, by: ben) == item)
            let second = await fixture.code { try await fixture.accept(code, by: cleo) }
            #expect(second == .notFound)
            let seen = try await fixture.tracking.items.item(item, for: ben)
            #expect(seen.access == .locate && seen.ownerName == "Ada" && seen.item.name == "Bike")
            #expect(try await fixture.people(of: item, for: ben) == ["Ada": .own, "Ben": .locate])
            #expect(try await fixture.notices().map(\.details["event"]) == ["joined"])
            #expect(
                try await fixture.tracking.items.list(
                    for: ben, order: .name, search: nil, after: nil, limit: 50
                ).items.map(\.item.id) == [item])
        }
    }

    @Test("Each access allows what it says, and no more", arguments: Engine.allCases)
    func access(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person("Ada")
            let item = try await fixture.item("Bike", of: ada).item.id
            let eve = try await fixture.person("Eve")
            let people: [(Actor, ItemAccess?)] = [
                (ada, .own), (try await fixture.member(.manage, of: item, by: ada), .manage),
                (try await fixture.member(.locate, of: item, by: ada), .locate),
                (try await fixture.member(.see, of: item, by: ada), .see), (eve, nil),
            ]
            for (actor, access) in people {
                for required in ItemAccess.allCases {
                    let expected: AppError.Code? =
                        access == nil ? .notFound : access.map { $0 >= required ? nil : .forbidden } ?? nil
                    let answer = await fixture.code {
                        _ = try await fixture.tracking.items.item(item, for: actor, requires: required)
                    }
                    #expect(answer == expected, "\(String(describing: access)) \(required)")
                    let locked = await fixture.code {
                        try await fixture.database.write { tx in
                            _ = try ItemStore.lock(item, of: actor.person, requires: required, in: tx)
                        }
                    }
                    #expect(locked == expected)
                }
            }
        }
    }

    @Test("A manager shares without the right to manage, and can't remove the owner or a manager")
    func managers() async throws {
        try await withFixture(.sqlite) { fixture in
            let ada = try await fixture.person("Ada")
            let item = try await fixture.item("Bike", of: ada).item.id
            let ben = try await fixture.member(.manage, of: item, by: ada)
            let cleo = try await fixture.member(.manage, of: item, by: ada)
            let dan = try await fixture.member(.see, of: item, by: ben)
            let members = fixture.tracking.itemMembers
            let invitation = await fixture.code { _ = try await fixture.invite(to: item, .manage, by: ben) }
            #expect(invitation == .forbidden)
            func removal(of person: PersonID, by actor: Actor) async -> AppError.Code? {
                await fixture.code { try await members.remove(person, from: item, by: Change(actor: actor)) }
            }
            #expect(await removal(of: cleo.person, by: ben) == .forbidden)
            #expect(await removal(of: ada.person, by: ben) == .notFound)
            #expect(await removal(of: ben.person, by: dan) == .forbidden)
            #expect(await removal(of: ada.person, by: ada) == .notFound)
            let promotion = await fixture.code {
                try await members.setAccess(.manage, of: dan.person, to: item, by: Change(actor: ben))
            }
            #expect(promotion == .forbidden)
            try await members.remove(dan.person, from: item, by: Change(actor: ben))
            #expect(try await fixture.people(of: item, for: ada).count == 3)
        }
    }

    @Test(
        "To let a person manage an item, also in two steps, requires a proof",
        arguments: Engine.allCases)
    func proofToManage(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person("Ada")
            let item = try await fixture.item("Bike", of: ada).item.id
            let invitations = fixture.tracking.itemInvitations
            let refused = await refusal {
                _ = try await invitations.create(to: item, .manage, by: Change(actor: ada))
            }
            #expect(refused?.code == .invalid && refused?.fields.keys.sorted() == ["password"])
            #expect(try await fixture.count("item_invitation") == 0)
            let eve = try await fixture.member(.see, of: item, by: ada)
            func promote() async -> AppError.Code? {
                await fixture.code {
                    try await fixture.tracking.itemMembers.setAccess(
                        .manage, of: eve.person, to: item, by: Change(actor: ada))
                }
            }
            #expect(await promote() == .invalid)
            #expect(try await fixture.people(of: item, for: ada)["Guest 1"] == .see)
            try await fixture.prove(ada)
            #expect(await promote() == nil)
            // A proof is used up.
            try await fixture.tracking.itemMembers.setAccess(.see, of: eve.person, to: item, by: Change(actor: ada))
            #expect(await promote() == .invalid)
        }
    }

    @Test("Only people of the household can be added without an invitation")
    func household() async throws {
        try await withFixture(.sqlite) { fixture in
            let ada = try await fixture.person("Ada")
            let ben = try await fixture.person("Ben")
            let eve = try await fixture.person("Eve")
            let item = try await fixture.item("Bike", of: ada).item.id
            let members = ItemMemberService(
                database: fixture.database,
                households: SharedHousehold(people: [ada.person: "Ada", ben.person: "Ben"]),
                ender: ItemMembershipEnder(), clock: fixture.clock)
            #expect(try await members.people(of: item, for: ada).candidates.map(\.name) == ["Ben"])
            let refusal = await fixture.code {
                try await members.share(item, with: eve.person, .see, by: Change(actor: ada))
            }
            #expect(refusal == .invalid)
            // A stolen session could have joined the thief's household: managing needs a proof there, too.
            let manage = {
                await fixture.code {
                    try await members.share(item, with: ben.person, .manage, by: Change(actor: ada))
                }
            }
            #expect(await manage() == .invalid)
            try await fixture.prove(ada)
            #expect(await manage() == nil)
            try await members.setAccess(.see, of: ben.person, to: item, by: Change(actor: ada))
            let promote = await fixture.code {
                try await members.setAccess(.manage, of: ben.person, to: item, by: Change(actor: ada))
            }
            #expect(promote == .invalid)
            #expect(try await members.people(of: item, for: ada).candidates.isEmpty)
            #expect(Set(try await fixture.notices().map(\.person)) == [ben.person])
            let again = await fixture.code {
                try await members.share(item, with: ben.person, .see, by: Change(actor: ada))
            }
            #expect(again == .conflict)
        }
    }

    @Test(
        "An item near another person causes no alert, and each gets one about items that were with them",
        arguments: Engine.allCases)
    func nearCoOwner(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person("Ada")
            let (item, secret) = try await fixture.tracked("Bike", of: ada)
            let ben = try await fixture.member(.see, of: item, by: ada)
            let cleo = try await fixture.member(.see, of: item, by: ada)
            let before = try await fixture.noticeCount()
            try await fixture.item(secret, metres: 0)
            try await fixture.phone(of: ada, metres: 0)
            try await fixture.phone(of: ben, metres: 0)
            try await fixture.phone(of: cleo, metres: 5_000)
            let cleos = try await fixture.tracking.items.item(item, for: cleo)
            #expect(cleos.presence == .withOther && cleos.tooFarSince == nil)
            fixture.clock.advance(seconds: 60)
            // Ada leaves; the bike is still with Ben.
            try await fixture.phone(of: ada, metres: 500)
            #expect(try await fixture.noticeCount() == before)
            #expect(try await fixture.tracking.items.item(item, for: ada).presence == .withOther)
            fixture.clock.advance(seconds: 60)
            // Ben leaves it as well: both had it, Cleo never did.
            try await fixture.phone(of: ben, metres: 400)
            let told = try await fixture.notices().filter { $0.kind == "itemTooFar" }
            #expect(Set(told.map(\.person)) == [ada.person, ben.person])
            #expect(try await fixture.tracking.items.item(item, for: ada).presence == .lost)
            #expect(try await fixture.tracking.items.item(item, for: cleo).presence == .apart)
            // Ben is back: only his separation ends.
            fixture.clock.advance(seconds: 60)
            try await fixture.phone(of: ben, metres: 0)
            #expect(try await fixture.tracking.items.item(item, for: ben).tooFarSince == nil)
            #expect(try await fixture.tracking.items.item(item, for: ada).tooFarSince != nil)
        }
    }

    @Test("Each person has their own name, distance and mute", arguments: Engine.allCases)
    func ownSettings(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person("Ada")
            let (item, secret) = try await fixture.tracked("Bike", of: ada)
            let ben = try await fixture.member(.see, of: item, by: ada)
            let cleo = try await fixture.member(.see, of: item, by: ada)
            let members = fixture.tracking.itemMembers
            _ = try await members.updateMembership(
                of: item, ItemMembershipPatch(name: .set("Ada’s bike"), alertMetres: .set(300)), by: Change(actor: ben))
            _ = try await members.updateMembership(
                of: item, ItemMembershipPatch(isMuted: .set(true)), by: Change(actor: cleo))
            #expect(try await fixture.tracking.items.item(item, for: ben).item.name == "Ada’s bike")
            #expect(try await fixture.tracking.items.item(item, for: ada).item.name == "Bike")
            for actor in [ada, ben, cleo] { try await fixture.phone(of: actor, metres: 0) }
            try await fixture.item(secret, metres: 0)
            fixture.clock.advance(seconds: 60)
            try await fixture.item(secret, metres: 100)
            let near = try await fixture.notices().filter { $0.kind == "itemTooFar" }
            #expect(near.map(\.person) == [ada.person] && near.map(\.subject) == ["Bike"])
            fixture.clock.advance(seconds: 60)
            try await fixture.item(secret, metres: 400)
            let far = try await fixture.notices().filter { $0.kind == "itemTooFar" && $0.person != ada.person }
            #expect(far.map(\.person) == [ben.person] && far.map(\.subject) == ["Ada’s bike"])
            let ownerName = await fixture.code {
                _ = try await members.updateMembership(
                    of: item, ItemMembershipPatch(name: .set("X")), by: Change(actor: ada))
            }
            #expect(ownerName == .invalid)
        }
    }

    @Test(
        "Positions and commands reach everyone who can see the item, and end with the access",
        arguments: Engine.allCases)
    func events(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person("Ada")
            let (item, secret) = try await fixture.tracked("Bike", of: ada)
            let ben = try await fixture.member(.see, of: item, by: ada)
            try await fixture.item(secret, metres: 0)
            func audience(_ kind: String) async throws -> Set<PersonID> {
                Set(try await fixture.events().filter { $0.kind == kind }.map(\.audience))
            }
            #expect(try await audience("fix") == [ada.person, ben.person])
            try await fixture.tracking.itemMembers.remove(ben.person, from: item, by: Change(actor: ada))
            #expect(try await audience("access") == [ben.person])
            let count = try await fixture.events().filter { $0.audience == ben.person }.count
            fixture.clock.advance(seconds: 60)
            try await fixture.item(secret, metres: 50)
            #expect(try await fixture.events().filter { $0.audience == ben.person }.count == count)
            let history = await fixture.code { _ = try await fixture.fixes(of: item, for: ben) }
            let export = await fixture.code {
                _ = try await fixture.tracking.histories.export(item, format: .gpx, for: ben)
            }
            #expect(history == .notFound && export == .notFound)
            #expect(
                try await fixture.notices().filter { $0.person == ben.person }.map(\.details["event"]) == ["removed"])
        }
    }

    @Test("Deleting the item or an account ends all access, and tells the others", arguments: Engine.allCases)
    func endings(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person("Ada")
            let first = try await fixture.item("Bike", of: ada).item.id
            let second = try await fixture.item("Bag", of: ada).item.id
            let ben = try await fixture.member(.manage, of: first, by: ada)
            _ = try await fixture.accept(try await fixture.invite(to: second, .see, by: ada), by: ben)
            _ = try await fixture.invite(to: first, .see, by: ben)
            try await fixture.tracking.itemDeletions.delete(second, by: Change(actor: ada))
            #expect(
                try await fixture.notices().filter { $0.person == ben.person }.map(\.details["event"]) == ["deleted"])
            try await fixture.database.write { tx in try fixture.tracking.dataHandler.erase(ben.person, in: tx) }
            #expect(try await fixture.people(of: first, for: ada) == ["Ada": .own])
            #expect(
                try await fixture.notices().filter { $0.person == ada.person }.map(\.details["event"]).contains("left"))
            #expect(try await fixture.count("item_member") == 0)
            #expect(try await fixture.count("item_invitation") == 0)
        }
    }

    @Test("Two people can't use one invitation at the same time", arguments: Engine.allCases)
    func race(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person("Ada")
            let item = try await fixture.item("Bike", of: ada).item.id
            let code = try await fixture.invite(to: item, .see, by: ada)
            var guests: [Actor] = []
            for number in 1...6 { guests.append(try await fixture.person("Guest \(number)")) }
            let joined = await withTaskGroup(of: Bool.self) { group in
                for guest in guests {
                    group.addTask { (try? await fixture.accept(code, by: guest)) != nil }
                }
                return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(joined == 1)
            #expect(try await fixture.people(of: item, for: ada).count == 2)
        }
    }

    @Test("Wrong links are counted for the network")
    func throttle() async throws {
        try await withFixture(.sqlite) { fixture in
            let ben = try await fixture.person("Ben")
            for _ in 0..<Limits.wrongItemInvitations {
                let wrong = await fixture.code { try await fixture.accept("wrong", by: ben) }
                #expect(wrong == .notFound)
            }
            let throttled = await fixture.code { try await fixture.accept("wrong", by: ben) }
            #expect(throttled == .throttled)
        }
    }
}

extension TrackingFixture {
    fileprivate func people(of item: ID<Item>, for actor: Actor) async throws -> [String: ItemAccess] {
        let people = try await tracking.itemMembers.people(of: item, for: actor).people
        return Dictionary(people.map { ($0.name, $0.access) }) { first, _ in first }
    }
}
