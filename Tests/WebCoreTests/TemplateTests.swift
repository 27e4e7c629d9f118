import Kernel
import Testing

@testable import WebCore

@Suite("Templates")
struct TemplateTests {
    private struct Page {
        struct Row {
            let name: String
            var note: String?
            var kind = Kind(label: "<row>")
        }

        struct Kind { let label: String }

        var title = "<b>"
        var note: String?
        var isOpen = true
        var count = 7
        var row: Row?
        var rows: [Row] = []
        var words: [String] = []
    }

    private func rendered(_ templates: [String: String], _ page: Any = Page()) throws -> String {
        let files = templates.map { ("templates/\($0.key).mustache", Array($0.value.utf8)) }
        let renderer = try Renderer([EmbeddedFiles(plain: Dictionary(uniqueKeysWithValues: files))])
        return try renderer.render(page, template: "page", in: .english)
    }

    private func rendered(_ template: String, _ page: Page = Page()) throws -> String {
        try rendered(["page": template], page)
    }

    @Test("A value is escaped, except with three braces")
    func values() throws {
        #expect(try rendered("{{title}} {{{title}}} {{ count }}") == "&lt;b&gt; <b> 7")
        #expect(try rendered("[{{note}}{{unknown}}{{title.unknown}}]") == "[]")
    }

