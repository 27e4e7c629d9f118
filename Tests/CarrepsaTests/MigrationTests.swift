import Storage
import Testing

@testable import Carrepsa

@Suite("Carrepsa's migrations")
struct MigrationTests {
    @Test("what was shipped is never edited: a change is a new migration")
    func frozen() {
        let digests = CarrepsaService.migrations.map { "\($0.name) \($0.digest)" }
        let shipped = ["0001-packages 0bbd83cec15449c0f4043297f986525d987d9102f7c2fd8a9de4d9bee2f1a83b"]
        #expect(digests == shipped)
    }
}
