import Accounts
package import Kernel
import Ledger
package import Storage

/// A key in a file of the data folder, outside the database and its backups.
package enum KeyFile: String, CaseIterable, Sendable {
    /// Encrypts values that must be readable again: passphrases and trackers' keys.
    case secret = "secret.key"
    /// Signs messages to push services (VAPID).
    case push = "push.key"
    /// Authenticates the ledger's rows and batches.
    case ledger = "ledger.key"

    package var name: String { rawValue }

    static let byteCount = 32

    /// The features that stop working when a different key replaces the store's key.
    package var consequence: String {
        switch self {
        case .secret:
            "Passphrases of OwnTracks, trackers' keys and open handover codes can't be read any more: set up those "
                + "position sources anew, and pair those trackers again."
        case .push: "Notifications are off on every device until people turn them on again."
        case .ledger: "A ledger that holds accounts can't be continued with another key."
        }
    }
}

/// How a key file compares with the store.
package enum KeyFileState: String, Sendable {
    /// The store was set up with this key.
    case matches
    /// The store was set up with another key.
    case differs
    /// The file doesn't exist.
    case missing
    /// The store has no fingerprint of this key yet.
    case unrecorded
}

/// The fingerprints that the keys are compared with when the store is opened.
package enum KeyCheck: Sendable {
    /// The fingerprints in the database.
    case database
    /// The fingerprints in the backup that is about to replace the database's content.
    case backup
}

/// The three keys, read from the data folder and compared with the fingerprints in the database.
///
/// A node with a missing or different key would encrypt data that other nodes can't read, and would seal the ledger
/// wrongly. It therefore refuses to start, and creates no key for a store that already has data.
struct KeyFiles: Sendable {
    let folder: String
    private(set) var keys: [KeyFile: [UInt8]]

    /// Holds keys that aren't in the folder yet.
    init(folder: String, keys: [KeyFile: [UInt8]]) {
        self.folder = folder
        self.keys = keys
    }

    /// Reads the existing key files.
    /// - Throws: ``SettingError`` for a file of another length.
    init(folder: String) throws {
        self.folder = folder
        keys = [:]
        for file in KeyFile.allCases {
            guard let bytes = try DurableFile("\(folder)/\(file.name)").read(limit: KeyFile.byteCount + 1) else {
                continue
            }
            guard bytes.count == KeyFile.byteCount else {
                throw SettingError(
                    .data, "\(folder)/\(file.name) must have \(KeyFile.byteCount) bytes; put the right file there")
            }
            keys[file] = bytes
        }
    }

    /// Returns the keys of this store: those in the folder, or new ones on the first start of an empty store.
    /// - Parameter opening: missing keys are created only for a store that may be created.
    /// - Throws: ``SettingError``, which names each missing or different file.
    static func open(
        _ folder: String, for database: Database, check: KeyCheck, opening: Database.Opening = .creating, now: Instant,
        random: any RandomSource
    ) async throws -> KeyFiles {
        var files = try KeyFiles(folder: folder)
        let missing = KeyFile.allCases.filter { files.keys[$0] == nil }
        guard missing.isEmpty || opening == .creating else { throw Self.absence(missing, folder) }
        if !missing.isEmpty {
            try await database.read { tx in try refuse(missing, of: folder, in: tx) }
        }
        let made = try files.create(missing, random: random)
        guard check == .database else { return files }
        guard opening != .unchanged else {
            try await database.read { [files] tx in try files.requireMatch(in: tx) }
            return files
        }
        do {
            try await files.compare(with: database, now: now)
        } catch {
            // Another node was first. The keys that this node created don't belong to that store.
            for file in made { try? files.remove(file) }
            throw error
        }
        return files
    }

    /// Returns one key.
    func bytes(_ file: KeyFile) throws -> [UInt8] {
        guard let bytes = keys[file] else { throw SettingError(.data, Self.absence(file, folder)) }
        return bytes
    }

    /// Compares each file with the store.
    func states(in tx: Transaction) throws -> [KeyFile: KeyFileState] {
        let recorded = try KeyFingerprint.recorded(in: tx)
        var states: [KeyFile: KeyFileState] = [:]
        for file in KeyFile.allCases {
            guard let key = keys[file] else {
                states[file] = .missing
                continue
            }
            let fingerprint = KeyFingerprint(name: file.name, key: key)
            states[file] = recorded[file.name].map { $0 == fingerprint.bytes ? .matches : .differs } ?? .unrecorded
        }
        return states
    }

