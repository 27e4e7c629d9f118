package import Kernel

/// A message that its reader reported to the administrators. They see this message, but not the conversation.
package struct MessageReport: Sendable, Hashable {
    package let id: ID<MessageReport>
    package let message: PackageMessage
    package let package: ID<Package>
    /// Whether the package is in dispute, so that administrators can open it.
    package let isInDispute: Bool
    /// The title of the package.
    package let title: String
    package let authorName: String?
    package let reporter: PersonID
    package let reporterName: String
    package let reason: String?
    package let createdAt: Instant
}
