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
    /// `nil`: the token is expired or invalid.
    let facts: Facts?

    init(_ context: AppContext, _ found: FoundTracker?) {
        facts = found.map { Facts(contact: $0.contact?.description, identifier: $0.id.description) }
        shell = Shell(
            context, title: found == nil ? context.t("Nothing to see here") : context.t("A tracker was found"),
            menu: .tracking(context.t), isNarrow: true,
            hasTabs: false
        )
    }
}