    /// Rejects keys that differ from the store's, and records the fingerprints that the store doesn't have yet.
    func confirm(now: Instant, in tx: Transaction) throws {
        for (file, key) in keys.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            try KeyFingerprint(name: file.name, key: key).record(at: now, in: tx)
        }
        try requireMatch(in: tx)
    }

    /// Rejects keys that differ from the store's.
    private func requireMatch(in tx: Transaction) throws {
        let found = try states(in: tx)
        let others = KeyFile.allCases.filter { found[$0] == .differs }
        guard others.isEmpty else {
            throw SettingError(.data, others.map { Self.difference($0, folder) }.joined(separator: "\n  "))
        }
    }

    /// Creates the missing keys, each in its file.
    /// - Returns: the keys that this process created.
    mutating func create(_ missing: [KeyFile], random: any RandomSource) throws -> [KeyFile] {
        var made: [KeyFile] = []
        for file in missing {
            let own = random.bytes(KeyFile.byteCount)
            let path = "\(folder)/\(file.name)"
            try DurableFile(path).create(own, draft: "\(path).\(String(random.uint64(), radix: 16)).new")
            // Another process in the same folder may have been first. Its key is the one that is used.
            let bytes = try DurableFile(path).read(limit: KeyFile.byteCount + 1) ?? []
            guard bytes.count == KeyFile.byteCount else { throw SettingError(.data, "\(path) can't be read") }
            keys[file] = bytes
            if bytes == own { made.append(file) }
        }
        return made
    }

    private func compare(with database: Database, now: Instant) async throws {
        let found = try await database.read { tx in try states(in: tx) }
        guard found.values.contains(where: { $0 != .matches }) else { return }
        try await database.write { tx in try confirm(now: now, in: tx) }
    }

    private func remove(_ file: KeyFile) throws {
        let path = "\(folder)/\(file.name)"
        guard try DurableFile(path).read(limit: KeyFile.byteCount + 1) == keys[file] else { return }
        try DurableFile(path).remove()
    }

    private static func refuse(_ missing: [KeyFile], of folder: String, in tx: Transaction) throws {
        let recorded = try KeyFingerprint.recorded(in: tx)
        let hasData = try hasData(in: tx)
        let refused = missing.filter { hasData || recorded[$0.name] != nil }
        guard refused.isEmpty else {
            throw absence(refused, folder)
        }
    }

    /// Whether the store contains anything of people or devices.
    static func hasData(in tx: Transaction) throws -> Bool {
        try tx.row("SELECT id FROM account LIMIT 1") != nil
            || tx.row("SELECT id FROM ledger_account LIMIT 1") != nil
            || tx.row("SELECT id FROM tracker LIMIT 1") != nil
    }

    private static func absence(_ files: [KeyFile], _ folder: String) -> SettingError {
        SettingError(.data, files.map { absence($0, folder) }.joined(separator: "\n  "))
    }

    private static func absence(_ file: KeyFile, _ folder: String) -> String {
        "\(folder)/\(file.name) is missing, and the database needs it. \(advice(file))"
    }

    private static func difference(_ file: KeyFile, _ folder: String) -> String {
        "\(folder)/\(file.name) is not the key that the database was set up with. \(advice(file))"
    }

    private static func advice(_ file: KeyFile) -> String {
        "Copy the file from another node or from your backup. "
            + "If it is lost for good, read the help of: homeward keys adopt \(file.name)"
    }
}

/// Compares the key files and adopts them, for `homeward keys`.
package struct KeyFileService: Sendable {
    private let settings: ServerSettings
    private let database: Database
    private let clock: any WallClock
    private let random: any RandomSource

    package init(
        _ settings: ServerSettings, database: Database, clock: any WallClock = SystemClock(),
        random: any RandomSource = SystemRandom()
    ) {
        self.settings = settings
        self.database = database
        self.clock = clock
        self.random = random
    }

    /// Compares each file with the store.
    package func states() async throws -> [KeyFile: KeyFileState] {
        let files = try KeyFiles(folder: settings.dataFolder)
        return try await database.read { tx in try files.states(in: tx) }
    }

    /// Makes the folder's files the store's keys, and creates missing files.
    /// - Throws: ``SettingError`` for a `ledger.key` that differs from the ledger's key. Nothing is changed then.
    package func adopt(_ chosen: [KeyFile]) async throws {
        var files = try KeyFiles(folder: settings.dataFolder)
        if chosen.contains(.ledger) {
            let key = files.keys[.ledger]
            try await database.read { tx in
                let isEmpty = try tx.row("SELECT id FROM ledger_account LIMIT 1") == nil
                guard !isEmpty else { return }
                do {
                    guard let key else { throw LedgerError.wrongKey }
                    try Ledger(key: LedgerKey(bytes: key)).checkKey(in: tx)
                } catch LedgerError.wrongKey {
                    throw SettingError(
                        .data, "ledger.key can't be replaced: the ledger was made with another key. Restore that file")
                }
            }
        }
        _ = try files.create(chosen.filter { files.keys[$0] == nil }, random: random)
        let now = clock.now
        try await database.write { [files] tx in
            for file in chosen {
                guard let key = files.keys[file] else { continue }
                try KeyFingerprint(name: file.name, key: key).replace(at: now, in: tx)
            }
        }
    }
}
