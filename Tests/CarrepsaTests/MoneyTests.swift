import Accounts
import Kernel
import Storage
import TestSupport
import Testing

@testable import Carrepsa

@Suite("Money in and out")
struct MoneyTests {
    @Test(
        "An IBAN has correct check digits",
        arguments: [
            ("DE89 3704 0044 0532 0130 00", "DE89370400440532013000"),
            ("gb82west12345698765432", "GB82WEST12345698765432"),
            ("NO9386011117947", "NO9386011117947"),
        ])
    func ibans(typed: String, text: String) {
        #expect(IBAN(typed)?.text == text)
    }

    @Test(
        "Other text is no IBAN",
        arguments: [
            "", "DE89 3704 0044 0532 0130 01", "DE98370400440532013000", "D189370400440532013000", "DE89-3704-0044",
            "DE8937040044053201300012345678901234567", "DE8937040044053201300O",
        ])
    func wrongIBANs(typed: String) {
        #expect(IBAN(typed) == nil)
    }

    @Test("The code for banks' apps has the lines of the guideline, and exists only for euros")
    func epcCode() throws {
        let account = BankAccount(
            holder: "Neighbours", iban: try #require(IBAN("DE89370400440532013000")), bic: BIC("cobadeffxxx"))
        let text = EPCCode.text(to: account, amount: 12_05, reference: "HW-1234-5678", currency: .euro)
        #expect(
            text == """
                BCD
                002
                1
                SCT
                COBADEFFXXX
                Neighbours
                DE89370400440532013000
                EUR12.05


                HW-1234-5678
                """)
        let open = EPCCode.text(to: account, amount: nil, reference: "HW-1234-5678", currency: .euro)
        #expect(open?.contains("\n\n\n\nHW-1234-5678") == true)
        let francs = try #require(Currency(code: "CHF"))
        #expect(EPCCode.text(to: account, amount: nil, reference: "HW-1234-5678", currency: francs) == nil)
        for amount in [0, -1, Limits.epcAmountMinor + 1] {
            #expect(EPCCode.text(to: account, amount: amount, reference: "", currency: .euro) == nil)
        }
    }

    @Test("A reference is read as people write it")
    func references() {
        #expect(PaymentReference.written("7K2M9QXA") == "HW-7K2M-9QXA")
        for typed in ["HW-7K2M-9QXA", "hw 7k2m 9qxa", "7K2M9QXA", " HW7K2M9QXA "] {
            #expect(PaymentReference.read(typed) == "7K2M9QXA")
        }
        for typed in ["", "HW-7K2M-9QX", "HW-7K2M-9QXAA", "HW-7K2M-9QXI", "ben@example.org"] {
            #expect(PaymentReference.read(typed) == nil)
        }
    }

    @Test("Each person has one reference, also after concurrent first visits", arguments: Engine.allCases)
    func oneReference(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let ben = try await fixture.person("Ben")
            let guides = fixture.carrepsa.paymentGuides
            let codes = await together((0..<10).map { _ in { _ = try await guides.guide(for: ada) } })
            #expect(codes.allSatisfy { $0 == nil })
            #expect(try await fixture.count("carrepsa_payment_reference") == 1)
            let first = try await guides.guide(for: ada)
            #expect(try await guides.guide(for: ada) == first)
            #expect(try await guides.guide(for: ben).reference != first.reference)
            #expect(first.instructions == .none && first.requests.isEmpty)
        }
    }

    @Test("A payout request moves no money and notifies the other administrators", arguments: Engine.allCases)
    func requests(engine: Engine) async throws {
        try await withFixture(engine, welcome: 0) { fixture in
            let ada = try await fixture.person(isOperator: true)
            let mia = try await fixture.person("Mia", isOperator: true)
            let ben = try await fixture.person("Ben")
            try await fixture.topUp(100_00, ada)
            let service = fixture.carrepsa.payoutRequests
            func ask(_ amount: Int64, _ destination: String?, _ actor: Actor) async throws -> PayoutRequest {
                try await service.create(
                    PayoutRequestInput(amount: amount, destination: destination), by: Change(actor: actor))
            }
            let invalid: [(Int64, String, String)] = [(0, "Cash", "amount"), (1, " ", "destination")]
            for (amount, destination, field) in invalid {
                let error = await refusal { _ = try await ask(amount, destination, ada) }
                #expect(error?.code == .invalid && error?.fields[field] != nil)
            }
            let tooMuch = await refusal { _ = try await ask(100_01, "Cash", ada) }
            #expect(tooMuch?.code == .insufficientFunds && tooMuch?.fields["amount"] != nil)
            let request = try await ask(100_00, "Cash", ada)
            #expect(request.state == .open)
            #expect(try await fixture.balance(ada) == 100_00)
            let second = await refusal { _ = try await ask(1, "Cash", ada) }
            #expect(second?.code == .conflict)
            let notified = try await fixture.database.notices().filter { $0.kind == "payoutRequest" }
            #expect(notified.map(\.person) == [mia.person])
            #expect(notified.first?.details["amount"] == "10000")
            let foreign = await refusal { try await service.withdraw(request.id, by: Change(actor: ben)) }
            #expect(foreign?.code == .notFound)
            try await service.withdraw(request.id, by: Change(actor: ada))
            let again = await refusal { try await service.withdraw(request.id, by: Change(actor: ada)) }
            #expect(again?.code == .notFound)
            let all = try await fixture.database.notices().filter { $0.kind == "payoutRequest" }
            #expect(all.compactMap { $0.details["event"] }.sorted() == ["requested", "withdrawn"])
            #expect(try await ask(5, "Cash", ada).id != request.id)
            let guide = try await fixture.carrepsa.paymentGuides.guide(for: ada)
            #expect(guide.requests.map(\.state).sorted { $0.rawValue < $1.rawValue } == [.open, .withdrawn])
        }
    }

    @Test("Two requests at once: one is stored", arguments: Engine.allCases)
    func race(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            try await fixture.carrepsa.memberships.ensureWallet(of: ada)
            try await fixture.topUp(1, ada)
            let codes = await together(
                (0..<8).map { _ in
                    {
                        _ = try await fixture.carrepsa.payoutRequests.create(
                            PayoutRequestInput(amount: 1, destination: "Cash"), by: Change(actor: ada))
                    }
                })
            #expect(codes.filter { $0 == nil }.count == 1)
            #expect(codes.compactMap(\.self).allSatisfy { $0 == .conflict })
            #expect(try await fixture.count("carrepsa_payout_request") == 1)
        }
    }
}
