package import Kernel

/// The errors of a form, for its template: `{{errors.message}}`, `{{errors.name}}`, `{{errors.settings.lostMetres}}`.
package struct FormErrors: Sendable, Equatable, TemplateLookup {
    package static let none = FormErrors(message: nil, fields: [:])

    /// The message about the whole form; `nil` if the fields' messages are sufficient.
    package let message: String?
    /// The message of each invalid field, by its path.
    package let fields: [String: String]

    /// Takes the messages of an error. The message about the whole form is omitted if there are invalid fields.
    package init(_ error: AppError?) {
        self.init(message: error.flatMap { $0.fields.isEmpty ? $0.message : nil }, fields: error?.fields ?? [:])
    }

    private init(message: String?, fields: [String: String]) {
        self.message = message
        self.fields = fields
    }

    package subscript(field: String) -> String? { fields[field] }

    /// The value that a template sees below a name: a message, or the names below it.
    package func child(named name: String) -> Any? {
        if name == "message" { return message }
        if name == "fields" { return fields }
        if let sentence = fields[name] { return sentence }
        let prefix = name + "."
        var below: [String: String] = [:]
        for (field, sentence) in fields where field.hasPrefix(prefix) {
            below[String(field.dropFirst(prefix.count))] = sentence
        }
        return below.isEmpty ? nil : FormErrors(message: nil, fields: below)
    }
}
