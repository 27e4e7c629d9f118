import Accounts
import Foundation
import Kernel
import Ledger
import Storage
import TestSupport
import Testing

@testable import Carrepsa

@Suite("Wallets")
struct WalletTests {
    @Test("Concurrent first visits credit the welcome amount once", arguments: Engine.allCases)
    func welcome(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let codes = await together(
                (0..<20).map { _ in { try await fixture.carrepsa.memberships.ensureWallet(of: ada) } })
            #expect(codes.allSatisfy { $0 == nil })
            let wallet = try await fixture.carrepsa.wallets.wallet(of: ada)
            #expect(wallet == Wallet(balance: 100_00, payable: 0, held: 0, currency: .euro))
            let entries = try await fixture.carrepsa.wallets.entries(of: ada, after: nil, limit: 10)
            #expect(entries.items.map(\.kind) == [.welcome])
            #expect(entries.next == nil)
        }
        try await withFixture(engine, welcome: 0) { fixture in
            let ada = try await fixture.person()
            #expect(try await fixture.balance(ada) == 0)
            #expect(try await fixture.count("ledger_transfer") == 0)
        }
    }

    @Test("A person without a phone number must add one, and a child can't use Carrepsa", arguments: Engine.allCases)
    func entering(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person(phone: nil)
            let error = await refusal { _ = try await fixture.post(by: ada) }
            #expect(error?.code == .invalid)
            #expect(error?.fields["phone"] != nil)
            #expect(try await fixture.count("ledger_account") == 0)
            try await fixture.database.write { tx in try tx.execute("UPDATE account SET phone = '+49301234567'")
            }
            try await fixture.carrepsa.memberships.ensureWallet(of: ada)
            let kim = try await fixture.person("Kim", isChild: true)
            let child = await refusal { try await fixture.carrepsa.memberships.ensureWallet(of: kim) }
            #expect(child?.code == .forbidden)
        }
    }

    @Test("An administrator's top-ups and payouts are posted once each", arguments: Engine.allCases)
    func payments(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let email = "\(ada.person)@Example.org"
            let first = ID<Transfer>(at: fixture.now, random: fixture.random)
            for _ in 0..<2 {
                let balance = try await fixture.carrepsa.payments.topUp(
                    email: email, amountMinor: 12_50, transferID: first)
                #expect(balance == 112_50)
            }
            let other = await refusal {
                _ = try await fixture.carrepsa.payments.topUp(email: email, amountMinor: 13_50, transferID: first)
            }
            #expect(other?.code == .conflict)
            let second = ID<Transfer>(at: fixture.now, random: fixture.random)
            let tooMuch = await refusal {
                _ = try await fixture.carrepsa.payments.payOut(email: email, amountMinor: 12_51, transferID: second)
            }
            #expect(tooMuch?.code == .insufficientFunds)
            let left = try await fixture.carrepsa.payments.payOut(email: email, amountMinor: 12_50, transferID: second)
            #expect(left == CarrepsaFixture.welcome)
            let kinds = try await fixture.carrepsa.wallets.entries(of: ada, after: nil, limit: 10).items.map(\.kind)
            #expect(kinds == [.payOut, .topUp, .welcome])
            let unknown = await refusal {
                _ = try await fixture.carrepsa.payments.topUp(
                    email: "unknown@example.org", amountMinor: 1, transferID: second)
            }
            #expect(unknown?.code == .notFound)
            for amount in [0, -1, Int64.max, .min] {
                let id = ID<Transfer>(at: fixture.now, random: fixture.random)
                let error = await refusal {
                    _ = try await fixture.carrepsa.payments.topUp(email: email, amountMinor: amount, transferID: id)
                }
                #expect(error?.code == .invalid)
            }
            let events = try await fixture.events().filter { $0.kind == "wallet" && $0.audience == ada.person }
            #expect(events.count >= 3)
            try await fixture.checkMoney()
        }
    }

    @Test("Open packages or a balance prevent the deletion of an account", arguments: Engine.allCases)
    func leaving(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person("Ada")
            let ben = try await fixture.person("Ben")
            let id = try await fixture.accepted(by: ben, of: ada)
            func erase(_ actor: Actor) async -> AppError? { await refusal { try await fixture.erase(actor) } }
            for actor in [ada, ben] {
                _ = try await fixture.carrepsa.payments.topUp(
                    email: "\(actor.person)", amountMinor: 10_00,
                    transferID: ID(at: fixture.now, random: fixture.random))
            }
            // The check before the deletion gives the same error.
            func obstacle(_ actor: Actor) async -> AppError? {
                await refusal {
                    try await fixture.database.read { tx in
                        try fixture.carrepsa.dataHandler.checkErasure(of: actor.person, in: tx)
                    }
                }
            }
            for actor in [ada, ben] {
                let error = await erase(actor)
                #expect(error?.code == .conflict)
                let told = await obstacle(actor)
                #expect(told?.message == CarrepsaMessage.packagesUnderWay.text)
            }
            _ = try await fixture.carrepsa.handovers.confirmPickup(id, code: nil, by: Change(actor: ada))
            _ = try await fixture.carrepsa.handovers.confirmDelivery(id, code: nil, by: Change(actor: ada))
            let withBalance = await erase(ada)
            #expect(withBalance?.message == CarrepsaMessage.balanceLeft.text)
            let toldOfBalance = await obstacle(ada)
            #expect(toldOfBalance?.message == CarrepsaMessage.balanceLeft.text)
            for actor in [ada, ben] {
                let payment = ID<Transfer>(at: fixture.now, random: fixture.random)
                let amount = try await fixture.carrepsa.wallets.wallet(of: actor).payable
                _ = try await fixture.carrepsa.payments.payOut(
                    email: "\(actor.person)@example.org", amountMinor: amount, transferID: payment
                )
            }
            let gone = await erase(ada)
            #expect(gone == nil)
            let view = try await fixture.carrepsa.packages.details(of: id, for: ben)
            #expect(view.package.owner == Party(id: nil, name: nil))
            #expect(view.package.carrier?.name == "Ben")
            #expect(view.history.first?.byName == nil)
            #expect(view.history.count == 4)
            let last = await erase(ben)
            #expect(last == nil)
            #expect(try await fixture.count("carrepsa_package") == 0)
            #expect(try await fixture.count("carrepsa_story") == 0)
            try await fixture.checkMoney()
            let result = try await fixture.verify()
            #expect(result.isSound)
        }
    }

    @Test("The export contains wallet, packages, deliveries and all wallet entries", arguments: Engine.allCases)
    func export(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person("Ada")
            let ben = try await fixture.person("Ben")
            let stranger = try await fixture.person("Cleo")
            let id = try await fixture.travelling(by: ben, of: ada)
            try await fixture.write("Second floor", about: id, by: ada)
            let dataHandler = fixture.carrepsa.dataHandler
            let files = try await fixture.database.read { tx in try dataHandler.export(ada.person, in: tx) }
            #expect(files.map(\.path) == ["carrepsa/wallet.json", "carrepsa/blocked-people.json"])
            let wallet = try JSONSerialization.jsonObject(with: Data(files[0].contents)) as? [String: Any]
            #expect(wallet?["balance"] as? Int == 95_00)
            #expect(wallet?["held"] as? Int == 5_00)
            var counts: [String: Int] = [:]
            var package: [String: Any] = [:]
            for attachment in try await dataHandler.attachments(of: ada.person) {
                var bytes: [UInt8] = []
                if let pieces = try await attachment.open() { for try await piece in pieces { bytes += piece } }
                let list = try JSONSerialization.jsonObject(with: Data(bytes)) as? [Any]
                counts[attachment.path] = list?.count
                if attachment.path == "carrepsa/packages.json" { package = list?.first as? [String: Any] ?? [:] }
            }
            #expect(
                package.keys.sorted() == [
                    "acceptedAt", "cancellationRequestedBy", "carrier", "createdAt", "deadline", "deliveredAt",
                    "deliveryReportedAt", "description", "disputedAt", "finishedAt", "from", "fromArea",
                    "fromOpeningTimes", "fromPoint", "id", "moneyLock", "owner", "pickedUpAt", "pictureId",
                    "requiresPhotos", "reward",
                    "size", "state", "title", "to", "toArea", "toOpeningTimes", "toPoint", "version", "weight",
                ]
            )
            #expect(package["carrier"] as? String == "Ben")
            #expect(package["finishedAt"] is NSNull)
            #expect(
                counts == [
                    "carrepsa/packages.json": 1, "carrepsa/deliveries.json": 0, "carrepsa/wallet-entries.json": 2,
                    "carrepsa/payout-requests.json": 0, "carrepsa/statements.json": 0, "carrepsa/trips.json": 0,
                    "carrepsa/recipients.json": 0,
                    "carrepsa/messages.json": 1, "carrepsa/reviews.json": 0,
                ]
            )
            #expect(try await dataHandler.attachments(of: stranger.person).isEmpty)
        }
    }
}
