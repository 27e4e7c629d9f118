import Foundation

/// A short word after something was done.
package struct ShellToast: Sendable, Equatable, Codable {
    /// What was done.
    package let text: String
    /// Something went wrong instead.
    package let isProblem: Bool
    /// Where a POST undoes it; `nil` where nothing can.
    package let undoURL: String?
    /// What undoing is called.
    package let undoLabel: String?

    /// Where its link leads; `nil` for no link.
    package let linkURL: String?
    /// The label of the link.
    package let linkLabel: String?

    /// Makes a toast.
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

    /// The toast as htmx takes it in a header. JSON in ASCII, as a header must be.
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
    /// Makes a toast that only says something.
    package init(stringLiteral value: String) { self.init(value) }
}

/// The field that takes a photo, for the partial `photo-field`.
package struct PhotoField: Sendable {
    /// The chosen picture of the library; empty for none.
    package let pictureID: String
    /// Where its medium size is shown from.
    package let imageURL: String?
    /// What is wrong with it; empty for nothing.
    package let error: String
    /// What the field is called.
    package let label: String

    /// Makes a field.
    package init(pictureID: String = "", imageURL: String? = nil, error: String = "", label: String) {
        self.pictureID = pictureID
        self.imageURL = imageURL
        self.error = error
        self.label = label
    }
}
