import Foundation
import Kernel
import Pictures
import Storage
import TestSupport
import Testing

@testable import Accounts

@Suite("Deletion of an account")
struct LeavingTests {
    @Test("Deletion requires the password, and deletes all data of the person", arguments: Engine.allCases)
    func delete(engine: Engine) async throws {
        try await withNotes(engine) { fixture in
            let mia = try await fixture.join()
            let ben = try await fixture.join("ben@example.org")
            try await Notes.add("mine", of: mia.account.id, to: fixture.database)
            try await Notes.add("his", of: ben.account.id, to: fixture.database)
            for (password, code) in [("wrong", AppError.Code.invalid), ("", .invalid)] {
                let error = try await refusal {
                    try await fixture.service.deletions.delete(mia.actor, password: password)
                }
                #expect(error?.code == code)
                #expect(error?.fields.keys.sorted() == ["password"])
            }
            #expect(try await fixture.isValid(mia))
            try await fixture.service.deletions.delete(mia.actor, password: "correct horse")
            #expect(try await !fixture.isValid(mia))
            #expect(try await fixture.isValid(ben))
            try await expectRefusal(.unauthenticated) { _ = try await fixture.signIn() }
            let left: [String] = try await fixture.database.read { tx in
                try tx.rows("SELECT words FROM note").map { try $0.get("words") }
            }
            #expect(left == ["his"])
            #expect(try await fixture.service.administrators.accounts(after: nil).map(\.id) == [ben.account.id])
            try await fixture.join()
        }
    }

    @Test("PostgreSQL: while an account is changed, rows that refer to it can be inserted without a wait")
    func changedWithoutBlocking() async throws {
        try await withNotes(.postgres) { fixture in
            let mia = try await fixture.join()
            let (database, person) = (fixture.database, mia.account.id)
            let addition = try await database.write { tx in
                _ = try AccountStore.lockedAccount(person, in: tx)
                let isDone = DispatchSemaphore(value: 0)
                let addition = Task {
                    defer { isDone.signal() }
                    try await database.write { other in
                        try other.execute("SET LOCAL lock_timeout = '2s'")
                        try other.execute("INSERT INTO note (account_id, words) VALUES (\(person), 'concurrent')")
                    }
                }
                isDone.wait()
                return addition
            }
            try await addition.value
        }
    }

    @Test("When an app refuses the deletion, nothing is deleted", arguments: Engine.allCases)
    func refusedByApp(engine: Engine) async throws {
        try await withFixture(engine, dataHandlers: [RefusingDataHandler()]) { fixture in
            let mia = try await fixture.join()
            let error = try await refusal {
                try await fixture.service.deletions.delete(mia.actor, password: "correct horse")
            }
            #expect(error?.code == .conflict)
            #expect(try await fixture.isValid(mia))
        }
    }

    @Test("An account's avatar is deleted with the account", arguments: Engine.allCases)
    func avatar(engine: Engine) async throws {
        try await withFixture(engine, dataHandlers: [PictureRows()]) { fixture in
            let mia = try await fixture.join()
            let picture = ID<Picture>(at: fixture.clock.now, random: fixture.random)
            try await fixture.database.write { tx in
                try tx.execute(
                    """
                    INSERT INTO picture (id, owner_id, width, height, media_type, digest, created_at)
                    VALUES (\(picture), \(mia.account.id), 1, 1, 'image/jpeg', \([UInt8](repeating: 0, count: 32)), 0)
                    """
                )
            }
            let changed = try await fixture.service.profiles.update(
                ProfileChanges(avatarPictureID: .set(picture)), by: mia.change
            )
            #expect(changed.avatarPictureID == picture)
            let ben = try await fixture.join("ben@example.org")
            let error = try await refusal {
                _ = try await fixture.service.profiles.update(
                    ProfileChanges(avatarPictureID: .set(picture)), by: ben.change)
            }
            #expect(error?.fields.keys.sorted() == ["avatarPictureId"])
            try await fixture.service.deletions.delete(mia.actor, password: "correct horse")
            let rows = try await fixture.database.read { try $0.rows("SELECT id FROM picture").count }
            #expect(rows == 0)
        }
    }
}

/// An app that refuses the deletion.
private struct RefusingDataHandler: TestDataHandler {
    func export(_ person: PersonID, in tx: Transaction) throws -> [(path: String, contents: [UInt8])] { [] }
    func erase(_ person: PersonID, in tx: Transaction) throws {
        throw AppError(.conflict, "There is a parcel on its way.")
    }
}

/// Deletes the rows of pictures, without the library's files.
private struct PictureRows: TestDataHandler {
    func export(_ person: PersonID, in tx: Transaction) throws -> [(path: String, contents: [UInt8])] { [] }
    func erase(_ person: PersonID, in tx: Transaction) throws { try PictureLibrary.removeAll(of: person, in: tx) }
}
