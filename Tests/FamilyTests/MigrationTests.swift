import Storage
import Testing

@testable import Family

@Suite("Family's migrations")
struct MigrationTests {
    @Test("Released migrations are never edited")
    func frozen() {
        let digests = FamilyServices.migrations.map { "\($0.name) \($0.digest)" }
        let shipped = [
            "0001-households 3d5d876e59bce50b9339c20612b756301e579e4d8e3d8dd76664d5b81286bbab",
            "0002-removals a65ca7075431e395cb95d3352f6260057f93131b88bcf3fd20c4b7cbd80934b1",
            "0003-withdrawn-removals ec7ebf758ecf986f58da2f498e15915e1fd52281d70c36c3e36700a73762a4a0",
            "0004-first-steps c6b97d572e6fecbbd0de69dfd39b8d05dc2357abfdc036bdaef680464575b668",
        ]
        #expect(digests == shipped)
    }
}
