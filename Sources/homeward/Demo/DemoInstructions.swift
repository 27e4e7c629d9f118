import Accounts
import Family
import Foundation
import Kernel
import Pictures
import Server
import Tracking

/// Fills an empty store with fictional people, items and packages.
struct DemoInstructions {
    /// The position of the people's home.
    static let home = PhonePosition(latitude: 48.137_154, longitude: 11.576_124, accuracyMetres: 8)

    /// The result of filling the store.
    struct Result: Sendable {
        let owner: Actor
        let walkingItem: ID<Item>
        /// The lines that are printed on the terminal.
        let lines: [String]
    }

    private let services: Services

    init(_ services: Services) { self.services = services }

    func create() async throws -> Result {
        let password = PasswordGenerator.make(random: services.random, groups: 3)
        func join(_ name: String, _ email: String, phone: String, born: String? = nil) async throws -> Actor {
            try await self.join(name: name, email: email, phone: phone, born: born, password: password)
        }
        let mia = try await join("Mia Sommer", "mia@example.org", phone: "+49 151 5550101", born: "1986-04-12")
        let ben = try await join("Ben Winter", "ben@example.org", phone: "+49 151 5550102", born: "1984-11-30")
        let ada = try await join("Ada Frost", "ada@example.org", phone: "+49 151 5550103")
        _ = try await join("Olga Licht", "olga@example.org", phone: "+49 151 5550104")
        _ = try await services.accounts.administrators.setOperator(email: "olga@example.org", true)
        try await settle(mia)
        let keys = try await item("Keys", picture: "keys", owner: mia)
        let backpack = try await item("Backpack", picture: "backpack", owner: mia)
        let bicycle = try await item("Bicycle", picture: "bicycle", owner: mia)
        _ = try await item("Umbrella", picture: nil, owner: ben)
        let rider = try await walk(bicycle, owner: mia, minutes: 120, batteryPercent: 71)
        let phone = try await stay(backpack, owner: mia)
        try await services.tracking.phonePositions.report(Self.home, by: mia)
        let picture = try await services.tracking.items.item(bicycle, for: mia).item.pictureID
        try await DemoPackages(services).create(DemoPackages.People(mia: mia, ben: ben, ada: ada), bicycle: picture)
        let family = try await DemoFamily(services).create(parent: mia, password: password, other: ben)
        return Result(owner: mia, walkingItem: keys, lines: lines(password, rider, phone, family))
    }

    private func join(
        name: String, email: String, phone: String, born: String?, password: String
    ) async throws -> Actor {
        let registration = Registration(
            app: "carrepsa", email: email, password: password, name: name, dateOfBirth: born, phone: phone
        )
        let device = DeviceInfo(name: "Demo phone", kind: .bearer, clientAddress: "127.0.0.1")
        let signedIn = try await services.accounts.registrations.register(registration, device: device)
        return Actor(person: signedIn.account.id, session: signedIn.session.id, role: signedIn.account.role)
    }

    private func item(_ name: String, picture: String?, owner: Actor) async throws -> ID<Item> {
        var pictureID: ID<Picture>?
        if let picture, let bytes = EmbeddedFile.contents(of: "demo/\(picture).png") {
            pictureID = try await services.pictures.add(bytes, owner: owner.person).id
        }
        let input = ItemInput(name: name, pictureID: pictureID)
        return try await services.tracking.items.create(input, by: Change(actor: owner)).item.id
    }

    /// Adds the safe places of a person, and answers the question about alerts, which the walking keys then cause.
    private func settle(_ person: Actor) async throws {
        let change = Change(actor: person)
        let office = Self.coordinate(DemoTown.corner(5, -4))
        let places = [
            (name: "Home", latitude: Self.home.latitude, longitude: Self.home.longitude),
            (name: "Office", latitude: office.latitude, longitude: office.longitude),
        ]
        for place in places {
            let input = SafePlaceInput(
                name: place.name, latitude: place.latitude, longitude: place.longitude, radiusMetres: 60)
            _ = try await services.tracking.safePlaces.create(input, by: change)
        }
        try await services.tracking.alerts.setMode(.everyTime, by: change)
    }

