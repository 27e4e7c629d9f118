package import Kernel
import Mustache

/// What is wrong with a form, for its template: `{{errors.message}}`, `{{errors.name}}`, `{{errors.settings.lostMetres}}`.
package struct FormErrors: Sendable, Equatable, MustacheParent {
    /// Nothing is wrong.
    package static let none = FormErrors(message: nil, fields: [:])

    /// One sentence about the whole form; `nil` when the fields say all there is to say.
    package let message: String?
    /// A sentence for each field at fault, by its path.
    package let fields: [String: String]

    /// Takes an error's sentences over. With fields at fault, the sentence for the whole is theirs to say.
    package init(_ error: AppError?) {
        self.init(message: error.flatMap { $0.fields.isEmpty ? $0.message : nil }, fields: error?.fields ?? [:])
    }

    private init(message: String?, fields: [String: String]) {
        self.message = message
        self.fields = fields
    }

    /// The sentence at a field.
    package subscript(field: String) -> String? { fields[field] }

    /// What a template sees below a name: a sentence, or the names below that one.
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
