import Accounts
import Kernel
import Pictures
import Storage
import TestSupport
import Testing

@testable import Carrepsa

@Suite("Validation of new packages and filters")
struct InputTests {
    struct Bad: Sendable, CustomTestStringConvertible {
        let field: String
        let why: String
        let change: @Sendable (inout PackageInput) -> Void
        var testDescription: String { "\(field): \(why)" }
    }

    private static let bad: [Bad] = [
        Bad(field: "title", why: "missing") { $0.title = nil },
        Bad(field: "title", why: "blank") { $0.title = " \u{200b} " },
        Bad(field: "title", why: "51 characters") { $0.title = String(repeating: "ä", count: 51) },
        Bad(field: "title", why: "a control character") { $0.title = "a\u{7}b" },
        Bad(field: "from", why: "missing") { $0.from = nil },
        Bad(field: "from", why: "101 characters") { $0.from = String(repeating: "x", count: 101) },
        Bad(field: "to", why: "blank") { $0.to = "  " },
        Bad(field: "to", why: "a line break") { $0.to = "Kiel\nLübeck" },
        Bad(field: "weight", why: "missing") { $0.weightGrams = nil },
        Bad(field: "weight", why: "0") { $0.weightGrams = 0 },
        Bad(field: "weight", why: "-1") { $0.weightGrams = -1 },
        Bad(field: "weight", why: "over a ton") { $0.weightGrams = 1_000_001 },
        Bad(field: "reward", why: "missing") { $0.reward = nil },
        Bad(field: "reward", why: "0") { $0.reward = 0 },
        Bad(field: "reward", why: "-1") { $0.reward = -1 },
        Bad(field: "reward", why: "2^63-1") { $0.reward = .max },
        Bad(field: "reward", why: "-2^63") { $0.reward = .min },
        Bad(field: "moneyLock", why: "0") { $0.moneyLock = 0 },
        Bad(field: "moneyLock", why: "-1") { $0.moneyLock = -1 },
        Bad(field: "moneyLock", why: "2^63-1") { $0.moneyLock = .max },
        Bad(field: "description", why: "1001 characters") { $0.description = String(repeating: "x", count: 1_001) },
        Bad(field: "description", why: "a control character") { $0.description = "a\u{1}" },
        Bad(field: "deadline", why: "now") { $0.deadline = TestClock().now },
    ]

