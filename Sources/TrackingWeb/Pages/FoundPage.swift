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
    let t: FoundStrings
    /// `nil`: the token is expired or invalid.
    let facts: Facts?

    init(_ context: AppContext, _ found: FoundTracker?) {
        let t = FoundStrings.of(context.language)
        self.t = t
        facts = found.map { Facts(contact: $0.contact?.description, identifier: $0.id.description) }
        shell = Shell(
            context, title: found == nil ? t.goneTitle : t.title, menu: .tracking(context.words), isNarrow: true,
            hasTabs: false
        )
    }
}
