package import Kernel
package import Storage

extension Notice {
    /// Deletes a person's notifications about a deleted object in the caller's transaction. Devices may still show
    /// their push messages.
    /// - Parameter includingParts: Also deletes those about objects whose paths are below that of the object.
    package static func withdraw(
        about resource: String, includingParts: Bool = false, from person: PersonID, at now: Instant,
        in tx: Transaction
    ) throws {
        let parts: SQL = includingParts ? "OR resource LIKE \(resource + "/%")" : SQL()
        let isAbout: SQL = "resource = \(resource) \(sql: parts)"
        guard try NotificationStore.withdraw(isAbout, from: person, in: tx) else { return }
        try FeedEvent.publish(to: person, at: now, in: tx)
    }

    /// Deletes a person's notifications of one kind about an object in the caller's transaction.
    package static func withdraw(
        _ kind: NoticeKind, about resource: String, from person: PersonID, at now: Instant, in tx: Transaction
    ) throws {
        let isAbout: SQL = "resource = \(resource) AND kind = \(kind.rawValue)"
        guard try NotificationStore.withdraw(isAbout, from: person, in: tx) else { return }
        try FeedEvent.publish(to: person, at: now, in: tx)
    }
}
