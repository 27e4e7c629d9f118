import Storage
import Testing

@testable import Tracking

@Suite("Tracking's migrations")
struct MigrationTests {
    @Test("Released migrations don't change")
    func frozen() {
        let digests = TrackingServices.migrations.map { "\($0.name) \($0.digest)" }
        let shipped = [
            "0001-items dfaa3c397cdd73d14a6d28228acd3e059e39dafd9f9277fca7be91545d48709f",
            "0002-trackers 1d9001413719528c9d92583dca0b8bf39bdbdfae8b38e64c3c78edede8a49440",
            "0003-sources 27f147fa9f9b8143c4ecf36307b02bf6abc801cc1b2c98a37110742d07272e6a",
            "0004-endings 2dec8a693576dbfd40d2b37851532f24a48268447a404ce1172e0a4a765f4b88",
            "0005-alerts fe27ede7344b5b8e5a8849045bc713490e01d09f33222f23cfd9ed1e5e99ccaa",
            "0006-item-defaults aaedb6f06b6307cb64e90787b02a17dc74458367ca911f33f09446939e100602",
            "0007-hologram 40d32aa1c18e47d11d14ab481202cb1ce2d9651d624ca97140e06a727e9aa3da",
            "0008-archive cc90a4f7edb7d37d61467b6e4f2a3d8f2f0901d657e9f6fe695b643f6b63346d",
            "0009-registrations 03b475767320ee79a8fbc0ef78409427a7b8e8b3fc77a46b021ba4322ad93a91",
            "0010-former-owners f24222e48877ecfc5bdcc05b676bf57a2222cc295c19675f7e1fb7060a0894b7",
            "0011-unconfirmed-switches 7adf0e706251ff5cd0da24d62e2d1fb884930628f778455f6167bdd33661a9ab",
            "0012-disowned-histories 0a003f619fb65006704b084a3bfefdd2aaeb031ce87af68efb9f8b526867d09d",
            "0013-counted-fixes 8837fd1e3c1f98626490b0650802690eae38acdd22902ea38941ce0d0cf477f3",
            "0014-remaining-fixes 1c70935e834cbe1496e44c8ce41411d9942517f320fd4ac951edce531f7cc587",
        ]
        #expect(digests == shipped)
    }
}
