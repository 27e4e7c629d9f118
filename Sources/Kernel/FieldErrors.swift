/// Collects the error message of each field, so that a form shows all of them at once.
package struct FieldErrors<Message: ErrorMessage>: Sendable {
    /// The messages by the fields' JSON paths.
    package private(set) var fields: [String: String] = [:]

    package init() {}

    /// Adds the message of a field, unless it has one.
    package mutating func refuse(_ field: String, _ message: Message) {
        if fields[field] == nil { fields[field] = message.text }
    }

    /// Adds the messages of another check.
    package mutating func collect(_ check: () throws -> Void) throws {
        do {
            try check()
        } catch let error as AppError where error.code == .invalid && !error.fields.isEmpty {
            fields.merge(error.fields) { mine, _ in mine }
        }
    }

    /// - Throws: `AppError` of `code` with all messages, if there are any.
    package func finish(_ code: AppError.Code = .invalid) throws {
        guard let first = fields.min(by: { $0.key < $1.key }) else { return }
        throw AppError(code, first.value, fields: fields)
    }
}
