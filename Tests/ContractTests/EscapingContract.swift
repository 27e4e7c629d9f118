import Foundation
import Kernel
import Server
import TestSupport
import Testing
import WebCore

@Suite("Templates escape what they print")
struct EscapingContract {
    private static let seeds: UInt64 = 96

    /// One page twice: with harmless texts and with hostile ones.
    private struct Page: Encodable {
        let name: String
        let plain: String
        let hostile: String
    }

    private struct Samples: Encodable {
        let plainText: String
        let hostileText: String
        let pages: [Page]
    }

    @Test("A hostile text in any view model adds no element and no attribute")
    func hostileTextsStayText() async throws {
        let rendered = Pages()
        try await withContractServer(onRender: rendered.record) { contract in
            try await PageCrawl(contract).walk()
            let renderer = contract.server.web.renderer
            let models = rendered.all.sorted { "\($0)" < "\($1)" }
            var pages: [Page] = []
            var printed: Set<String> = []
            var expected: Set<String> = []
            let reader = try TemplateCheck(renderer.sources(in: .english))
            for (template, model) in models {
                var check = reader
                check.check(template, with: model)
                var missing = check.printed
                expected.formUnion(missing)
                for seed in 0..<Self.seeds where seed < 2 || !missing.isEmpty {
                    let numbers = SampleNumbers()
                    let page = { (content: SampleModel.Content) in
                        let sample = SampleModel(type: model, seed: seed, content: content, numbers: numbers)
                        return try renderer.render(sample, template: template, in: .english)
                    }
                    let plain = try page(.plain)
                    let found = numbers.origins(in: plain)
                    guard seed < 2 || !missing.isDisjoint(with: found) else { continue }
                    missing.subtract(found)
                    printed.formUnion(found)
                    pages.append(Page(name: "\(template) \(model) \(seed)", plain: plain, hostile: try page(.hostile)))
                }
            }
            #expect(expected.subtracting(printed).sorted() == [], "printed by a template, but by no sample of it")
            #expect(expected.count > 500)
            #expect(try await differences(of: pages) == "")
        }
    }

    /// Elements and attributes that a browser's parser finds in the hostile pages only.
    private func differences(of pages: [Page]) async throws -> String {
        let content = Samples(plainText: SampleModel.plain, hostileText: SampleModel.hostile, pages: pages)
        return try await HTMLCheck.result(of: "html_outline.py", content)
    }

    @Test(
        "A template with a tag that could change how values are escaped is rejected",
        arguments: ["{{% CONTENT_TYPE:TEXT}}{{name}}", "{{ %CONTENT_TYPE:TEXT}}", "{{=<% %>=}}<%name%>"])
    func changedEscapingIsRefused(template: String) {
        let files = EmbeddedFiles(plain: ["templates/page.mustache": Array(template.utf8)])
        #expect(throws: Renderer.Failure.unreadable("page")) { try Renderer([files]).prepare(.english) }
    }
}
