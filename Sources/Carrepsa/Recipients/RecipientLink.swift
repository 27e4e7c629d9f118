import Accounts
import Kernel

/// The secret in the address of a recipient's page, and the delivery code that belongs to it.
struct RecipientLink: Sendable {
    private static let codePurpose = "carrepsa recipient code"
    private static let pagePurpose = "carrepsa recipient page"

    let secrets: SecretBox

    /// Returns a new secret with its hash and its encrypted form.
    func make(random: any RandomSource) throws -> (secret: String, hash: [UInt8], sealed: [UInt8]) {
        let secret = Token.make(byteCount: Limits.publicSecretBytes, random: random)
        return (secret, Token.hash(secret), try secrets.seal(Array(secret.utf8)))
    }

    func open(_ sealed: [UInt8]) throws -> String { String(decoding: try secrets.open(sealed), as: UTF8.self) }

    /// Returns the delivery code of a link. It changes when the link is renewed.
    /// - Parameter hash: the hash of the link's secret.
    func code(of package: ID<Package>, hash: [UInt8]) -> String {
        let mark = secrets.mark(Array("\(package) ".utf8) + hash, purpose: Self.codePurpose)
        let bound = (0..<Limits.recipientCodeDigits).reduce(UInt64(1)) { bound, _ in bound * 10 }
        let number = mark.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) } % bound
        let digits = String(number)
        return String(repeating: "0", count: Limits.recipientCodeDigits - digits.utf8.count) + digits
    }

    /// Returns what proves that the server has shown the page of a secret, also after the link ended.
    func pageMark(of secret: String) -> String {
        Base64URL.encoded(secrets.mark(Token.hash(secret), purpose: Self.pagePurpose))
    }

    func isPageMark(_ mark: String, of secret: String) -> Bool {
        ConstantTime.isEqual(Array(mark.utf8), Array(pageMark(of: secret).utf8))
    }

    /// The path of the recipient's page.
    static func path(_ secret: String) -> String { "/deliveries/\(secret)" }
}
