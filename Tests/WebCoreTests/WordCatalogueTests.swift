import Testing
import WebCore

@Suite("Filled texts")
struct WordCatalogueTests {
    private struct Words: WordCatalogue {}

    @Test("A name that ends with a full stop ends the sentence with one")
    func fullStops() {
        #expect(Words.fill("Ask {name}.", ["name": "Ole O."]) == "Ask Ole O.")
        #expect(Words.fill("Ask {name}.", ["name": "Ole"]) == "Ask Ole.")
        #expect(Words.fill("{name} pays {name}. Done.", ["name": "Ole O."]) == "Ole O. pays Ole O. Done.")
    }

    @Test("A name that looks like a placeholder stays as it is")
    func placeholderInName() {
        #expect(Words.fill("{owner} pays {name}.", ["owner": "{name}", "name": "{owner}"]) == "{name} pays {owner}.")
        #expect(Words.fill("{x} {name} {", ["name": "Ole"]) == "{x} Ole {")
    }
}
