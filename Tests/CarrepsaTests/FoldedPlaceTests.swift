import Accounts
import Kernel
import Storage
import TestSupport
import Testing

@testable import Carrepsa

@Suite("Searches for places")
struct FoldedPlaceTests {
    /// A place, and what people type for it on their keyboards.
    static let places: [(name: String, typed: [String])] = [
        ("L’Aquila", ["L'Aquila", "laquila", "l´aquila", "LʼAQUILA"]),
        ("St. John’s", ["St. John's", "st john's", "St Johns"]),
        ("Aix‑en‑Provence", ["Aix-en-Provence", "aix en provence", "Aix–en–Provence"]),
        ("Saint-Étienne", ["saint etienne", "SAINT‐ÉTIENNE"]),
        ("Hawaiʻi", ["Hawai'i", "hawaii"]),
        ("ΠΑΤΡΑΣ", ["Πάτρας", "πατρασ"]),
        ("בת ים", ["בת ימ"]), ("תל־אביב", ["תל אביב", "תל-אביב"]),
        ("ﻗﺎﻫﺮﺓ", ["قاهرة", "قاهره"]), ("كرمـــان", ["کرمان"]),
        ("Diyarbakır", ["diyarbakir", "DİYARBAKIR"]), ("Weißenfels", ["WEISSENFELS", "weißenfels"]),
        ("Ｔｏｋｙｏ", ["tokyo"]),
    ]

    @Test("A place is found by what people type for it", arguments: Engine.allCases)
    func found(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person("Ada")
            let ben = try await fixture.person("Ben")
            for place in Self.places {
                var input = CarrepsaFixture.parcel(reward: 1)
                input.to = place.name
                _ = try await fixture.carrepsa.packages.create(input, by: Change(actor: ada))
            }
            for place in Self.places {
                for typed in [place.name] + place.typed {
                    let found = try await fixture.carrepsa.packages.list(
                        .offers, for: ben, filter: PackageFilter(to: typed), after: nil, limit: 100
                    ).items.map(\.to)
                    #expect(found.contains(place.name), "\(typed) in \(place.name)")
                    #expect(found.count == 1, "\(typed): \(found)")
                }
            }
        }
    }

    @Test("Places of earlier versions are folded like new ones", arguments: Engine.allCases)
    func earlier(engine: Engine) async throws {
        // As the version before stored them.
        let stored = [
            ("l’aquila", "L’Aquila"), ("st. john’s", "St. John’s"), ("aix‐en‐provence", "Aix‑en‑Provence"),
            ("πατρας", "ΠΑΤΡΑΣ"), ("בת ים", "בת ים"), ("a  -  b", "A  -  B"), ("قاهرة", "ﻗﺎﻫﺮﺓ"), ("o'o", "O'O"),
        ]
        let migrations = CarrepsaFixture.migrations
        let earlier = migrations.filter { $0.sql != CarrepsaServices.foldedPlaces }
        try await withDatabaseURL(engine) { url in
            let old = try await Database.open(
                url, migrations: earlier, logger: .silent, clock: TestClock())
            try await old.write { tx in
                for (folded, place) in stored {
                    try tx.execute(
                        """
                        INSERT INTO carrepsa_package (
                            id, title, origin, origin_folded, destination, destination_folded, weight_grams, reward,
                            money_lock, state, reward_held, created_at, finished_at, version
                        ) VALUES (\(place), 'x', 'Köln', 'koln', \(place), \(folded), 1, 1, 1, 'cancelled', 0, 0, 0, 1)
                        """)
                }
            }
            await old.close()
            let new = try await Database.open(url, migrations: migrations, logger: .silent, clock: TestClock())
            let rows = try await new.read { tx in
                try tx.rows("SELECT destination, destination_folded, origin_folded FROM carrepsa_package")
            }
            #expect(rows.count == stored.count)
            for row in rows {
                let place: String = try row.get("destination")
                #expect(try row.get("destination_folded") == SearchText.folded(place), "\(place)")
                #expect(try row.get("origin_folded") == "koln")
            }
            await new.close()
        }
    }
}
