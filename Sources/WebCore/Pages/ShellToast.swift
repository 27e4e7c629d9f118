import Foundation

/// A short message after an action.
package struct ShellToast: Sendable, Equatable, Codable {
    package let text: String
    /// Whether it reports a problem.
    package let isProblem: Bool
    /// The URL of the POST that undoes the action; `nil` for none.
    package let undoURL: String?
    /// The label of the undo button.
    package let undoLabel: String?

    /// The URL of the link; `nil` for none.
    package let linkURL: String?
    package let linkLabel: String?

    package init(
        _ text: String, isProblem: Bool = false, undoURL: String? = nil, undoLabel: String? = nil,
        linkURL: String? = nil, linkLabel: String? = nil
    ) {
        self.text = text
        self.isProblem = isProblem
        self.undoURL = undoURL
        self.undoLabel = undoLabel
        self.linkURL = linkURL
        self.linkLabel = linkLabel
    }

    private struct Trigger: Encodable {
        struct Toast: Encodable {
            let text: String
            let problem: Bool
            let undoURL: String?
            let undoLabel: String?
            let linkURL: String?
            let linkLabel: String?
        }

        let toast: Toast
    }

    /// The value of htmx's trigger header. JSON in ASCII, as a header requires.
    var trigger: String {
        let toast = Trigger.Toast(
            text: text, problem: isProblem, undoURL: undoURL, undoLabel: undoLabel, linkURL: linkURL,
            linkLabel: linkLabel)
        guard let data = try? JSONEncoder().encode(Trigger(toast: toast)) else { return "{}" }
        var ascii = ""
        for unit in String(decoding: data, as: UTF8.self).utf16 {
            if unit < 0x7f, let scalar = Unicode.Scalar(unit) {
                ascii.unicodeScalars.append(scalar)
            } else {
                let digits = String(unit, radix: 16)
                ascii += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }
        }
        return ascii
    }
}

extension ShellToast: ExpressibleByStringLiteral {
    /// Creates a toast with a text only.
    package init(stringLiteral value: String) { self.init(value) }
}

/// The field for a photo, for the partial `photo-field`.
package struct PhotoField: Sendable {
    /// The id of the chosen picture in the library; empty for none.
    package let pictureID: String
    /// The URL of its medium size.
    package let imageURL: String?
    /// The field's error; empty for none.
    package let error: String
    package let label: String
    /// The id of the element with the error, unique on the page.
    package let photoErrorID: String

    package init(
        pictureID: String = "", imageURL: String? = nil, error: String = "", label: String,
        errorID: String = "photo-error"
    ) {
        photoErrorID = errorID
        self.pictureID = pictureID
        self.imageURL = imageURL
        self.error = error
        self.label = label
    }
}
