package import Kernel

/// A message that its reader reported to the administrators. They see this message, but not the conversation.
package struct MessageReport: Sendable, Hashable {
    package let id: ID<MessageReport>
    package let message: PackageMessage
    /// The title of the package.
    package let title: String
    package let authorName: String?
    package let reporterName: String
    package let reason: String?
    package let createdAt: Instant
}
