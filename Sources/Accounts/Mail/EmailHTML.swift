import Kernel

/// The HTML form of a mail, made from its plain text. It loads nothing from a server.
enum EmailHTML {
    /// Without colours, so that a mail program chooses those of its light or dark mode.
    private static let style =
        "color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; max-width: 36em; margin: 0 auto; "
        + "padding: 16px; overflow-wrap: anywhere"

    /// Returns a page with the paragraphs of the plain text.
    /// - Parameter siteURL: the base URL of the site. Its addresses become links. Other addresses don't, because a
    ///   person's name can contain one.
    static func page(_ email: Email, siteURL: String) -> String {
        let paragraphs = email.body.replacing("\r\n", with: "\n").split(separator: "\n\n").map { paragraph in
            "<p>" + paragraph.split(separator: "\n").map { line($0, siteURL: siteURL) }.joined(separator: "<br>\n")
                + "</p>"
        }
        let head = [
            "<!DOCTYPE html>", "<html lang=\"\(MarkupText.html(email.language ?? "en"))\">", "<head>",
            "<meta charset=\"utf-8\">",
            "<meta name=\"viewport\" content=\"width=device-width\">",
            "<meta name=\"color-scheme\" content=\"light dark\">", "<title>\(MarkupText.html(email.subject))</title>",
            "</head>",
            "<body style=\"\(style)\">",
        ]
        return (head + paragraphs + ["</body>", "</html>"]).joined(separator: "\n")
    }

    private static func line(_ text: Substring, siteURL: String) -> String {
        text.split(separator: " ", omittingEmptySubsequences: false).map { word in
            let url = word.trimmingSuffix { ".,;:!?)”“«»".contains($0) }
            guard url == siteURL || url.hasPrefix("\(siteURL)/") else { return MarkupText.html(String(word)) }
            let (shown, rest) = (MarkupText.html(String(url)), MarkupText.html(String(word[url.endIndex...])))
            return "<a href=\"\(shown)\">\(shown)</a>\(rest)"
        }.joined(separator: " ")
    }
}

extension Substring {
    fileprivate func trimmingSuffix(while isDropped: (Character) -> Bool) -> Substring {
        var rest = self
        while let last = rest.last, isDropped(last) { rest.removeLast() }
        return rest
    }
}
