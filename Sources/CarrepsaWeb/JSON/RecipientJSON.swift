import Carrepsa
import Kernel
import WebCore

/// The recipient of a package, for its owner and its carrier. All members are null without a recipient.
struct RecipientJSON: Encodable {
    @Nullable var name: String?
    @Nullable var phone: String?
    @Nullable var email: String?
    @Nullable var address: String?
    @Nullable var meeting: String?
    @Nullable var leaveAt: String?
    let refused: Bool
    /// The address of the recipient's page; null for the carrier and without a link.
    @Nullable var url: String?
    let version: Int64

    init(_ found: RecipientDetails, _ site: String) {
        let recipient = found.recipient
        refused = found.isRefused
        version = recipient?.version ?? 0
        name = recipient?.name
        phone = recipient?.phone
        email = recipient?.email
        address = recipient?.address
        meeting = recipient?.meeting
        leaveAt = recipient?.leaveAt
        url = found.secret.map { site + CarrepsaPath.delivery($0) }
    }
}

/// A delivery as its recipient sees it: without amounts, and of people only first names.
struct DeliveryJSON: Encodable {
    let title: String
    let from: String
    let to: String
    let state: String
    @Nullable var owner: String?
    @Nullable var carrier: String?
    @Nullable var meeting: String?
    @Nullable var address: String?
    @Nullable var leaveAt: String?
    @Nullable var code: String?
    let reported: Bool
    let refused: Bool

    init(_ view: DeliveryView) {
        title = view.title
        from = view.from
        to = view.to
        state = view.state.rawValue
        reported = view.isReported
        refused = view.isRefused
        owner = view.ownerName
        carrier = view.carrierName
        meeting = view.recipient.meeting
        address = view.recipient.address
        leaveAt = view.recipient.leaveAt
        code = view.code
    }
}
