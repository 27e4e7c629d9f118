import Crypto
import HTTPTypes
package import Hummingbird
package import Kernel
import NIOCore
import Synchronization
import Translations

/// A decoded request body: a JSON object, a form or a multipart form, all read in the same way.
///
/// Reading notes the error of each field instead of stopping at the first; ``check()`` then throws all of them.
package struct Fields: Sendable {
    /// Whether the body is an HTML form, in which all values are text and an empty field means null.
    package let isForm: Bool
    let members: [MemberName: FieldValue]
    let t: Translator
    let asked = ReadFieldNames()
    var problems: [String: String] = [:]

    init(_ members: [MemberName: FieldValue], isForm: Bool, _ t: Translator) {
        self.members = members
        self.isForm = isForm
        self.t = t
    }

    package static let none = Fields([:], isForm: false, Translations.translator(.english))

    /// Reads a request's body.
    /// - Parameters:
    ///   - limit: bytes; `nil` for ``Limits/bodyBytes``, and ``Limits/multipartBytes`` for multipart.
    ///   - multipartOnly: whether only a multipart form is accepted, for files.
    ///   - emptyAllowed: whether a request without a body reads as no fields (for DELETE).
    /// - Throws: `AppError`: malformed (400 for broken syntax, 415 for another content type), invalid (422 for JSON
    ///   that is no object), too large (413).
    package static func read(
        _ request: Request, _ context: some WebContext, limit: Int? = nil, multipartOnly: Bool = false,
        emptyAllowed: Bool = false
    ) async throws -> Fields {
        let t = context.t
        let contentType = MultipartHeaders.parameters(of: request.headers[.contentType] ?? "")
        if multipartOnly, contentType[""] != "multipart/form-data" {
            throw AppError(.malformed, t("Send the file in a form of the type multipart/form-data."), status: 415)
        }
        switch contentType[""] ?? "" {
        case "multipart/form-data":
            guard let boundary = contentType["boundary"], let parser = MultipartParser(boundary: boundary) else {
                throw malformed(t)
            }
            let parts = try await parts(of: request, parser: parser, limit: limit ?? Limits.multipartBytes, t)
            return try form(parts.map { ($0.name, try value(of: $0, t)) }, t)
        case "application/x-www-form-urlencoded":
            let bytes = try await Body.bytes(request, limit: limit ?? Limits.bodyBytes)
            guard let fields = URLEncodedForm.fields(of: bytes) else { throw malformed(t) }
            return try form(fields, t)
        case let type:
            let bytes = try await Body.bytes(request, limit: limit ?? Limits.bodyBytes)
            if bytes.isEmpty, emptyAllowed { return Fields([:], isForm: false, t) }
            if type == "application/json" || type.hasSuffix("+json") { return try json(bytes, t) }
            if bytes.isEmpty, type.isEmpty { throw malformed(t) }
            throw AppError(.malformed, t("Send JSON or a form."), status: 415)
        }
    }

    /// Reads a multipart form with one file that may be too large for memory.
    /// - Parameters:
    ///   - file: the name of the only file's field. Its bytes aren't in the result.
    ///   - limit: bytes of the whole body.
    ///   - store: stores the next bytes of the file. It is called for each piece of the body, also with no bytes, so
    ///     that it can refuse a body that arrives too slowly outside the file.
    /// - Throws: `AppError` as ``read(_:_:limit:multipartOnly:emptyAllowed:)``; errors of `store`.
    package static func readStoring(
        _ file: String, _ request: Request, _ context: some WebContext, limit: Int,
        store: ([UInt8]) async throws -> Void
    ) async throws -> Fields {
        let t = context.t
        let contentType = MultipartHeaders.parameters(of: request.headers[.contentType] ?? "")
        guard contentType[""] == "multipart/form-data" else {
            throw AppError(.malformed, t("Send the file in a form of the type multipart/form-data."), status: 415)
        }
        guard let boundary = contentType["boundary"],
            var parser = MultipartParser(boundary: boundary, onlyFile: file)
        else { throw malformed(t) }
        try await Body.checkDeclaredLength(of: request, limit: limit)
        var count = 0
        var iterator = request.body.makeAsyncIterator()
        do {
            while let buffer = try await next(&iterator) {
                count += buffer.readableBytes
                guard count <= limit else { throw Body.tooLarge(limit) }
                try parser.feed(buffer.readableBytesView)
                try await store(parser.drainFile(file))
            }
            return try form(parser.finish().map { ($0.name, try value(of: $0, t)) }, t)
        } catch is MultipartParser.Failure {
            throw malformed(t)
        }
    }

    static func json(_ bytes: [UInt8], _ t: Translator) throws -> Fields {
        guard let json = JSONReader.value(of: bytes, refusing: .unpairedSurrogates) else { throw malformed(t) }
        guard case .object(let members) = FieldValue(json) else { throw AppError(.invalid, t("Send one JSON object.")) }
        return Fields(members, isForm: false, t)
    }

    static func malformed(_ t: Translator) -> AppError { AppError(.malformed, t("This request can’t be read.")) }

    /// The SHA-256 of the meaning of the fields that were read so far. It ignores spelling, order, white space and
    /// unknown names, and excludes passwords and passcodes. A short code could be guessed from it, so that only
    /// ``BodyDigestKey/digest(of:)`` is stored.
    var plainDigest: [UInt8] {
        var known: [MemberName: FieldValue] = [:]
        for name in asked.names where !Self.secretNames.contains(name) { known[MemberName(name)] = lookUp(name) }
        var hash = SHA256()
        FieldValue.object(known).update(&hash)
        return Array(hash.finalize())
    }

    private static let secretNames: Set = ["password", "current", "passcode", "repeat"]

    /// The value of the hidden field `idempotencyKey`.
    var idempotencyKey: String? {
        guard isForm, case .typed(let key)? = members[Self.keyName], !key.isEmpty else { return nil }
        return key
    }

    private static let keyName: MemberName = "idempotencyKey"

    /// The value of a form's hidden field `version`: the version that the form's page showed.
    var formVersion: Int64? {
        guard isForm, case .typed(let version)? = members["version"] else { return nil }
        return Int64(version)
    }

    // MARK: Problems

    /// Notes the error of a field; the first error of a field stays.
    package mutating func addError(_ field: String, _ message: String) {
        if problems[field] == nil { problems[field] = message }
    }

    /// Notes all field errors of `error`.
    package mutating func addError(_ error: AppError) {
        for (field, message) in error.fields { addError(field, message) }
    }

    /// Throws if any error was noted.
    /// - Throws: `AppError` (invalid) with a message for each field.
    package func check() throws {
        guard !problems.isEmpty else { return }
        throw AppError(.invalid, t("Check what is marked."), fields: problems)
    }
}

