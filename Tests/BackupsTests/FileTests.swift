import Foundation
import Kernel
import TestSupport
import Testing

@testable import Backups

@Suite("Files of backups")
struct FileTests {
    @Test("A file gets its name when it is published, and replaces none")
    func publishing() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("home.backup")
        let target = try FileTarget(path)
        try target.write([1, 2, 3])
        try target.finish()
        #expect(!FileManager.default.fileExists(atPath: path))
        try target.publish()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["home.backup"])
        #expect(try FileSource(path).read(upTo: 10) == [1, 2, 3])
        #expect(throws: BackupError.exists(path)) { try FileTarget(path) }
    }

    @Test("What an interrupted backup left is overwritten, and a second one at the same time is refused")
    func leftovers() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("home.backup")
        try Data(repeating: 9, count: 1_000).write(to: URL(fileURLWithPath: "\(path).partial"))
        let target = try FileTarget(path)
        #expect(throws: BackupError.busy(path)) { try FileTarget(path) }
        try target.write([1])
        try target.finish()
        try target.publish()
        #expect(try FileSource(path).read(upTo: 10) == [1])
    }

    @Test("A folder that doesn't exist is named")
    func missingFolder() throws {
        let error = #expect(throws: BackupError.self) { try FileTarget("/nonexistent/home.backup") }
        #expect(error?.description.contains("/nonexistent/home.backup.partial") == true)
    }

    @Test("Temporary folders of ended processes are removed, those in use stay")
    func scratch() throws {
        let data = try TemporaryFolder()
        let used = try ScratchFolder(in: data.path, random: SeededRandom(seed: 1))
        let left = "\(data.path)/scratch/left"
        try FileManager.default.createDirectory(atPath: left, withIntermediateDirectories: true)
        try Data().write(to: URL(fileURLWithPath: "\(left)/lock"))
        ScratchFolder.removeLeftovers(in: data.path)
        #expect(!FileManager.default.fileExists(atPath: left))
        #expect(FileManager.default.fileExists(atPath: used.path))
    }
}
