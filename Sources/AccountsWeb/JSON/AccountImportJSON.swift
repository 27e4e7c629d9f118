import Accounts
import Kernel

/// The import resource. Without an import, the state is `none`.
struct AccountImportJSON: Encodable {
    struct Entry: Encodable {
        let kind: String
        let name: String
        let count: Int
        let hereCount: Int
        let here: Bool
        /// How many of `count` the account has no room for.
        let excessCount: Int
        let excess: Bool
    }

    private enum Key: String, CodingKey {
        case id, state, format, exportedAt, accountName, accountEmail, entries, notes, done, total, refused, message
        case createdAt, expiresAt, version
    }

    private let stored: AccountImport?
    private let message: String?

    init(_ stored: AccountImport?, _ t: Translator) {
        self.stored = stored
        message = stored?.message.map { t.message($0) }
    }

    func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: Key.self)
        let preview = stored?.preview
        try object.encode(stored?.id, forKey: .id)
        try object.encode(stored?.state.rawValue ?? "none", forKey: .state)
        try object.encode(preview?.format, forKey: .format)
        try object.encode(preview?.exportedAt, forKey: .exportedAt)
        try object.encode(preview?.accountName, forKey: .accountName)
        try object.encode(preview?.accountEmail, forKey: .accountEmail)
        let entries = preview?.entries.map { entry in
            Entry(
                kind: entry.kind.rawValue, name: entry.name, count: entry.count, hereCount: entry.hereCount,
                here: entry.isHere, excessCount: entry.excessCount, excess: entry.isExcess)
        }
        try object.encode(entries ?? [], forKey: .entries)
        try object.encode(preview?.notes.map(\.rawValue) ?? [], forKey: .notes)
        try object.encode(stored?.doneCount ?? 0, forKey: .done)
        try object.encode(preview?.recordCount ?? 0, forKey: .total)
        try object.encode(stored?.refusedCount ?? 0, forKey: .refused)
        try object.encode(message, forKey: .message)
        try object.encode(stored?.createdAt, forKey: .createdAt)
        try object.encode(stored?.expiresAt, forKey: .expiresAt)
        try object.encode(stored?.version ?? 0, forKey: .version)
    }
}
