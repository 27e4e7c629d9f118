@testable import Accounts
@testable import Backups
@testable import Kernel
@testable import MapFiles
@testable import Pictures
@testable import Tracking

/// Files that people upload, and files of maps, archives and backups.
extension OutsideReader {
    private struct Archive: ArchiveBytes {
        let bytes: [UInt8]

        var count: Int { bytes.count }

        func read(from offset: Int, count: Int) async throws -> [UInt8] {
            guard offset >= 0, count >= 0, offset <= bytes.count, count <= bytes.count - offset else {
                throw ZipError.damaged
            }
            return Array(bytes[offset..<offset + count])
        }
    }

    private final class Source: BackupSource {
        private var rest: ArraySlice<UInt8>

        init(_ bytes: [UInt8]) { rest = bytes[...] }

        func read(upTo count: Int) async throws -> [UInt8] {
            defer { rest = rest.dropFirst(count) }
            return Array(rest.prefix(count))
        }
    }

    private final class Target: BackupTarget {
        var bytes: [UInt8] = []
        var byteCount: Int64 { Int64(bytes.count) }

        func write(_ bytes: [UInt8]) async throws { self.bytes += bytes }
        func finish() async throws {}
        func discard() {}
    }

    static let files: [OutsideReader] = [
        OutsideReader(
            "list of an import", "Accounts/Import/ImportArchive.swift", "Accounts/Import/ImportObject.swift",
            limit: Limits.importJSONBytes, frames: [("", ""), ("[", "{}]"), ("[{\"a\":[", "1]}]")]
        ) { bytes in
            let objects = try ImportArchive.list(of: bytes, in: "a.json", atMost: .max, repeatsBrackets: true)
            for object in objects { _ = try? object.texts("a", atMost: .max) }
        },
        OutsideReader(
            "archive of an import", "Accounts/Import/ZipDirectory.swift", "Accounts/Import/ZipReader.swift",
            limit: Limits.importDirectoryBytes,
            frames: [("", ""), ("", "PK\u{5}\u{6}" + String(repeating: "\0", count: 18))]
        ) { _ = try await ZipReader(Archive(bytes: $0)) },
        OutsideReader("deflated file", fed: "Accounts/Import/Inflater.swift", limit: Limits.importPartBytes) {
            bytes, pieceBytes in
            let inflater = try Inflater()
            var rest = bytes[...]
            while !rest.isEmpty, !inflater.isFinished {
                inflater.append(Array(rest.prefix(pieceBytes)))
                rest = rest.dropFirst(pieceBytes)
                while try !inflater.next(limit: Limits.importPieceBytes).isEmpty {}
            }
        },
        OutsideReader(
            "line of a GPX file", "Tracking/Rules/GPXReader.swift", limit: Limits.importLineBytes,
            frames: [
                ("", ""), ("<trkpt lat=\"", "\""), ("<trkpt lat=\"1\" lon=\"1\"><time>", "</time>"),
                ("<gpx version=\"1.1\" creator=\"Homeward\"", ""),
            ]
        ) { bytes in
            var reader = GPXReader()
            for line in ["<?xml version=", "<gpx version=\"1.1\" creator=\"Homeward\"", "<trk><name>"] {
                _ = try? reader.read(Array(line.utf8)[...])
            }
            _ = try reader.read(bytes[...])
        },
        OutsideReader(
            "archived positions", "Tracking/Archive/FixSegmentFormat.swift", limit: Limits.segmentBytes,
            frames: [("", ""), ("HWFIXSEG", "")]
        ) { _ = try FixSegmentFormat.segment($0) },
        OutsideReader(
            "backup", "Backups/SealedReader.swift", "Backups/ArchiveReader.swift", limit: Limits.backupPartBytes,
            frames: [("", ""), ("HWBACKUP\0\u{1}", ""), ("\0\rmanifest.json\0\0\0\0\0\0\0\u{7f}", "")]
        ) { bytes in
            let key = try BackupKey(bytes: [UInt8](repeating: 1, count: BackupKey.byteCount))
            _ = try? await ArchiveReader(Source(bytes), key: key)
            // What a person with the key can make.
            let target = Target()
            let writer = try SealedWriter(target, key: key)
            try await writer.write(bytes)
            try await writer.finish()
            let reader = try await ArchiveReader(Source(target.bytes), key: key)
            while try await reader.next() != nil {}
        },
        OutsideReader("list of objects of a backup", "Backups/BackupManifest.swift", limit: Limits.backupPartBytes) {
            _ = try BackupObject.read($0)
        },
        text("recovery key", "Backups/BackupKey.swift", limit: Limits.backupSmallEntryBytes) {
            _ = try BackupKey(recoveryKey: $0)
        },
        OutsideReader(
            "header and directory of a PMTiles file", "MapFiles/PMTilesDirectory.swift", "MapFiles/PMTilesHeader.swift",
            limit: Limits.mapDirectoryBytes, frames: [("", ""), ("\u{7f}", ""), ("PMTiles\u{3}", "")]
        ) { bytes in
            _ = try? PMTilesHeader(bytes, fileBytes: UInt64(bytes.count))
            _ = try PMTilesDirectory(bytes)
        },
        OutsideReader("compressed part of a map file", "MapFiles/Gunzip.swift", limit: Limits.mapDirectoryBytes) {
            _ = try Gunzip.unpack($0, limit: Limits.mapDirectoryBytes, part: "it")
        },
        OutsideReader(
            "attribution of a map file", "MapFiles/MapFileMetadata.swift", limit: Limits.mapMetadataBytes,
            frames: [("", ""), ("<a href", ">a</a>"), ("<a href=\"", "\">a</a>")]
        ) { _ = MapAttribution(html: String(decoding: $0, as: UTF8.self)) },
        OutsideReader(
            "header of a picture", "Pictures/Decoding/PictureFormat.swift", "Pictures/Decoding/PictureHeader.swift",
            "Pictures/Decoding/JPEGHeader.swift", "Pictures/Decoding/PNGHeader.swift",
            "Pictures/Decoding/WebPHeader.swift", "MapFiles/TileFormat.swift", limit: Limits.pictureBytes
        ) { bytes in
            _ = TileFormat(of: bytes)
            _ = PictureFormat(bytes)
            for (start, format) in pictureStarts { _ = try? PictureHeader(start + bytes, format: format) }
        },
        OutsideReader(
            "EXIF of a picture", "Pictures/Decoding/ExifData.swift", "Pictures/Decoding/Orientation.swift",
            limit: Int(UInt16.max),
            frames: [("", ""), ("II*\0\u{8}\0\0\0", "")]
        ) { _ = Orientation(exif: $0) },
        OutsideReader("file of settings", "Kernel/SettingsFile.swift", limit: Limits.settingsFileBytes) {
            _ = try SettingsFile($0)
        },
        OutsideReader(
            "response of the picture decoder", "Pictures/Worker/WorkerResponse.swift",
            limit: Limits.pictureResponseBytes
        ) { _ = WorkerResponse($0) },
    ]

    private static let pictureStarts: [([UInt8], PictureFormat)] = [
        ([0xff, 0xd8, 0xff], .jpeg), ([0xff, 0xd8, 0xff, 0xc0, 0, 0x11, 8, 0, 1, 0, 1], .jpeg),
        ([0x89] + Array("PNG\r\n\u{1a}\n\0\0\0\rIHDR\0\0\0\u{1}\0\0\0\u{1}\u{8}\0\0\0\0\0\0\0\0".utf8), .png),
        (Array("RIFF\0\0\u{1}\0WEBPVP8X\n\0\0\0\0\0\0\0\0\0\0\0\0\0".utf8), .webp),
    ]
}
