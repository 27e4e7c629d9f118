import Testing
import WebCore

@Suite("Filled sentences")
struct WordCatalogueTests {
    private struct Words: WordCatalogue {}

    @Test("A name that ends with a full stop ends the sentence with one")
    func fullStops() {
        #expect(Words.fill("Ask {name}.", ["name": "Ole O."]) == "Ask Ole O.")
        #expect(Words.fill("Ask {name}.", ["name": "Ole"]) == "Ask Ole.")
        #expect(Words.fill("{name} pays {name}. Done.", ["name": "Ole O."]) == "Ole O. pays Ole O. Done.")
    }
}
