import Storage
import Testing

@testable import Tracking

@Suite("Tracking's migrations")
struct MigrationTests {
    @Test("what was shipped is never edited: a change is a new migration")
    func frozen() {
        let digests = TrackingService.migrations.map { "\($0.name) \($0.digest)" }
        let shipped = [
            "0001-items dfaa3c397cdd73d14a6d28228acd3e059e39dafd9f9277fca7be91545d48709f",
            "0002-trackers 1d9001413719528c9d92583dca0b8bf39bdbdfae8b38e64c3c78edede8a49440",
            "0003-sources 27f147fa9f9b8143c4ecf36307b02bf6abc801cc1b2c98a37110742d07272e6a",
            "0004-endings 2dec8a693576dbfd40d2b37851532f24a48268447a404ce1172e0a4a765f4b88",
            "0005-alerts fe27ede7344b5b8e5a8849045bc713490e01d09f33222f23cfd9ed1e5e99ccaa",
        ]
        #expect(digests == shipped)
    }
}
