import Storage
import Testing

@testable import Carrepsa

@Suite("Carrepsa's migrations")
struct MigrationTests {
    @Test("Released migrations are unchanged")
    func frozen() {
        let digests = CarrepsaServices.migrations.map { "\($0.name) \($0.digest)" }
        let shipped = [
            "0001-packages 0bbd83cec15449c0f4043297f986525d987d9102f7c2fd8a9de4d9bee2f1a83b",
            "0002-lapsed-offers b10dbf40c3551eb51061bfb84af2a3a09759f915f06c315e5e1abf669ab227ad",
            "0003-reminders 9e60c58a13566d0d015042e871ebe20eec2c67896085f7b80c21f5864a8576d2",
            "0004-statements 3eb079eb6c81fedfdbd61b6d80c6a3d855f2caf9ad4a4c753ab5f8f3f90dabeb",
        ]
        #expect(digests == shipped)
    }
}
