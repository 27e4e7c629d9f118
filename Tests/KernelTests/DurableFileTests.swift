import Foundation
import Kernel
import Testing

@Suite("Durable files")
struct DurableFileTests {
    /// Removed from the disk with its last reference.
    private final class Folder {
        let path: String

        init() throws {
            let system = FileManager.default
            path = try system.url(
                for: .itemReplacementDirectory, in: .userDomainMask, appropriateFor: system.temporaryDirectory,
                create: true
            ).path
        }

        deinit { try? FileManager.default.removeItem(atPath: path) }

        func file(_ name: String) -> String { "\(path)/\(name)" }
    }

    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test("A written file reads back, only its owner may read it, and no draft stays in the folder")
    func replace() throws {
        let folder = try Folder()
        let path = folder.file("head")
        let file = DurableFile(path)
        #expect(try file.read(limit: 10) == nil)
        try file.replace([1, 2, 3], draft: path + ".new")
        #expect(try file.read(limit: 10) == [1, 2, 3])
        try file.replace([], draft: path + ".new")
        #expect(try file.read(limit: 10) == [])
        #expect(try mode(path) == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["head"])
    }

    @Test("Creating a file that exists leaves it unchanged")
    func create() throws {
        let folder = try Folder()
        let path = folder.file("key")
        let file = DurableFile(path)
        try file.create([1], draft: path + ".a")
        try file.create([2], draft: path + ".b")
        #expect(try file.read(limit: 10) == [1])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["key"])
    }

    @Test("At most `limit` bytes are read, and a folder reads as no file")
    func limit() throws {
        let folder = try Folder()
        let file = DurableFile(folder.file("long"))
        let bytes = [UInt8](repeating: 7, count: 100_000)
        try file.replace(bytes, draft: folder.file("draft"))
        #expect(try file.read(limit: 33)?.count == 33)
        #expect(try file.read(limit: 1_000_000) == bytes)
        #expect(try DurableFile(folder.path).read(limit: 10) == nil)
        #expect(try DurableFile(folder.file("long/below")).read(limit: 10) == nil)
    }

    @Test("An existing draft makes the write fail; draft and file stay unchanged")
    func existingDraft() throws {
        let folder = try Folder()
        let path = folder.file("head")
        let file = DurableFile(path)
        try file.replace([1], draft: path + ".new")
        try Data([9]).write(to: URL(fileURLWithPath: path + ".new"))
        var failure: DurableFile.Failure?
        do { try file.replace([2], draft: path + ".new") } catch { failure = error }
        #expect(failure?.step == "create")
        #expect(failure?.code == EEXIST)
        #expect(try file.read(limit: 10) == [1])
        #expect(try Data(contentsOf: URL(fileURLWithPath: path + ".new")) == Data([9]))
    }

    @Test("A failed write reports the failed call and leaves no file")
    func refused() throws {
        let folder = try Folder()
        let path = folder.file("nowhere/key")
        var failure: DurableFile.Failure?
        do { try DurableFile(path).create([1], draft: path + ".new") } catch { failure = error }
        #expect(failure?.code == ENOENT)
        // A file can't replace a folder.
        var inTheWay: DurableFile.Failure?
        do { try DurableFile(folder.path).replace([1], draft: folder.path + ".new") } catch { inTheWay = error }
        #expect(inTheWay?.step == "rename")
        #expect(!FileManager.default.fileExists(atPath: folder.path + ".new"))
    }

    @Test("Of many concurrent creations of a file one succeeds, and all read the same bytes")
    func race() async throws {
        let folder = try Folder()
        let path = folder.file("secret.key")
        let secrets = try await withThrowingTaskGroup(of: [UInt8].self) { group in
            for number in 0..<20 {
                group.addTask {
                    try DurableFile(path).create(SystemRandom().bytes(32), draft: "\(path).\(number).new")
                    return try DurableFile(path).read(limit: 33) ?? []
                }
            }
            return try await group.reduce(into: Set<[UInt8]>()) { $0.insert($1) }
        }
        #expect(secrets.count == 1)
        #expect(secrets.first?.count == 32)
        #expect(try mode(path) == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["secret.key"])
    }

    @Test(
        "The folder of a path is its parent folder",
        arguments: [("/a/b", "/a"), ("/a", "/"), ("a", "."), ("a/b/c", "a/b")])
    func parent(path: String, folder: String) {
        #expect(DurableFile.folder(of: path) == folder)
    }
}
