import Carrepsa
import Kernel
import WebCore

/// How money comes in and goes out; amounts are in minor units.
struct PaymentGuideJSON: Encodable {
    struct Account: Encodable {
        let holder: String
        let iban: String
        @Nullable var bic: String?
    }

    @Nullable var topUpText: String?
    @Nullable var payoutText: String?
    @Nullable var bankAccount: Account?
    let reference: String
    let balance: Int64
    let payable: Int64
    let currency: String
    let requests: [PayoutRequestJSON]

    init(_ guide: PaymentGuide) {
        topUpText = guide.instructions.topUpText
        payoutText = guide.instructions.payoutText
        bankAccount = guide.instructions.bankAccount.map {
            Account(holder: $0.holder, iban: $0.iban.text, bic: $0.bic?.text)
        }
        reference = guide.reference
        balance = guide.wallet.balance
        payable = guide.wallet.payable
        currency = guide.wallet.currency.code
        requests = guide.requests.map(PayoutRequestJSON.init)
    }
}

/// A payout request; the amount is in minor units.
struct PayoutRequestJSON: Encodable {
    let id: String
    let amount: Int64
    let destination: String
    let state: String
    @Nullable var reason: String?
    let createdAt: Instant
    @Nullable var endedAt: Instant?

    init(_ request: PayoutRequest) {
        id = request.id.description
        amount = request.amount
        destination = request.destination
        state = request.state.rawValue
        reason = request.reason
        createdAt = request.createdAt
        endedAt = request.endedAt
    }
}
