import Kernel
import Storage

/// The SQL of the table `notice_setting`: each person's notification preferences.
enum NotificationPreferenceStore {
    static func settings(of person: PersonID, in tx: Transaction) throws -> NotificationPreferences {
        guard
            let row = try tx.row("SELECT muted, hides_details FROM notice_setting WHERE account_id = \(person)")
        else { return NotificationPreferences() }
        let muted: String = try row.get("muted")
        return NotificationPreferences(
            muted: Set(muted.split(separator: ",").compactMap { NoticeKind(rawValue: String($0)) }),
            hidesDetails: try row.get("hides_details")
        )
    }

    static func set(_ settings: NotificationPreferences, of person: PersonID, in tx: Transaction) throws {
        let muted = settings.muted.map(\.rawValue).sorted().joined(separator: ",")
        try tx.execute(
            """
            INSERT INTO notice_setting (account_id, muted, hides_details)
            VALUES (\(person), \(muted), \(settings.hidesDetails))
            ON CONFLICT (account_id) DO UPDATE SET muted = excluded.muted, hides_details = excluded.hides_details
            """
        )
    }
}
