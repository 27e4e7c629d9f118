import Carrepsa
import Kernel
import WebCore

/// The JSON of a wallet; amounts are in minor units.
struct WalletJSON: Encodable {
    let balance: Int64
    let payable: Int64
    let held: Int64
    let currency: String

    init(_ wallet: Wallet) {
        balance = wallet.balance
        payable = wallet.payable
        held = wallet.held
        currency = wallet.currency.code
    }
}

/// The JSON of a wallet entry; amounts are in minor units and negative when they left the wallet.
struct WalletEntryJSON: Encodable {
    let id: String
    let at: Instant
    let amount: Int64
    let kind: String
    @Nullable var packageId: ID<Package>?
    @Nullable var packageTitle: String?
    let balanceAfter: Int64
    @Nullable var note: String?

    init(_ entry: WalletEntry) {
        id = entry.id
        at = entry.at
        amount = entry.amount
        kind = entry.kind.rawValue
        packageId = entry.packageID
        packageTitle = entry.packageTitle
        balanceAfter = entry.balanceAfter
        note = entry.note
    }
}

/// The JSON of another person.
struct OtherPartyJSON: Encodable {
    let id: PersonID
    let name: String
    @Nullable var email: String?
    @Nullable var phone: String?

    init(_ neighbour: OtherParty) {
        id = neighbour.id
        name = neighbour.name
        email = neighbour.email
        phone = neighbour.phone
    }
}
