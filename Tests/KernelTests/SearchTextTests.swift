import Kernel
import Testing

@Suite("Search text")
struct SearchTextTests {
    struct Search: Sendable, CustomTestStringConvertible {
        let typed: String
        let name: String
        let isFound: Bool
        var testDescription: String { "\(typed) in \(name)" }
    }

    @Test(
        "A search ignores case and accents, and accepts both spellings of an umlaut",
        arguments: [
            Search(typed: "koeln", name: "Schlüssel Köln", isFound: true),
            Search(typed: "koln", name: "Köln", isFound: true), Search(typed: "KÖLN", name: "Koeln", isFound: true),
            Search(typed: "ko\u{308}ln", name: "Koeln", isFound: true),
            Search(typed: "strasse", name: "Straße", isFound: true),
            Search(typed: "agard", name: "Ågård", isFound: true),
            Search(typed: " bag ", name: "Big Bag", isFound: true),
            Search(typed: "", name: "Bag", isFound: true), Search(typed: "bags", name: "Bag", isFound: false),
            Search(typed: "b g", name: "Bag", isFound: false),
            Search(typed: "mias", name: "Mia’s bag", isFound: true),
            Search(typed: "Mia's bag", name: "Mia’s-Bag", isFound: true),
            Search(typed: "e bike", name: "E\u{ad}‑Bike", isFound: true),
            Search(typed: "ΟΔΥΣΣΕΥΣ", name: "Οδυσσεύς", isFound: true),
            Search(typed: "שלומ", name: "שָׁלוֹם", isFound: true), Search(typed: "کیف", name: "كيف", isFound: true),
            Search(typed: String(repeating: "b", count: 1_001), name: "b", isFound: false),
        ])
    func find(search: Search) {
        let folded = SearchText.folded(search.name)
        #expect(SearchText.folded(folded) == folded)
        #expect(SearchText(search.typed).isFound(in: SearchText(search.name)) == search.isFound)
    }
}
