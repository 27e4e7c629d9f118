import Kernel
import Testing

@testable import WebCore

@Suite("Texts in templates")
struct TemplateTextsTests {
    private func translated(_ template: String) throws -> String? {
        let german = try POFile(
            #"""
            msgid "Carried by {name} & {other}"
            msgstr "{other} & {name} <tragen>"

            msgctxt "verb"
            msgid "Open"
            msgstr "Öffnen"
            """#)
        return TemplateTexts.translated(template, by: Translator(.german, TranslationCatalog(german)))
    }

    @Test("A text is translated, escaped for HTML, and its placeholders become tags")
    func placeholders() throws {
        let page = #"<p title="{{#t}}Carried by {name} & {other}{{/t}}">{{#t verb}}Open{{/t}} {{#t}}Open{{/t}}</p>"#
        #expect(try translated(page) == #"<p title="{{other}} &amp; {{name}} &lt;tragen&gt;">Öffnen Open</p>"#)
    }

    @Test(
        "A translation can't print a value without escaping it, and has no other tags",
        arguments: ["{{name}}", "{&name}", "{>part}", "{#name}", "{=| |=}", "{% PRAGMA}", "{", "}", "{name", "{a b}"])
    func hostileTranslation(text: String) throws {
        let german = try POFile("msgid \"Name\"\nmsgstr \"\(text)\"")
        let t = Translator(.german, TranslationCatalog(german))
        let translated = try #require(TemplateTexts.translated("{{#t}}Name{{/t}}{{title}}", by: t))
        let tags = translated.matches(of: /\{+[^{}]*\}+/).map { String($0.output) }
        #expect(tags == (text == "{{name}}" ? ["{{name}}", "{{title}}"] : ["{{title}}"]))
    }

    @Test(
        "Other sections stay", arguments: ["{{#title}}{{title}}{{/title}}", "{{#terms.t}}x{{/terms.t}}", "{{title}}"])
    func sections(template: String) throws {
        #expect(try translated(template) == template)
    }

    @Test("A text that isn't closed is refused", arguments: ["{{#t}}Open", "{{#t", "{{#t}}a{{/t}}{{#t}}b"])
    func unclosed(template: String) throws {
        #expect(try translated(template) == nil)
    }
}
