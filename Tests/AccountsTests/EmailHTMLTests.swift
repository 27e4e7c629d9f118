import Testing

@testable import Accounts

@Suite("HTML of mails")
struct EmailHTMLTests {
    private func page(_ body: String, subject: String = "Hello", language: String? = nil) -> String {
        EmailHTML.page(
            Email(to: "mia@example.org", subject: subject, body: body, language: language),
            siteURL: "https://home.example")
    }

    @Test("Paragraphs and line breaks are those of the plain text")
    func paragraphs() {
        let html = page("Hello Mia,\n\nfirst line\nsecond line\r\n\r\n\nEnd", language: "de")
        #expect(html.contains("<p>Hello Mia,</p>\n<p>first line<br>\nsecond line</p>\n<p>End</p>\n"))
        #expect(html.contains("<html lang=\"de\">"))
    }

    @Test("Addresses of the site are links, and no others")
    func links() {
        let html = page(
            "See https://home.example/password-resets/a_b-c.\n\nhttps://home.example and https://home.example/a?b=1&c")
        let path = "https://home.example/password-resets/a_b-c"
        #expect(html.contains("<p>See <a href=\"\(path)\">\(path)</a>.</p>"))
        #expect(html.contains("<a href=\"https://home.example\">https://home.example</a> and "))
        #expect(html.contains("<a href=\"https://home.example/a?b=1&amp;c\">"))
        for other in [
            "https://evil.example/x", "https://home.example.evil.example/", "https://home.example@evil.example",
        ] {
            #expect(!page("You won: \(other)").contains("<a "), "\(other)")
        }
    }

    @Test("Text is escaped, also in the subject and in links")
    func escaping() {
        let html = page(
            "<b>&\"'\n\nhttps://home.example/\"><script>", subject: "</title><script>", language: "\"><script>")
        #expect(html.contains("<p>&lt;b&gt;&amp;&quot;&#39;</p>"))
        #expect(!html.contains("<script>") && !html.contains("<b>"))
        #expect(html.contains("<a href=\"https://home.example/&quot;&gt;&lt;script&gt;\">"))
    }

    @Test("The page loads nothing and sets no colours")
    func noRemoteContent() {
        let html = page("Hello")
        for part in ["src=", "url(", "<link", "<script", "@import", "background", "#"] {
            #expect(!html.contains(part), "\(part)")
        }
        #expect(html.contains("color-scheme: light dark"))
    }
}
