import Kernel
import Tracking
import WebCore

/// The page for a finder: identifies the tracker, its owner's contact, and how to switch the tracker off.
struct FoundPage: Sendable {
    struct Facts: Sendable {
        /// `nil`: the server has no contact.
        let contact: String?
        let identifier: String
    }

    let shell: Shell
    /// `nil`: the item isn't reported lost.
    let lost: LostItemView?
    /// `nil`: the item isn't reported lost.
    let form: FinderForm?
    /// `nil`: the token is expired or invalid.
    let facts: Facts?
    /// Says why there is nothing.
    let expiryText: String

    init(
        _ context: AppContext, _ found: FoundTracker?, lost: LostItemView?, form: FinderForm? = nil,
        isLabel: Bool = false
    ) {
        self.lost = lost
        self.form = form
        facts = found.map { Facts(contact: $0.contact?.description, identifier: $0.id.description) }
        expiryText =
            isLabel ? context.t("This isn’t the address of a label. Scan the code again.") : Self.expiryText(context)
        shell = Shell(
            context, title: found == nil ? context.t("Nothing to see here") : context.t("A tracker was found"),
            menu: .tracking(context.t), isNarrow: true,
            hasTabs: false
        )
    }

    private static func expiryText(_ context: AppContext) -> String {
        context.t(
            """
            A tracker’s information is valid for an hour. This is older or incomplete. Hold the tracker’s button for \
            ten seconds, until it beeps, and read it again.
            """,
            plural: """
                A tracker’s information is valid for {n} hours. This is older or incomplete. Hold the tracker’s button \
                for ten seconds, until it beeps, and read it again.
                """,
            count: Limits.finderTokenSeconds.wholeHours)
    }
}
