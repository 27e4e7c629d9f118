import HTTPTypes
import Hummingbird
import Kernel
import Translations

/// Checks the target and headers of every request before they are compared, hashed or decoded. Later readers get ASCII
/// headers, and a query in the Stream-Safe Text Format without U+0000.
struct RequestHeadCheck {
    /// The reason to reject a request.
    enum Problem: Equatable {
        /// The path has more than ``Limits/pathBytes``, or the query more than ``Limits/queryBytes``.
        case length
        /// One of the ``semanticHeaders`` headers contains bytes outside ASCII.
        case header
        /// The target, percent sequences decoded, has too many combining marks in a row.
        case marks
        /// The query has more than ``Limits/formFields`` values.
        case values
        /// These query values contain U+0000, which no stored text may contain.
        case null(names: [String])
    }

    /// The headers in which bytes outside ASCII make the request invalid, because the request would have another
    /// meaning without them. Any other header that isn't ASCII is removed.
    static let semanticHeaders: Set<HTTPField.Name> = [
        .authorization, .contentType, .contentEncoding, .expect, .origin, .ifMatch, .ifNoneMatch, .ifModifiedSince,
        .ifUnmodifiedSince, .range, .idempotencyKey, .homewardAccount, .secFetchSite, .secFetchMode, .hxRequest,
        .hxBoosted,
        .hxHistoryRestore, .xForwardedFor, .forwarded, .lastEventID,
    ]

    /// The request without its invalid parts. If there is a problem, the response is based on this request.
    let request: Request
    /// The reason to reject the request; `nil` if it is valid.
    let problem: Problem?

    init(_ original: Request) {
        var head = original.head
        var found: Problem?
        var isChanged = false
        // Before anything else works with the target.
        if let target = head.path, Self.isTooLong(target) {
            head.path = "/"
            found = .length
            isChanged = true
        }
        if !Self.isASCII(head.headerFields) {
            if head.headerFields.contains(where: { Self.semanticHeaders.contains($0.name) && !Self.isASCII($0) }) {
                found = found ?? .header
            }
            head.headerFields = Self.onlyASCII(head.headerFields)
            isChanged = true
        }
        if let authority = head.authority, !authority.utf8.allSatisfy({ $0 < 0x80 }) {
            head.authority = nil
            found = found ?? .header
            isChanged = true
        }
        if let target = head.path, let problem = Self.problem(of: target) {
            found = found ?? problem
            head.path = Self.harmless(target)
            isChanged = true
        }
        problem = found
        request = isChanged ? Request(head: head, body: original.body) : original
    }

    private static func isTooLong(_ target: String) -> Bool {
        guard target.utf8.count > Limits.pathBytes else { return false }
        guard target.utf8.count <= Limits.pathBytes + 1 + Limits.queryBytes else { return true }
        let path = target.utf8.prefix { $0 != UInt8(ascii: "?") }.count
        return path > Limits.pathBytes || target.utf8.count - path - 1 > Limits.queryBytes
    }

    private static func isASCII(_ fields: HTTPFields) -> Bool { fields.allSatisfy(isASCII) }

    private static func isASCII(_ field: HTTPField) -> Bool {
        field.withUnsafeBytesOfValue { bytes in bytes.allSatisfy { $0 < 0x80 } }
    }

    /// Only the cookies that aren't ASCII are removed: many programs on one host set cookies.
    private static func onlyASCII(_ fields: HTTPFields) -> HTTPFields {
        var kept = HTTPFields()
        for field in fields {
            if isASCII(field) {
                kept.append(field)
            } else if field.name == .cookie {
                let cookies = field.withUnsafeBytesOfValue { bytes in
                    bytes.split(separator: UInt8(ascii: ";")).filter { $0.allSatisfy { $0 < 0x80 } }.map(Array.init)
                }
                kept.append(HTTPField(name: .cookie, value: Array(cookies.joined(separator: [UInt8(ascii: ";")]))))
            }
        }
        return kept
    }

    private static func problem(of target: String) -> Problem? {
        let bytes = Array(target.utf8)
        // Most targets contain nothing to decode.
        let isPlain = bytes.allSatisfy { $0 < 0x80 && $0 != UInt8(ascii: "%") }
        if !isPlain, !StreamSafeText.isValid(percentEncoded: bytes) { return .marks }
        guard let mark = bytes.firstIndex(of: UInt8(ascii: "?")) else { return nil }
        let query = Array(bytes[(mark + 1)...].prefix { $0 != UInt8(ascii: "#") })
        let values = query.reduce(into: 1) { count, byte in count += byte == UInt8(ascii: "&") ? 1 : 0 }
        guard values <= Limits.formFields else { return .values }
        guard !isPlain, let pairs = URLEncodedForm.pairs(of: query, lenient: true) else { return nil }
        let names = pairs.filter { $0.value.utf8.contains(0) }.map(\.name)
        return names.isEmpty ? nil : .null(names: names)
    }

    /// The target's path if it needs no decoding: the page and language of the error response depend on it.
    private static func harmless(_ target: String) -> String {
        let path = target.utf8.prefix { $0 != UInt8(ascii: "?") }
        let isPlain = path.allSatisfy { $0 < 0x80 && $0 != UInt8(ascii: "%") }
        return isPlain ? String(Substring(path)) : "/"
    }
}

extension RequestHeadCheck.Problem {
    /// The error for the client.
    func refusal(in language: Language) -> AppError {
        let t = Translations.translator(language)
        switch self {
        case .length: return AppError(.malformed, t("This address is too long."), status: 414)
        case .header: return AppError(.malformed, t("A header of this request contains characters outside ASCII."))
        case .marks: return AppError(.malformed, t("This address has too many combining marks in a row."))
        case .values: return AppError(.malformed, t("This request can’t be read."))
        case .null(let names):
            let fields = Dictionary(names.map { ($0, t("Remove the null character.")) }) { first, _ in first }
            return AppError(.invalid, t("Check what is marked."), fields: fields)
        }
    }
}
