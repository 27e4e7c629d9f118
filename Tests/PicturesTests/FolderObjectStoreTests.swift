import Foundation
import Kernel
import Objects
import TestSupport
import Testing

@Suite("Objects in a folder")
struct FolderObjectStoreTests {
    private let folder: TemporaryFolder
    private let root: String
    private let store: FolderObjectStore

    init() throws {
        folder = try TemporaryFolder()
        root = folder.file("objects/here")
        store = try FolderObjectStore(folder: root)
    }

    @Test("Objects can be stored, read, replaced, listed and deleted")
    func roundTrip() async throws {
        try await store.put([1, 2, 3], at: "a/b/c.jpg")
        #expect(try await store.get("a/b/c.jpg") == [1, 2, 3])
        try await store.put([], at: "a/b/c.jpg")
        #expect(try await store.get("a/b/c.jpg") == [])
        try await store.delete("a/b/c.jpg")
        #expect(try await store.get("a/b/c.jpg") == nil)
        try await store.delete("a/b/c.jpg")
    }

    @Test("Another store on the same folder has the same objects")
    func shared() async throws {
        try await store.put([7], at: "x")
        #expect(try await FolderObjectStore(folder: root + "/").get("x") == [7])
    }

    @Test("Keys are listed in order, below any prefix")
    func listing() async throws {
        for key in ["b/2", "b/1", "a", "b/sub/3", "bc"] { try await store.put([0], at: key) }
        #expect(try await store.keys(below: "") == ["a", "b/1", "b/2", "b/sub/3", "bc"])
        #expect(try await store.keys(below: "b") == ["b/1", "b/2", "b/sub/3", "bc"])
        #expect(try await store.keys(below: "b/") == ["b/1", "b/2", "b/sub/3"])
        #expect(try await store.keys(below: "b/sub/") == ["b/sub/3"])
        #expect(try await store.keys(below: "nothing/here/") == [])
    }

    @Test("A folder isn't an object")
    func folders() async throws {
        try await store.put([0], at: "a/b")
        #expect(try await store.get("a") == nil)
        #expect(try await store.get("a/b/c") == nil)
        await #expect(throws: ObjectStoreError.self) { try await store.put([1], at: "a") }
        #expect(try await store.keys(below: "") == ["a/b"])
    }

    @Test(
        "Keys that could leave the folder or are ambiguous are rejected",
        arguments: [
            "", "/", "/etc/passwd", "..", "../x", "a/../b", "a/./b", "a//b", "a/", ".hidden", "a/.hidden", "A", "ä",
            "a b", "a\0b",
            "a\\b", String(repeating: "a", count: 256),
        ]
    )
    func invalidKeys(key: String) async throws {
        await #expect(throws: ObjectStoreError.invalidKey) { try await store.put([1], at: key) }
        await #expect(throws: ObjectStoreError.invalidKey) { try await store.get(key) }
        await #expect(throws: ObjectStoreError.invalidKey) { try await store.delete(key) }
        #expect(!FileManager.default.fileExists(atPath: folder.file("x")))
    }

    @Test("Only the server's user can read objects")
    func permissions() async throws {
        try await store.put([1], at: "a/b")
        #expect(try mode(root) == 0o700)
        #expect(try mode(root + "/a") == 0o700)
        #expect(try mode(root + "/a/b") == 0o600)
    }

    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test("Unfinished files are never listed, and are deleted once they are old")
    func interrupted() async throws {
        let leftover = root + "/.incoming/1234"
        #expect(FileManager.default.createFile(atPath: leftover, contents: Data([1, 2])))
        let written = Instant(millisecondsSince1970: 1_700_000_000_000)
        try FileManager.default.setAttributes([.modificationDate: written.date], ofItemAtPath: leftover)
        #expect(try await store.keys(below: "") == [])
        try await store.discardInterrupted(before: written)
        #expect(FileManager.default.fileExists(atPath: leftover))
        try await store.discardInterrupted(before: written.adding(seconds: 1))
        #expect(!FileManager.default.fileExists(atPath: leftover))
    }

    @Test("A failed write leaves no file")
    func failedWrite() async throws {
        try await store.put([1], at: "a")
        await #expect(throws: ObjectStoreError.self) { try await store.put([2], at: "a/b") }
        #expect(try FileManager.default.contentsOfDirectory(atPath: root + "/.incoming") == [])
        #expect(try await store.get("a") == [1])
    }

    @Test("Concurrent writes are all stored")
    func concurrent() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<200 {
                group.addTask { try await store.put([UInt8(index)], at: "many/\(index % 10)/\(index)") }
            }
            try await group.waitForAll()
        }
        #expect(try await store.keys(below: "many/").count == 200)
        #expect(try await store.get("many/7/137") == [137])
    }

    @Test("An object above the size limit is rejected")
    func tooLarge() async throws {
        let bytes = [UInt8](repeating: 0, count: Limits.objectBytes + 1)
        await #expect(throws: ObjectStoreError.tooLarge) { try await store.put(bytes, at: "a") }
    }
}
