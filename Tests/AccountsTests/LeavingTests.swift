import Accounts
import Foundation
import Kernel
import Pictures
import Storage
import TestSupport
import Testing

/// What an app might keep: a few notes in a table of its own.
private struct Notes: AccountCompanion {
    static let migrations = [
        Migration(
            module: "notes", name: "0001-notes",
            sql: "CREATE TABLE note (account_id {text} NOT NULL REFERENCES account(id), words {text} NOT NULL) {strict}"
        )
    ]

    func export(_ person: PersonID, in tx: Transaction) throws -> [(path: String, contents: [UInt8])] {
        let rows = try tx.rows("SELECT words FROM note WHERE account_id = \(person) ORDER BY words")
        return try rows.enumerated().map { number, row in
            ("notes/ä \(number).txt", Array(try row.get("words", as: String.self).utf8))
        }
    }

    func attachments(of person: PersonID) async throws -> [ExportAttachment] {
        [
            ExportAttachment(path: "notes/large.bin") { [UInt8](repeating: 7, count: 300_000) },
            ExportAttachment(path: "notes/gone.bin") { nil },
        ]
    }

    func erase(_ person: PersonID, in tx: Transaction) throws {
        try tx.execute("DELETE FROM note WHERE account_id = \(person)")
    }

    static func add(_ words: String, of person: PersonID, to database: Database) async throws {
        try await database.write { tx in
            try tx.execute("INSERT INTO note (account_id, words) VALUES (\(person), \(words))")
        }
    }
}

@Suite("Leaving")
struct LeavingTests {
    private func withNotes(_ engine: Engine, _ body: (AccountsHouse) async throws -> Void) async throws {
        try await withDatabase(engine, migrations: accountTables + Notes.migrations) { database in
            try await body(AccountsHouse(database, companions: [Notes()]))
        }
    }

    @Test("the export opens as a zip and holds everything but secrets", arguments: Engine.allCases)
    func export(engine: Engine) async throws {
        try await withNotes(engine) { house in
            let mia = try await house.join()
            try await Notes.add("buy milk", of: mia.account.id, to: house.database)
            let export = try await house.service.export(mia.actor)
            #expect(export.fileName == "homeward-2026-03-01.zip")
            var bytes: [UInt8] = []
            for try await piece in export { bytes += piece }
            let folder = try TemporaryFolder()
            let file = folder.file("export.zip")
            try Data(bytes).write(to: URL(filePath: file))
            let script = """
                import json, sys, zipfile
                archive = zipfile.ZipFile(sys.argv[1])
                assert archive.testzip() is None
                names = ["account.json", "devices.json", "notes/ä 0.txt", "notes/large.bin"]
                assert archive.namelist() == names, archive.namelist()
                assert archive.read("notes/ä 0.txt") == b"buy milk"
                assert archive.read("notes/large.bin") == bytes([7]) * 300000
                assert archive.getinfo("account.json").date_time == (2026, 3, 1, 12, 0, 0)
                account = json.loads(archive.read("account.json"))
                assert account["email"] == "mia@example.org" and account["name"] == "Mia", account
                assert len(json.loads(archive.read("devices.json"))) == 1
                assert not any("scrypt" in archive.read(name).decode("utf-8", "replace") for name in archive.namelist())
                """
            let process = Process()
            process.executableURL = URL(filePath: "/usr/bin/env")
            process.arguments = ["python3", "-c", script, file]
            try process.run()
            process.waitUntilExit()
            #expect(process.terminationStatus == 0)
        }
    }

    @Test("deletion takes the password, and everything of the person with it", arguments: Engine.allCases)
    func delete(engine: Engine) async throws {
        try await withNotes(engine) { house in
            let mia = try await house.join()
            let ben = try await house.join("ben@example.org")
            try await Notes.add("mine", of: mia.account.id, to: house.database)
            try await Notes.add("his", of: ben.account.id, to: house.database)
            for (password, code) in [("wrong", AppError.Code.invalid), ("", .invalid)] {
                let error = try await refusal { try await house.service.delete(mia.actor, password: password) }
                #expect(error?.code == code)
                #expect(error?.fields.keys.sorted() == ["password"])
            }
            #expect(try await house.isGood(mia))
            try await house.service.delete(mia.actor, password: "correct horse")
            #expect(try await !house.isGood(mia))
            #expect(try await house.isGood(ben))
            try await expectRefusal(.unauthenticated) { _ = try await house.signIn() }
            let left: [String] = try await house.database.read { tx in
                try tx.rows("SELECT words FROM note").map { try $0.get("words") }
            }
            #expect(left == ["his"])
            #expect(try await house.service.accounts(after: nil).map(\.id) == [ben.account.id])
            try await house.join()
        }
    }

    @Test("when an app can't let go, nothing is deleted", arguments: Engine.allCases)
    func refusedByApp(engine: Engine) async throws {
        try await withHouse(engine, companions: [Stubborn()]) { house in
            let mia = try await house.join()
            let error = try await refusal { try await house.service.delete(mia.actor, password: "correct horse") }
            #expect(error?.code == .conflict)
            #expect(try await house.isGood(mia))
        }
    }

    @Test("an avatar goes with its account", arguments: Engine.allCases)
    func avatar(engine: Engine) async throws {
        try await withHouse(engine, companions: [PictureRows()]) { house in
            let mia = try await house.join()
            let picture = ID<Picture>(at: house.clock.now, random: house.random)
            try await house.database.write { tx in
                try tx.execute(
                    """
                    INSERT INTO picture (id, owner_id, width, height, media_type, digest, created_at)
                    VALUES (\(picture), \(mia.account.id), 1, 1, 'image/jpeg', \([UInt8](repeating: 0, count: 32)), 0)
                    """
                )
            }
            let changed = try await house.service.update(
                ProfileChanges(avatarPictureID: .set(picture)), by: mia.change
            )
            #expect(changed.avatarPictureID == picture)
            let ben = try await house.join("ben@example.org")
            let error = try await refusal {
                _ = try await house.service.update(ProfileChanges(avatarPictureID: .set(picture)), by: ben.change)
            }
            #expect(error?.fields.keys.sorted() == ["avatarPictureId"])
            try await house.service.delete(mia.actor, password: "correct horse")
            let rows = try await house.database.read { try $0.rows("SELECT id FROM picture").count }
            #expect(rows == 0)
        }
    }
}

/// An app with something open.
private struct Stubborn: AccountCompanion {
    func export(_ person: PersonID, in tx: Transaction) throws -> [(path: String, contents: [UInt8])] { [] }
    func erase(_ person: PersonID, in tx: Transaction) throws {
        throw AppError(.conflict, "There is a parcel on its way.")
    }
}

/// The rows of pictures, without the library's files.
private struct PictureRows: AccountCompanion {
    func export(_ person: PersonID, in tx: Transaction) throws -> [(path: String, contents: [UInt8])] { [] }
    func erase(_ person: PersonID, in tx: Transaction) throws { try PictureLibrary.removeAll(of: person, in: tx) }
}