extension Fields {
    /// Throws if an error was noted, or if the rules of the use case reject a field: with all fields at once. A use
    /// case that checks its rules only afterwards would report the rest on the second try.
    /// - Parameter rules: the checks of the use case that don't need the store; throws `AppError` (invalid).
    package mutating func check(_ rules: () throws -> Void) throws {
        guard !problems.isEmpty else { return try rules() }
        do {
            try rules()
        } catch let error as AppError where error.code == .invalid {
            addError(error)
        }
        try check()
    }
}

// MARK: Forms

extension Fields {
    @concurrent
    private static func parts(
        of request: Request, parser: MultipartParser, limit: Int, _ t: Translator
    ) async throws -> [MultipartParser.Part] {
        try await Body.checkDeclaredLength(of: request, limit: limit)
        var parser = parser
        var count = 0
        var iterator = request.body.makeAsyncIterator()
        do {
            while let buffer = try await next(&iterator) {
                count += buffer.readableBytes
                guard count <= limit else { throw Body.tooLarge(limit) }
                try parser.feed(buffer.readableBytesView)
            }
            return try parser.finish()
        } catch let failure as MultipartParser.Failure {
            switch failure {
            case .malformed, .unexpectedFile: throw malformed(t)
            case .tooManyParts, .fieldTooLarge:
                throw AppError(.tooLarge, t("The form has too many or too long fields."))
            }
        }
    }

    @concurrent
    private static func next(_ iterator: inout RequestBody.AsyncIterator) async throws -> ByteBuffer? {
        do {
            return try await iterator.next()
        } catch {
            throw UnreadableBody.orRefusal(error)
        }
    }

    private static func value(of part: MultipartParser.Part, _ t: Translator) throws -> FieldValue {
        if let filename = part.filename {
            // A browser sends an unused file field as an empty file without a name.
            if filename.isEmpty, part.bytes.isEmpty { return .null }
            return .file(UploadedFile(filename: filename, mediaType: part.mediaType, bytes: part.bytes))
        }
        guard let value = FieldValue(typed: part.bytes) else { throw malformed(t) }
        return value
    }

    /// `settings.lostMetres=5` becomes a nested object, as in JSON; a name that occurs again makes a list.
    static func form(_ pairs: [(name: String, value: FieldValue)], _ t: Translator) throws -> Fields {
        var members: [MemberName: FieldValue] = [:]
        for (name, value) in pairs where MemberName(name) != "_method" {
            let steps = steps(of: name)
            guard steps.count <= Limits.jsonDepth else { throw malformed(t) }
            insert(value, at: steps[...], into: &members)
        }
        return Fields(members, isForm: true, t)
    }

    /// The parts of a name that full stops separate.
    static func steps(of name: String) -> [MemberName] {
        name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map {
            MemberName(String(Substring($0)))
        }
    }

    private static func insert(
        _ value: FieldValue, at steps: ArraySlice<MemberName>, into members: inout [MemberName: FieldValue]
    ) {
        guard let step = steps.first else { return }
        let rest = steps.dropFirst()
        if rest.isEmpty {
            // Taken out before it is changed, so that it isn't copied for each value.
            var present = members.removeValue(forKey: step)
            if case .list(var values)? = present {
                present = nil
                values.append(value)
                members[step] = .list(values)
            } else {
                members[step] = present.map { .list([$0, value]) } ?? value
            }
        } else {
            var inner: [MemberName: FieldValue] = [:]
            if case .object(let present)? = members.removeValue(forKey: step) { inner = present }
            insert(value, at: rest, into: &inner)
            members[step] = .object(inner)
        }
    }
}

/// The names that a body's reader asked for, recorded while it reads; shared by copies of the fields.
final class ReadFieldNames: Sendable {
    private let content = Mutex<Set<String>>([])

    var names: Set<String> { content.withLock { $0 } }

    func insert(_ name: String) { content.withLock { _ = $0.insert(name) } }
}
