import Accounts
import Kernel
import Storage

/// The new secrets of one source, with the values to store.
struct SourceSecrets {
    let secret: String
    let secretHash: [UInt8]
    let passphrase: String?
    let sealedPassphrase: [UInt8]?

    init(for kind: SourceKind, random: any RandomSource, box: SecretBox) throws {
        secret = SourceSecret.make(byteCount: SourceSecret.secretBytes, random: random)
        secretHash = SourceSecret.hash(secret)
        passphrase =
            kind == .owntracks ? SourceSecret.make(byteCount: SourceSecret.passphraseBytes, random: random) : nil
        sealedPassphrase = try passphrase.map { try box.seal(Array($0.utf8)) }
    }
}

extension NewSource {
    init(_ source: Source, _ created: SourceSecrets) {
        self.init(
            source: source,
            path: source.kind == .owntracks ? "/ingest/owntracks" : "/ingest/osmand?id=\(created.secret)",
            user: source.user, secret: created.secret, passphrase: created.passphrase
        )
    }
}
