import Crypto
import Kernel

/// A subscription as a browser describes it (`PushSubscription.toJSON()`), before validation.
package struct PushDescription: Sendable {
    private static let secretBytes = 16

    let endpoint: String?
    let publicKey: String?
    let secret: String?

    /// Creates a description from unvalidated text.
    /// - Parameters:
    ///   - publicKey: `keys.p256dh`, base64url.
    ///   - secret: `keys.auth`, base64url.
    package init(endpoint: String?, publicKey: String?, secret: String?) {
        self.endpoint = endpoint
        self.publicKey = publicKey
        self.secret = secret
    }

    /// - Throws: `AppError(.invalid)` with all invalid fields.
    func checked(id: ID<PushSubscription>, hosts: PushHosts, language: String) throws -> PushSubscription {
        var fields: [String: NotificationMessage] = [:]
        do throws(EndpointError) {
            try hosts.check(endpoint ?? "")
        } catch {
            fields["endpoint"] = error == .unknownHost ? .hostUnknown : .endpointUnusable
        }
        let key = publicKey.flatMap(Base64URL.decoded) ?? []
        if (try? P256.KeyAgreement.PublicKey(x963Representation: key)) == nil || key.count != PushEncryption.keyBytes {
            fields["keys.p256dh"] = .keyUnusable
        }
        let secret = secret.flatMap(Base64URL.decoded) ?? []
        if secret.count != Self.secretBytes { fields["keys.auth"] = .secretUnusable }
        if let first = fields.sorted(by: { $0.key < $1.key }).first?.value {
            throw AppError(.invalid, first.rawValue, fields: fields.mapValues(\.rawValue))
        }
        return PushSubscription(
            id: id, endpoint: endpoint ?? "", publicKey: key, secret: secret, language: language
        )
    }
}
