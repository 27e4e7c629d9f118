import Testing

@testable import Server

@Suite("Documents with the newest version")
struct VersionDocumentTests {
    @Test(
        "A released version is read; anything else isn't",
        arguments: [
            ("0.1.0", "0.1.0"), ("1:2.10.3-1", "2.10.3"), ("1.2-1~bookworm", "1.2"), ("1.2.0~rc1", nil),
            ("1.2.0-rc.1", nil), ("", nil), ("1..2", nil), ("v1.2", nil), ("1.2.3.4.5", nil),
            ("99999999999999999999", nil), ("1.2<script>", nil),
        ] as [(String, String?)])
    func parsed(written: String, expected: String?) { #expect(ProgramVersion(written)?.text == expected) }

    @Test("Versions are compared by their numbers")
    func order() throws {
        let ascending = try ["0.1", "0.1.1", "0.2.0", "0.10.0", "1.0.0"].map { try #require(ProgramVersion($0)) }
        #expect(ascending.shuffled().sorted() == ascending)
        #expect(ProgramVersion("1.0") == ProgramVersion("1.0.0"))
    }

    @Test("The newest version of the package is found in an index and in JSON")
    func documents() {
        let index = """
            Package: homeward
            Version: 0.9.0-1
            Architecture: amd64

            Package: homeward-tracker
            Version: 7.0.0

            Package: homeward
            Architecture: amd64
            Version: 0.10.0-1

            Package: homeward
            Version: 0.11.0~rc1
            """
        #expect(VersionDocument.newest(in: Array(index.utf8))?.text == "0.10.0")
        let windows = index.replacing("\n", with: "\r\n")
        #expect(VersionDocument.newest(in: Array(windows.utf8))?.text == "0.10.0")
        #expect(VersionDocument.newest(in: Array(#"{"version":"1.2.3","url":"x"}"#.utf8))?.text == "1.2.3")
        for other in ["", "<html></html>", #"{"version":7}"#, "Package: other\nVersion: 9.0.0\n"] {
            #expect(VersionDocument.newest(in: Array(other.utf8)) == nil)
        }
    }
}
