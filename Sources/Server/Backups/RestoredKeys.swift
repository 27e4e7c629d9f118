import Backups
import Foundation
import Kernel

/// The key files of a backup on their way to the data folder.
///
/// Files that are missing are created before the database is restored: without content they do no harm. Files that
/// differ are replaced after it, so that an interrupted restore leaves the previous server as it was.
struct RestoredKeys: Sendable {
    private static let draftSuffix = ".restored"
    private static let previousSuffix = ".before-restore"

    let keys: [KeyFile: [UInt8]]
    /// The files in the folder that have other keys.
    let differing: [KeyFile]
    private let missing: [KeyFile]
    /// Whether an earlier restore of the same keys was interrupted.
    let continuesRestore: Bool
    private let folder: String
    private let random: any RandomSource

    /// - Throws: ``BackupError/contradiction(_:)`` if the backup lacks a key.
    init(_ contents: [String: [UInt8]], folder: String, random: any RandomSource) throws {
        var keys: [KeyFile: [UInt8]] = [:]
        for file in KeyFile.allCases {
            guard let bytes = contents[file.name], bytes.count == KeyFile.byteCount else {
                throw BackupError.contradiction("\(file.name) is missing in it")
            }
            keys[file] = bytes
        }
        let present = try KeyFiles(folder: folder).keys
        self.keys = keys
        self.folder = folder
        self.random = random
        missing = KeyFile.allCases.filter { present[$0] == nil }
        differing = KeyFile.allCases.filter { present[$0] != nil && present[$0] != keys[$0] }
        continuesRestore =
            try !differing.isEmpty
            && differing.allSatisfy { file in
                try DurableFile("\(folder)/\(file.name)\(Self.draftSuffix)").read(limit: KeyFile.byteCount + 1)
                    == keys[file]
            }
    }

    /// Whether the folder's files change.
    var areNew: Bool { !differing.isEmpty || !missing.isEmpty }

    /// Creates the missing files, and writes the others under temporary names.
    func prepare() throws {
        for file in missing {
            let path = "\(folder)/\(file.name)"
            try DurableFile(path).create(keys[file] ?? [], draft: draft(path))
        }
        for file in differing {
            let path = "\(folder)/\(file.name)\(Self.draftSuffix)"
            try DurableFile(path).replace(keys[file] ?? [], draft: draft(path))
        }
    }

    /// Gives the files their names. The previous ones are kept.
    func finish() throws {
        for file in differing {
            let path = "\(folder)/\(file.name)"
            var (previous, number) = (path + Self.previousSuffix, 1)
            while FileManager.default.fileExists(atPath: previous) {
                number += 1
                previous = "\(path)\(Self.previousSuffix)-\(number)"
            }
            guard rename(path, previous) == 0, rename(path + Self.draftSuffix, path) == 0 else {
                throw DurableFile.Failure("rename \(path)")
            }
        }
        if !differing.isEmpty { try DurableFile.synchronizeFolder(folder) }
    }

    private func draft(_ path: String) -> String { "\(path).\(String(random.uint64(), radix: 16)).new" }
}
