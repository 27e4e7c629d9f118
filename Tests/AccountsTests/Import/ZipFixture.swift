import Foundation
import Kernel

@testable import Accounts

/// An archive in memory.
struct MemoryArchive: ArchiveBytes {
    let bytes: [UInt8]

    var count: Int { bytes.count }

    func read(from offset: Int, count: Int) async throws -> [UInt8] {
        guard offset >= 0, count >= 0, offset + count <= bytes.count else { throw ZipError.damaged }
        return Array(bytes[offset..<offset + count])
    }
}

enum ZipFixture {
    /// Returns an archive as the export writes it.
    /// - Parameter largest: see ``ZipWriter``; a low number makes ZIP64.
    static func archive(_ files: [(String, [UInt8])], largest: UInt64 = UInt64(UInt32.max)) throws -> [UInt8] {
        var writer = ZipWriter(at: Instant(millisecondsSince1970: 1_772_366_400_000), largest: largest)
        var bytes: [UInt8] = []
        for (index, (path, contents)) in files.enumerated() {
            if index % 3 == 2, UInt64(contents.count) < largest {
                bytes += try writer.store(path, contents)
            } else {
                bytes += try writer.begin(path, mayBeLarge: largest < UInt64(UInt32.max))
                bytes += try writer.append(contents)
                bytes += try writer.end()
            }
        }
        return bytes + writer.finish()
    }

    /// Returns an archive that a Python program writes to `archive`, an open `zipfile.ZipFile`.
    static func python(_ script: String) throws -> [UInt8] {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        let opening = """
            import io, sys, warnings, zipfile
            warnings.simplefilter("ignore")
            file = io.BytesIO()
            archive = zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED)

            """
        let ending = "\narchive.close()\nsys.stdout.buffer.write(file.getvalue())"
        process.arguments = ["python3", "-c", opening + script + ending]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return Array(bytes)
    }

    /// Reads all files.
    static func contents(of archive: [UInt8]) async throws -> [String: [UInt8]] {
        let reader = try await ZipReader(MemoryArchive(bytes: archive))
        var found: [String: [UInt8]] = [:]
        for entry in reader.entries {
            var bytes: [UInt8] = []
            for try await piece in reader.contents(of: entry) { bytes += piece }
            found[entry.path] = bytes
        }
        return found
    }
}