    @Test(
        "A value that is read from right to left can't reorder what is around it",
        arguments: [
            ("<p>{{title}} → 1</p>", "<p><bdi>דוד</bdi> → 1</p>"),
            ("<title>{{title}} – App</title>", "<title>\u{2068}דוד\u{2069} – App</title>"),
            (
                #"<option value="{{title}}">{{title}}, 1</option>"#,
                "<option value=\"דוד\">\u{2068}דוד\u{2069}, 1</option>"
            ),
            (#"<img alt="{{title}} 1"><p>{{title}}</p>"#, "<img alt=\"\u{2068}דוד\u{2069} 1\"><p><bdi>דוד</bdi></p>"),
            ("<a data-ask='{{#t}}Remove {title}?{{/t}}'>", "<a data-ask='Remove \u{2068}דוד\u{2069}?'>"),
            ("<p>{{#t}}Remove {title}?{{/t}}</p>", "<p>Remove <bdi>דוד</bdi>?</p>"),
            // What is sent back, or read by a program, stays as it is.
            (#"<input value="{{title}}" {{#isOpen}}required{{/isOpen}}>"#, "<input value=\"דוד\" required>"),
            ("<textarea rows=2>{{title}}</textarea>{{title}}", "<textarea rows=2>דוד</textarea><bdi>דוד</bdi>"),
            ("<script>{{title}}</script><i>{{title}}</i>", "<script>דוד</script><i><bdi>דוד</bdi></i>"),
            ("<a data-name={{title}}>{{title}}", "<a data-name=דוד><bdi>דוד</bdi>"),
            ("<div id=x {{>part}}>{{title}}</div>", "<div id=x data-name=\"דוד\"><bdi>דוד</bdi></div>"),
        ])
    func isolation(template: String, html: String) throws {
        let templates = ["page": template, "part": #"data-name="{{title}}""#]
        #expect(try rendered(templates, Page(title: "דוד")) == html)
    }

    @Test(
        "A template in a place where HTML doesn't allow it is refused",
        arguments: [
            "<a href=\"{{>part}}\">", "<title>{{$block}}{{/block}}</title>",
        ])
    func misplaced(template: String) {
        #expect(throws: Renderer.Failure.unreadable("page")) { try rendered(["page": template, "part": "x"]) }
    }

    @Test("A section is printed for what is present, and for each entry of a list")
    func sections() throws {
        let rows = [Page.Row(name: "a", note: "x"), Page.Row(name: "b")]
        let page = Page(row: rows[0], rows: rows, words: ["c", "d"])
        #expect(try rendered("{{#isOpen}}1{{/isOpen}}{{#note}}2{{/note}}{{#row}}{{name}}{{/row}}", page) == "1a")
        #expect(try rendered("{{#rows}}{{name}}{{#note}}={{.}}{{/note}};{{/rows}}", page) == "a=x;b;")
        #expect(try rendered("{{#words}}<i>{{.}}{{/words}}{{row.kind.label}}", page) == "<i>c<i>d&lt;row&gt;")
    }

    @Test("An inverted section is printed for what is absent, false or empty")
    func invertedSections() throws {
        let template = "{{^isOpen}}1{{/isOpen}}{{^note}}2{{/note}}{{^rows}}3{{/rows}}{{^row}}4{{/row}}"
        #expect(try rendered(template) == "234")
        let row = Page.Row(name: "a")
        #expect(try rendered(template, Page(note: "", isOpen: false, row: row, rows: [row])) == "1")
    }

    @Test("A name is looked up in the outer scopes where the inner one has no value")
    func scopes() throws {
        let page = Page(note: "outer", rows: [Page.Row(name: "a"), Page.Row(name: "b", note: "inner")])
        #expect(try rendered("{{#rows}}{{name}} {{note}} {{count}};{{/rows}}", page) == "a outer 7;b inner 7;")
    }

    @Test("Templates contain others, and replace the content of their blocks")
    func blocks() throws {
        let templates = [
            "page": "{{<frame}}{{$main}}{{>part}}{{/main}} ignored {{/frame}}",
            "frame": "[{{$title}}none{{/title}}|{{$main}}{{/main}}]", "part": "{{title}}",
        ]
        #expect(try rendered(templates) == "[none|&lt;b&gt;]")
        // The outermost replacement counts.
        let nested = [
            "page": "{{<inner}}{{$a}}1{{/a}}{{/inner}}", "inner": "{{<frame}}{{$a}}2{{/a}}{{$b}}3{{/b}}{{/frame}}",
        ]
        #expect(try rendered(nested.merging(["frame": "{{$a}}{{/a}}{{$b}}{{/b}}"]) { a, _ in a }) == "13")
    }

    @Test("A block keeps its content after a template that replaced it")
    func blocksEnd() throws {
        let templates = ["page": "{{<a}}{{$x}}1{{/x}}{{/a}}{{>a}}", "a": "{{$x}}0{{/x}}"]
        #expect(try rendered(templates) == "10")
    }

    @Test("A line with only a tag of a section isn't part of the page")
    func lines() throws {
        #expect(try rendered("a\n{{#isOpen}}\n  b\n  {{/isOpen}}  \nc\n") == "a\n  b\nc\n")
        #expect(try rendered("{{! comment }}\na {{#isOpen}}\nb{{/isOpen}}\n{{title}}\n") == "a \nb\n&lt;b&gt;\n")
    }

    @Test("A dictionary and a type with lookups need no reflection")
    func lookups() throws {
        struct Looked: TemplateLookup {
            func child(named name: String) -> Any? { name == "title" ? "found" : nil }
        }
        #expect(try rendered(["page": "{{title}}{{other}}"], Looked()) == "found")
        #expect(try rendered(["page": "{{title}}"], ["title": "&"]) == "&amp;")
    }

    @Test(
        "A tag that isn't closed, known or named is rejected",
        arguments: [
            "{{", "{{title", "{{title}", "{{{title}}", "{{}}", "{{#isOpen}}", "{{/isOpen}}", "{{#a}}{{#b}}{{/a}}{{/b}}",
            "{{&title}}", "{{*title}}", "{{a b}}", "{{a..b}}", "{{.title}}", "{{title.}}", "{{=<% %>=}}",
            "{{% CONTENT_TYPE:TEXT}}", "{{<page}}{{title}}{{/page}}", "{{$a}}",
        ])
    func rejected(template: String) {
        #expect(throws: Renderer.Failure.unreadable("page")) { try rendered(template) }
    }

    @Test("A template that uses an unknown one is rejected")
    func unknown() {
        #expect(throws: Renderer.Failure.unknown("part")) { try rendered("{{#note}}{{>part}}{{/note}}") }
    }
}