    @Test("Invalid input gets an error at its field, and nothing is stored", arguments: Engine.allCases, bad)
    func refused(engine: Engine, bad: Bad) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            var input = CarrepsaFixture.parcel()
            bad.change(&input)
            let error = await refusal { [input] in
                _ = try await fixture.carrepsa.packages.create(input, by: Change(actor: ada))
            }
            #expect(error?.code == .invalid)
            #expect(error.map { Array($0.fields.keys) } == [bad.field])
            #expect(try await fixture.count("carrepsa_package") == 0)
            #expect(try await fixture.balance(ada) == 100_00)
        }
    }

    @Test("All invalid fields are reported together, and amounts that overflow don't crash")
    func everythingWrong() {
        let input = PackageInput(reward: .max, moneyLock: .max)
        let error = #expect(throws: AppError.self) { _ = try PackageDraft(input, now: TestClock().now) }
        #expect(error.map { Set($0.fields.keys) } == ["title", "from", "to", "weight", "reward", "moneyLock"])
    }

    @Test(
        "Another person's picture is rejected; an own one is visible to all who see the package",
        arguments: Engine.allCases)
    func picture(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person("Ada")
            let ben = try await fixture.person("Ben")
            var input = CarrepsaFixture.parcel()
            input.pictureID = try await fixture.picture(of: ben)
            let error = await refusal { [input] in
                _ = try await fixture.carrepsa.packages.create(input, by: Change(actor: ada))
            }
            #expect(error?.fields["pictureId"] != nil)
            let picture = try await fixture.picture(of: ada)
            input.pictureID = picture
            let id = try await fixture.carrepsa.packages.create(input, by: Change(actor: ada)).package.id
            func isShown(_ actor: Actor) async throws -> Bool {
                try await fixture.database.read { tx in
                    try CarrepsaServices.pictureVisibility.isVisible(picture, to: actor.person, in: tx)
                }
            }
            #expect(try await isShown(ben))
            let cleo = try await fixture.person("Cleo")
            _ = try await fixture.carrepsa.acceptances.accept(id, by: Change(actor: ben))
            #expect(try await isShown(ben))
            #expect(try await !isShown(cleo))
            // Deleting the picture removes it from the package.
            try await fixture.database.write { tx in try PictureLibrary.remove(picture, in: tx) }
            #expect(try await fixture.stored(id)?.pictureID == nil)
        }
    }

    struct Search: Sendable, CustomTestStringConvertible {
        let filter: PackageFilter
        let titles: [String]
        var testDescription: String { "\(filter)" }

        static let all: [Search] = [
            Search(filter: PackageFilter(), titles: ["d", "c", "b", "a"]),
            Search(filter: PackageFilter(from: "lubeck"), titles: ["b", "a"]),
            Search(filter: PackageFilter(from: " LÜBECK "), titles: ["b", "a"]),
            Search(filter: PackageFilter(from: "L\u{75}\u{308}beck"), titles: ["b", "a"]),
            Search(filter: PackageFilter(from: "strasse"), titles: ["b"]),
            Search(filter: PackageFilter(from: "100%"), titles: ["c"]),
            Search(filter: PackageFilter(from: "1__%"), titles: []),
            Search(filter: PackageFilter(from: "_"), titles: ["d"]),
            Search(filter: PackageFilter(from: "!"), titles: ["d"]),
            Search(filter: PackageFilter(from: "'; --"), titles: []),
            Search(filter: PackageFilter(to: "ÅGARD"), titles: ["d"]),
            Search(filter: PackageFilter(from: "lübeck", to: "kiel"), titles: ["a"]),
            Search(filter: PackageFilter(maxWeightGrams: 1_000), titles: ["b", "a"]),
            Search(filter: PackageFilter(maxWeightGrams: 999), titles: ["a"]),
            Search(filter: PackageFilter(from: "", to: " ", maxWeightGrams: nil), titles: ["d", "c", "b", "a"]),
        ]
    }

    @Test("Filters ignore case and accents and treat wildcards as text", arguments: Engine.allCases)
    func filters(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person("Ada")
            let ben = try await fixture.person("Ben")
            let parcels: [(String, String, String, Int64)] = [
                ("a", "Lübeck", "Kiel", 500), ("b", "Lange Straße, LÜBECK", "Hamburg", 1_000),
                ("c", "100% Plön", "Eutin", 5_000), ("d", "a_b!c", "Ågård", 7_000),
            ]
            for (title, from, to, weight) in parcels {
                fixture.clock.advance(milliseconds: 1)
                var input = CarrepsaFixture.parcel()
                (input.title, input.from, input.to, input.weightGrams) = (title, from, to, weight)
                _ = try await fixture.carrepsa.packages.create(input, by: Change(actor: ada))
            }
            for search in Search.all {
                let found = try await fixture.carrepsa.packages.list(
                    .offers, for: ben, filter: search.filter, after: nil, limit: 50
                ).items
                #expect(found.map(\.title) == search.titles, "\(search.filter)")
            }
            for filter in [
                PackageFilter(maxWeightGrams: 0), PackageFilter(from: String(repeating: "x", count: 101)),
            ] {
                let error = await refusal {
                    _ = try await fixture.carrepsa.packages.list(
                        .offers, for: ben, filter: filter, after: nil, limit: 50)
                }
                #expect(error?.code == .invalid)
            }
        }
    }

    @Test("Pages are newest first, without gaps or duplicates", arguments: Engine.allCases)
    func pages(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            var made: [ID<Package>] = []
            for _ in 0..<7 {
                fixture.clock.advance(milliseconds: 1)
                made.append(try await fixture.post(by: ada, reward: 1))
            }
            var found: [ID<Package>] = []
            var after: String?
            repeat {
                let page = try await fixture.carrepsa.packages.list(.owned, for: ada, after: after, limit: 3)
                found += page.items.map(\.id)
                after = page.next
            } while after != nil
            #expect(found == made.reversed())
            let error = await refusal {
                _ = try await fixture.carrepsa.packages.list(.owned, for: ada, after: "nonsense", limit: 3)
            }
            #expect(error?.fields["after"] != nil)
            var amounts: [Int64] = []
            repeat {
                let page = try await fixture.carrepsa.wallets.entries(of: ada, after: after, limit: 4)
                amounts += page.items.map(\.amount)
                after = page.next
            } while after != nil
            #expect(amounts == [-1, -1, -1, -1, -1, -1, -1, 100_00])
        }
    }

    @Test("A folded place has no accents")
    func folding() throws {
        #expect(try PlaceName("Łódź ÆRØ Straße İstanbul ﬁn").folded == "lodz aero strasse istanbul fin")
        #expect(PlaceName.search("a%b_c!")?.asTyped == "%a!%b!_c!!%")
        #expect(PlaceName.search("  ") == nil)
        #expect(PlaceName.search("Köln")?.plain == PlaceName.search("KOELN")?.plain)
    }

    @Test("Searches for ae, oe and ue find ä, ö and ü, and vice versa", arguments: Engine.allCases)
    func umlauts(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person("Ada")
            for place in ["Köln", "Koeln", "Koln", "Neuer Markt", "Tromsø"] {
                var parcel = CarrepsaFixture.parcel(reward: 1)
                parcel.title = place
                parcel.from = place
                parcel.to = place
                _ = try await fixture.carrepsa.packages.create(parcel, by: Change(actor: ada))
            }
            func found(_ typed: String) async throws -> [String] {
                let filter = PackageFilter(from: typed, to: typed)
                return try await fixture.carrepsa.packages.list(
                    .offers, for: ada, filter: filter, after: nil, limit: 20
                )
                .items.map(\.title).sorted()
            }
            for typed in ["koeln", "Köln", "KOELN", "koln"] {
                #expect(try await found(typed) == ["Koeln", "Koln", "Köln"], "\(typed)")
            }
            #expect(try await found("tromsoe") == ["Tromsø"])
            // Text that starts in the middle of a letter pair matches literally.
            #expect(try await found("er markt") == ["Neuer Markt"])
            #expect(try await found("eln") == ["Koeln"])
        }
    }
}
