import Accounts
import Kernel
import Storage

/// Contributes notifications to the export and the deletion of an account.
struct NotificationDataHandler: AccountDataHandler {
    private struct Export: Encodable {
        struct Entry: Encodable {
            let id: ID<Notice>
            let kind: String
            let resource: String
            let subject: String
            let details: [String: String]
            let at: Instant
            let readAt: Instant?
        }

        /// A subscribed device without its endpoint, because anyone who knows that could send messages.
        struct Device: Encodable {
            let pushService: String
            let turnedOnAt: Instant
        }

        let notices: [Entry]
        let muted: [String]
        let hidesDetails: Bool
        let devices: [Device]
    }

    func export(_ person: PersonID, in tx: Transaction) throws -> [(path: String, contents: [UInt8])] {
        let entries = try NotificationStore.page(of: person, after: nil, limit: Limits.noticesPerPerson, in: tx)
        let settings = try NotificationPreferenceStore.settings(of: person, in: tx)
        let export = Export(
            notices: entries.map { entry in
                Export.Entry(
                    id: entry.notice.id, kind: entry.notice.kind.rawValue, resource: entry.notice.resource,
                    subject: entry.notice.subject, details: entry.notice.details, at: entry.notice.at,
                    readAt: entry.readAt
                )
            },
            muted: settings.muted.map(\.rawValue).sorted(), hidesDetails: settings.hidesDetails,
            devices: try SubscriptionStore.exported(person, in: tx).map { device in
                Export.Device(
                    pushService: PushHosts.host(of: device.endpoint) ?? "", turnedOnAt: device.createdAt
                )
            }
        )
        return [("notifications.json", try export.json(isReadable: true))]
    }

    func attachments(of person: PersonID) async throws -> [ExportAttachment] { [] }

    func checkErasure(of person: PersonID, in tx: Transaction) throws {}

    /// Revokes nothing: a subscription to push notifications ends with its session.
    func revokeGrants(of person: PersonID, endsChildSessions: Bool, now: Instant, in tx: Transaction) throws {}

    func erase(_ person: PersonID, in tx: Transaction) throws {
        try tx.execute("DELETE FROM push_subscription WHERE account_id = \(person)")
        try tx.execute("DELETE FROM notice WHERE account_id = \(person)")
        try tx.execute("DELETE FROM notice_withdrawn WHERE account_id = \(person)")
        try NotificationStore.forget(person, in: tx)
        try tx.execute("DELETE FROM notice_setting WHERE account_id = \(person)")
    }

    func afterErasure() async throws {}
}
