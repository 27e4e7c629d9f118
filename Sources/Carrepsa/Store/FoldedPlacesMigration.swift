import Storage

extension CarrepsaServices {
    /// Folds the places of packages for searches that also ignore apostrophes, hyphens and final forms, as
    /// `SearchText.folded` does with new ones.
    static let foldedPlaces = steps.map { pairs in
        "UPDATE carrepsa_package SET origin_folded = \(refolded("origin_folded", pairs)), "
            + "destination_folded = \(refolded("destination_folded", pairs))"
    }.joined(separator: ";\n")

    /// Characters that disappear: full stops, apostrophes, the Arabic stroke, and what can't be seen.
    private static let removed: [Unicode.Scalar] = [
        ".", "'", "`", "\u{2b9}", "\u{2bb}", "\u{2bc}", "\u{2bd}", "\u{2be}", "\u{2bf}", "\u{2c8}", "\u{55a}",
        "\u{5f3}", "\u{5f4}", "\u{640}", "\u{2018}", "\u{2019}", "\u{201a}", "\u{201b}", "\u{2032}", "\u{2035}",
        "\u{a78c}", "\u{ad}", "\u{61c}", "\u{200b}", "\u{200c}", "\u{200d}", "\u{200e}", "\u{200f}", "\u{202a}",
        "\u{202b}", "\u{202c}", "\u{202d}", "\u{202e}", "\u{2060}", "\u{2066}", "\u{2067}", "\u{2068}", "\u{2069}",
        "\u{feff}",
    ]
    /// Hyphens and dashes, which become spaces.
    private static let dashes: [Unicode.Scalar] = [
        "-", "\u{58a}", "\u{5be}", "\u{1806}", "\u{2010}", "\u{2012}", "\u{2013}", "\u{2014}", "\u{2015}", "\u{2043}",
        "\u{2212}", "\u{2e3a}", "\u{2e3b}", "\u{301c}", "\u{3030}", "\u{30a0}",
    ]
    private static let letters: [(Unicode.Scalar, Unicode.Scalar)] = [
        ("\u{3c2}", "\u{3c3}"), ("\u{5da}", "\u{5db}"), ("\u{5dd}", "\u{5de}"), ("\u{5df}", "\u{5e0}"),
        ("\u{5e3}", "\u{5e4}"), ("\u{5e5}", "\u{5e6}"), ("\u{649}", "\u{64a}"), ("\u{6cc}", "\u{64a}"),
        ("\u{6a9}", "\u{643}"), ("\u{629}", "\u{647}"),
    ]
    /// The passes that replace two spaces by one, enough for the longest run of spaces in a place.
    private static let halvings = 7

    /// Calls in one expression. SQLite's parser has a small stack.
    private static let nesting = 10

    /// The replacements of each statement.
    private static var steps: [ArraySlice<(String, String)>] {
        let pairs =
            removed.map { (quoted(String($0)), "''") } + dashes.map { (quoted(String($0)), "' '") }
            + letters.map { (quoted(String($0.0)), quoted(String($0.1))) }
            + Array(repeating: ("'  '", "' '"), count: halvings)
        return stride(from: 0, to: pairs.count, by: nesting).map { pairs[$0..<min($0 + nesting, pairs.count)] }
    }

    private static func refolded(_ column: String, _ pairs: ArraySlice<(String, String)>) -> String {
        "TRIM(" + pairs.reduce(column) { "REPLACE(\($0), \($1.0), \($1.1))" } + ")"
    }

    private static func quoted(_ text: String) -> String { text == "'" ? "''''" : "'\(text)'" }
}
