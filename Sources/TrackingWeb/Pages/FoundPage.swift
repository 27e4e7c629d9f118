import Kernel
import Tracking
import WebCore

/// What whoever found a tracker sees: what it is, how its owner can be recognised, how it is switched off.
struct FoundPage: Sendable {
    struct Facts: Sendable {
        /// `nil`: the server knows none.
        let contact: String?
        let identifier: String
    }

    let shell: Shell
    let t: FoundStrings
    /// `nil`: the address is too old, or none of a tracker's.
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
