package import Kernel

/// The export of an account, as it was uploaded.
package struct ImportArchive: Sendable {
    /// The format that this version writes, and the newest that it reads.
    package static let currentFormat = 2
    /// The format of exports without a manifest.
    static let firstFormat = 1

    package static let manifestPath = "manifest.json"
    private static let accountPath = "account.json"

    /// The number in the manifest. Each format only adds to the one before.
    package let format: Int
    package let exportedAt: Instant?
    /// The account on the other server.
    package let account: ImportObject
    private let reader: ZipReader
    private let entries: [String: ZipEntry]

    /// Reads the directory and the account.
    /// - Throws: `AppError` for an archive that isn't a readable export.
    init(_ bytes: any ArchiveBytes) async throws {
        reader = try await Self.refusing { try await ZipReader(bytes) }
        let folder = try Self.folder(of: reader.entries)
        var entries: [String: ZipEntry] = [:]
        for entry in reader.entries where entry.path.hasPrefix(folder) {
            entries[String(entry.path.dropFirst(folder.count))] = entry
        }
        self.entries = entries
        let limit = Limits.importAccountBytes
        let manifest = try await Self.object(Self.manifestPath, limit: limit, entries, reader)
        format = try manifest?.integer("format") ?? Self.firstFormat
        guard format <= Self.currentFormat else { throw Self.refusal(.importNewer) }
        guard format >= Self.firstFormat else { throw Self.refused }
        exportedAt = try manifest?.instant("exportedAt")
        guard let account = try await Self.object(Self.accountPath, limit: limit, entries, reader) else {
            throw Self.refusal(.importForeign)
        }
        self.account = account
        guard account.text("role") == Role.adult.rawValue else { throw Self.refusal(.importOfChild) }
    }

    /// The name of the account; `nil` for one that the forms refuse.
    var accountName: String? { account.text("name").flatMap { try? DisplayName($0).text } }

    /// The email address of the account; `nil` for one that the forms refuse.
    var accountEmail: String? { account.text("email").flatMap { EmailAddress($0)?.text } }

    /// The error for data that the forms of an app would refuse.
    package static var refused: AppError { refusal(.importInvalid) }

    static func refusal(_ message: AccountMessage) -> AppError { AppError(.invalid, message, field: "archive") }

    // MARK: Files

    /// The sorted names of the files in a folder.
    package func names(in folder: String) -> [String] {
        let prefix = "\(folder)/"
        return entries.keys.filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }.sorted()
    }

    /// Whether there is a file with this path.
    package func contains(_ path: String) -> Bool { entries[path] != nil }

    /// Returns a file's size in bytes; 0 without the file.
    func size(_ path: String) -> Int { entries[path]?.size ?? 0 }

    /// Reads all files and verifies their sizes and checksums. They are read in the order of their bytes, so that no
    /// part of the archive is loaded again.
    func verify() async throws {
        try await Self.refusing {
            for entry in reader.entries.sorted(by: { $0.offset < $1.offset }) {
                for try await _ in reader.contents(of: entry) { try Task.checkCancellation() }
            }
        }
    }

    /// Returns a JSON file with a list of objects; an empty list without the file.
    /// - Parameters:
    ///   - maximum: the most objects.
    ///   - key: the member with the id of an object, which no other object of the list has.
    /// - Throws: `AppError` that names the file, for too many objects and for an id that occurs again; ``refused`` for
    ///   an object without an id.
    package func list(
        _ path: String, atMost maximum: Int, uniqueBy key: MemberName = "id"
    ) async throws -> [ImportObject] {
        let stored = try await Self.bytes(path, limit: Limits.importJSONBytes, entries, reader)
        guard let stored else { return [] }
        let objects = try Self.list(
            of: stored, in: path, atMost: maximum, repeatsBrackets: format == Self.firstFormat)
        try Self.requireUnique(key, of: objects, in: path)
        return objects
    }

    /// Checks that no id occurs twice: what belongs to a record, such as the history of an item, would be read for each
    /// of them.
    /// - Parameters:
    ///   - key: the member with the id.
    ///   - path: the path of the file that contains the objects.
    /// - Throws: `AppError` that names the file; ``refused`` for an object without an id.
    package static func requireUnique(_ key: MemberName, of objects: [ImportObject], in path: String) throws {
        var ids: Set<ID<ImportObject>> = []
        for object in objects {
            guard ids.insert(try object.requiredID(key)).inserted else {
                throw AppError.invalid("archive", AccountMessage.importRepeated(in: path))
            }
        }
    }

    /// Returns the objects of a JSON list. They are counted before any of them is read.
    /// - Parameters:
    ///   - path: the path of the file, for the error of too many objects.
    ///   - repeatsBrackets: whether the list may begin with more than one bracket. The first format repeated it for
    ///     each child without entries before the first one with entries.
    static func list(
        of bytes: [UInt8], in path: String, atMost maximum: Int, repeatsBrackets: Bool
    ) throws -> [ImportObject] {
        var list = bytes
        if repeatsBrackets {
            let brackets = bytes.prefix { $0 == UInt8(ascii: "[") }.count
            guard brackets <= Limits.importListBrackets else { throw refused }
            list.removeFirst(max(0, brackets - 1))
        }
        guard let values = try value(of: list).list else { throw refused }
        guard values.count <= maximum else {
            throw AppError.invalid("archive", AccountMessage.importOverfull(in: path, maximum: maximum))
        }
        return try values.map { value in
            guard case .object(let members) = value else { throw refused }
            return ImportObject(members)
        }
    }

    /// Reads a JSON text.
    /// - Throws: ``refused``; `CancellationError` if the task is cancelled.
    private static func value(of bytes: [UInt8]) throws -> JSONValue {
        let value = JSONReader.value(of: bytes)
        try Task.checkCancellation()
        guard let value else { throw refused }
        return value
    }

    /// Returns a JSON file with an object; `nil` without the file.
    package func object(_ path: String) async throws -> ImportObject? {
        try await Self.object(path, limit: Limits.importJSONBytes, entries, reader)
    }

    /// Returns a file of at most `limit` bytes; `nil` without the file.
    package func bytes(_ path: String, limit: Int) async throws -> [UInt8]? {
        try await Self.bytes(path, limit: limit, entries, reader)
    }

    /// Calls `body` with each line of a text file, without its end, and verifies the file. Does nothing without the
    /// file.
    package func forEachLine(_ path: String, _ body: (ArraySlice<UInt8>) async throws -> Void) async throws {
        guard let entry = entries[path] else { return }
        var rest: [UInt8] = []
        var pieces = reader.contents(of: entry).makeAsyncIterator()
        while let piece = try await Self.refusing({ try await pieces.next() }) {
            try Task.checkCancellation()
            // The rest has no line end.
            var (start, searched) = (0, rest.count)
            rest += piece
            while let end = rest[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                try await body(rest[start..<end])
                start = end + 1
                searched = start
            }
            rest.removeFirst(start)
            guard rest.count <= Limits.importLineBytes else { throw Self.refused }
        }
        if !rest.isEmpty { try await body(rest[...]) }
    }

    // MARK: Reading

    /// The folder of the export: people unpack an archive and pack its folder again.
    private static func folder(of entries: [ZipEntry]) throws -> String {
        for entry in entries where entry.path == accountPath { return String(entry.path.dropLast(accountPath.count)) }
        let others = entries.filter { $0.path.hasSuffix("/\(accountPath)") && $0.path.split(separator: "/").count == 2 }
        guard let only = others.first, others.count == 1 else { throw refusal(.importForeign) }
        return String(only.path.dropLast(accountPath.count))
    }

    private static func object(
        _ path: String, limit: Int, _ entries: [String: ZipEntry], _ reader: ZipReader
    ) async throws -> ImportObject? {
        guard let bytes = try await bytes(path, limit: limit, entries, reader) else { return nil }
        guard case .object(let members) = try value(of: bytes) else { throw refused }
        return ImportObject(members)
    }

    private static func bytes(
        _ path: String, limit: Int, _ entries: [String: ZipEntry], _ reader: ZipReader
    ) async throws -> [UInt8]? {
        guard let entry = entries[path] else { return nil }
        guard entry.size <= limit else { throw AppError(.tooLarge, .importTooLarge, field: "archive") }
        return try await refusing {
            var bytes: [UInt8] = []
            bytes.reserveCapacity(entry.size)
            for try await piece in reader.contents(of: entry) {
                try Task.checkCancellation()
                bytes += piece
            }
            return bytes
        }
    }

    /// Turns the errors of an archive into messages.
    static func refusing<T>(_ work: () async throws -> T) async throws -> T {
        do {
            return try await work()
        } catch let error as ZipError {
            switch error {
            case .notAnArchive: throw refusal(.importForeign)
            case .damaged: throw refusal(.importDamaged)
            case .encrypted, .unsupported, .suspicious, .badPath: throw refusal(.importUnreadable)
            case .tooLarge: throw AppError(.tooLarge, .importTooLarge, field: "archive")
            }
        }
    }
}
