import Foundation
import Kernel
import Server
import Synchronization
import Testing
import WebCore

@Suite("Text that people enter reorders nothing on any page", .serialized)
struct IsolationContract {
    private static let seeds: UInt64 = 3

    private struct Page: Encodable {
        let name: String
        let html: String
    }

    private struct Content: Encodable {
        let pages: [Page]
        let pattern: String
        let values: [String]

        init(_ pages: [Page], pattern: String, values: [String] = []) {
            self.pages = pages
            self.pattern = pattern
            self.values = values
        }
    }

    /// Returns the pages with such a text, each once.
    private static func checked(_ pages: [Page], _ word: String) -> [Page] {
        var known: Set<String> = []
        return pages.filter { page in
            page.html.range(of: word, options: .literal) != nil && known.insert(page.html).inserted
        }
    }

    @Test("Every template isolates every value that it prints")
    func templates() async throws {
        let rendered = Pages()
        try await withContractServer(onRender: rendered.record) { contract in
            try await PageCrawl(contract).walk()
            let renderer = contract.server.web.renderer
            var pages: [Page] = []
            for (template, model) in rendered.all {
                for seed in 0..<Self.seeds {
                    let sample = SampleModel(
                        type: model, seed: seed, content: .rightToLeft, numbers: SampleNumbers())
                    let html = try renderer.render(sample, template: template, in: .english)
                    pages.append(Page(name: "\(template) \(model)", html: html))
                }
            }
            let pattern = "sample[0-9]+\\.\(SampleModel.rightToLeft)"
            #expect(pages.contains { $0.html.contains("<bdi>") })
            let content = Content(Self.checked(pages, SampleModel.rightToLeft), pattern: pattern)
            #expect(try await HTMLCheck.result(of: "html_isolation.py", content) == "")
        }
    }

    @Test("Every page isolates the names and texts that it puts together")
    func pages() async throws {
        let typing = RightToLeftTyping()
        try await withContractServer(typing: typing) { contract in
            try await PageCrawl(contract).walk()
            let pages = typing.pages.map { Page(name: $0.path, html: $0.html) }
            let checked = Self.checked(pages, RightToLeftTyping.word)
            #expect(checked.count > 30)
            let content = Content(checked, pattern: RightToLeftTyping.word, values: typing.values)
            #expect(try await HTMLCheck.result(of: "html_isolation.py", content) == "")
        }
    }
}

/// Adds a Hebrew word to the names and texts in the forms of a crawl.
final class RightToLeftTyping: Sendable {
    static let word = "שלום"

    /// The fields in which people type names and texts.
    private static let fields: Set<Substring> = [
        "name", "title", "from", "to", "text", "address", "leaveAt", "description", "reason", "message", "note",
    ]

    private struct Notes {
        var values: Set<String> = []
        var pages: [(path: String, html: String)] = []
    }

    private let notes = Mutex(Notes())

    /// The changed values.
    var values: [String] { notes.withLock { $0.values.sorted() } }
    var pages: [(path: String, html: String)] { notes.withLock { $0.pages } }

    func note(_ path: String, _ html: String) { notes.withLock { $0.pages.append((path, html)) } }

    /// Returns a form (application/x-www-form-urlencoded) with changed texts.
    func changed(_ form: String) -> String {
        form.split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[1].isEmpty, Self.fields.contains(parts[0]) else { return String(pair) }
            let typed = parts[1].replacing("+", with: " ").removingPercentEncoding ?? ""
            notes.withLock { _ = $0.values.insert("\(typed) \(Self.word)") }
            return "\(pair)+\(PercentEncoding.encoded(Self.word))"
        }.joined(separator: "&")
    }
}
