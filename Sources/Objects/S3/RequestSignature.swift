import Crypto
import Kernel

/// Signs requests with AWS Signature Version 4 in the `Authorization` header
/// (docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html).
struct RequestSignature: Sendable {
    /// The part of a request that is signed.
    struct Subject {
        let method: String
        /// Percent-encoded, from the first slash on.
        let path: String
        /// Decoded pairs, in any order.
        var query: [(name: String, value: String)] = []
        /// The headers to sign.
        let headers: [(name: String, value: String)]
        /// The SHA-256 of the body in hexadecimal.
        let bodySHA256: String
    }

    private static let algorithm = "AWS4-HMAC-SHA256"

    let credentials: S3Credentials
    let region: String
    var service = "s3"

    /// The value of the header `Authorization`.
    func authorization(for subject: Subject, at instant: Instant) -> String {
        let names = Self.sortedHeaders(subject).map(\.name).joined(separator: ";")
        return """
            \(Self.algorithm) Credential=\(credentials.accessKey)/\(scope(at: instant)),SignedHeaders=\(names),\
            Signature=\(signature(for: subject, at: instant))
            """
    }

    func signature(for subject: Subject, at instant: Instant) -> String {
        let date = String(Self.timestamp(instant).prefix(8))
        var key = Self.hmac(date, key: Array("AWS4\(credentials.secretKey)".utf8))
        for part in [region, service, "aws4_request"] { key = Self.hmac(part, key: key) }
        return Hexadecimal.encoded(Self.hmac(stringToSign(for: subject, at: instant), key: key))
    }

    func stringToSign(for subject: Subject, at instant: Instant) -> String {
        let digest = ContentDigest.text(Array(Self.canonicalRequest(subject).utf8))
        return [Self.algorithm, Self.timestamp(instant), scope(at: instant), digest].joined(separator: "\n")
    }

    static func canonicalRequest(_ subject: Subject) -> String {
        let headers = sortedHeaders(subject)
        let lines =
            [subject.method, subject.path, canonicalQuery(subject.query)] + headers.map { "\($0.name):\($0.value)" }
            + ["", headers.map(\.name).joined(separator: ";"), subject.bodySHA256]
        return lines.joined(separator: "\n")
    }

    /// The query in canonical form, which is also valid for the request itself.
    static func canonicalQuery(_ pairs: [(name: String, value: String)]) -> String {
        pairs.map { (name: PercentEncoding.encoded($0.name), value: PercentEncoding.encoded($0.value)) }
            .sorted { ($0.name, $0.value) < ($1.name, $1.value) }
            .map { "\($0.name)=\($0.value)" }.joined(separator: "&")
    }

    /// The time as `20130524T000000Z`.
    static func timestamp(_ instant: Instant) -> String {
        instant.rfc3339.prefix(19).filter { $0 != "-" && $0 != ":" } + "Z"
    }

    private func scope(at instant: Instant) -> String {
        "\(Self.timestamp(instant).prefix(8))/\(region)/\(service)/aws4_request"
    }

    private static func sortedHeaders(_ subject: Subject) -> [(name: String, value: String)] {
        subject.headers.map { (name: $0.name.lowercased(), value: trimmed($0.value)) }.sorted { $0.name < $1.name }
    }

    /// Removes surrounding blanks and collapses inner ones.
    private static func trimmed(_ value: String) -> String {
        value.split(whereSeparator: { $0 == " " || $0 == "\t" }).joined(separator: " ")
    }

    private static func hmac(_ text: String, key: [UInt8]) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: Array(text.utf8), using: SymmetricKey(data: key)))
    }
}