    /// Records a ride with one fix every five minutes, as OsmAnd reports it.
    private func walk(
        _ item: ID<Item>, owner: Actor, minutes: Int, batteryPercent: Int
    ) async throws -> NewSource {
        let change = Change(actor: owner)
        let source = try await services.tracking.sources.create(SourceInput(kind: .osmand, itemID: item), by: change)
            .get()
        let begin = services.clock.now.adding(seconds: Int64(-minutes) * 60)
        let crossings = [(5, -4), (5, 0), (5, 3), (0, 3), (0, 7), (-5, 7), (-8, 7), (-8, 3)]
        let route = DemoTown.route(crossings.map { (column: $0.0, row: $0.1) }, stepMetres: 10)
        for step in 0...(minutes / 5) {
            let place = Self.coordinate(route[step * (route.count - 1) / max(1, minutes / 5)])
            let at = begin.adding(seconds: Int64(step) * 300)
            _ = try await services.tracking.osmAnd.ingest(query: [
                ("id", source.secret), ("timestamp", "\(at.millisecondsSince1970 / 1000)"),
                ("lat", "\(place.latitude)"), ("lon", "\(place.longitude)"), ("accuracy", "\(6 + step % 5)"),
                ("speed", "8"), ("batt", "\(batteryPercent - step / 3)"),
            ])
        }
        return source
    }

    /// Returns the degrees of a place of the demo's map.
    private static func coordinate(_ point: DemoTown.Point) -> (latitude: Double, longitude: Double) {
        let metres = DemoMapFile.metresPerDegree
        return (
            home.latitude + point.y / metres, home.longitude + point.x / (metres * cos(home.latitude * .pi / 180))
        )
    }

    /// Records one fix near home, as OwnTracks reports it.
    private func stay(_ item: ID<Item>, owner: Actor) async throws -> NewSource {
        let change = Change(actor: owner)
        let source = try await services.tracking.sources.create(SourceInput(kind: .owntracks, itemID: item), by: change)
            .get()
        let seconds = services.clock.now.adding(seconds: -4 * 60).millisecondsSince1970 / 1000
        let message = #"{"_type":"location","lat":48.13717,"lon":11.57615,"acc":5,"batt":17,"tst":\#(seconds)}"#
        _ = try await services.tracking.ownTracks.ingest(
            user: source.user ?? "", password: source.secret, body: Array(message.utf8)
        )
        return source
    }

    private func lines(
        _ password: String, _ rider: NewSource, _ phone: NewSource, _ family: DemoFamily.ChildAccess
    ) -> [String] {
        let url = services.settings.url
        return [
            "",
            "Open \(url) and sign in as",
            "  mia@example.org   \(password)   (keys that walk, a backpack, a bicycle; parcels; two children)",
            "  ben@example.org   \(password)   (parcels, nearly all his money is held; the children's other parent)",
            "  ada@example.org   \(password)   (parcels)",
            "  olga@example.org  \(password)   (an operator: one package waits for her decision)",
            "",
            "Sign in as the child \(family.childName), in another browser or a private window:",
            "  \(family.signInURL)",
            "  (once, within \(Limits.signInCodeSeconds.wholeMinutes) minutes; afterwards Mia makes a new code under the child's plus)",
            "",
            "Move the bicycle, as OsmAnd would:",
            "  curl '\(url)\(rider.path)&lat=48.1402&lon=11.5801&accuracy=5&batt=68'",
            "Move the backpack, as OwnTracks would (TIME: seconds since 1970, from date +%s):",
            "  curl -u '\(phone.user ?? ""):\(phone.secret)' \(url)\(phone.path) \\",
            "    -d '{\"_type\":\"location\",\"lat\":48.1391,\"lon\":11.5802,\"acc\":9,\"batt\":80,\"tst\":TIME}'",
            "",
            "Control-C ends it; nothing is kept.",
        ]
    }
}
