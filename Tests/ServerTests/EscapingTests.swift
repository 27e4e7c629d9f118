import Foundation
import HTTPTypes
import NIOCore
import TestSupport
import Testing

/// Combining marks that Swift joins to the preceding HTML character, so that both are one `Character`.
@Suite("Texts with combining marks are escaped")
struct EscapingTests {
    static let marks = ["\u{301}", "\u{fe0f}", "\u{200d}", "\u{903}"]

    /// Whether a page contains these bytes; Swift's own comparison would compare whole characters.
    private func holds(_ page: Reply, _ text: String) -> Bool {
        Data(page.text.utf8).range(of: Data(text.utf8)) != nil
    }

    @Test("A search in a link adds no attribute to its field", arguments: marks)
    func search(mark: String) async throws {
        try await withCarrepsa { site in
            let ada = try await site.person("Ada")
            let attack = "x\"\(mark) hx-patch=/account hx-trigger=load y=\"\(mark)"
            let typed = try #require(attack.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
            let page = try await ada.page("/carrepsa/packages?from=\(typed)")
            #expect(page.status == 200)
            #expect(holds(page, "value=\"x&quot;\(mark) hx-patch=/account hx-trigger=load y=&quot;\(mark)\""))
            #expect(!holds(page, "\"\(mark)"))
        }
    }

    @Test("A stored title adds no attribute and no element to another person's pages", arguments: marks)
    func title(mark: String) async throws {
        try await withCarrepsa { site in
            let ada = try await site.person("Ada")
            let ben = try await site.person("Ben")
            let path = try await ada.offer("L\"\(mark) hx-get=/x <\(mark)b>&\(mark)'\(mark)")
            for page in [try await ben.page("/carrepsa/packages"), try await ben.page(path)] {
                #expect(page.status == 200)
                #expect(holds(page, "L&quot;\(mark) hx-get=/x &lt;\(mark)b&gt;&amp;\(mark)&#39;\(mark)"))
                for sign in ["\"", "<", "'"] { #expect(!holds(page, sign + mark)) }
            }
        }
    }
}
