import Kernel
import Testing
import Translations

/// The numbers in the texts that people read. A text that names a limit takes it from its constant, so that a change of
/// the constant changes the text in every language.
struct NumberRules {
    /// Texts whose number isn't a limit of ours, by a part of them.
    private static let exceptions = [
        // The messages count down; each number has its own case.
        "You can try 4 more times", "You can try 3 more times", "You can try 2 more times",
        // Each of the three choices has its own button.
        "1, 2 or 3 points",
        // The smallest weight that is a whole number.
        "at least 1 gram",
        // The tracker's hardware and protocol define them.
        "ten seconds", "32 hexadecimal digits",
    ]

    private static let units = [
        "seconds?", "minutes?", "hours?", "days?", "weeks?", "months?", "years?", "metres?", "[kc]?m", "grams?", "kg",
        "bytes?", "[kM]i?B", "megapixels?", "pixels?", "characters?", "digits?", "letters?", "(?:more )?times",
        "points?",
        "levels?", "chores?", "children", "parents?", "pictures?", "photos?", "items?", "sources?", "places?",
        "passkeys?",
        "devices?", "packages?", "statements?", "codes?", "invitations?", "entries", "attempts?", "tries",
    ]
    private static let words = [
        "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen",
        "fourteen",
        "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty", "thirty", "half an?",
        "(?:a )?quarter of an?",
    ]

    /// A number, an adjective at the most, and a unit; or a range of numbers.
    private static let number = Pattern(
        #"(?i)(?:[0-9]+(?:[.,][0-9]+)*|\b(?:"# + words.joined(separator: "|") + #"))[\s\u00a0](?:[a-z]+ )?(?:"#
            + units.joined(separator: "|") + #")\b|\bfrom [01] to [0-9]"#)

    @Test("A text names no limit as a number; it has a placeholder")
    func texts() throws {
        let entries = try #require(try Translations.file(.german)).entries
        #expect(entries.count > 1_500)
        // The form for one thing may say "one hour".
        let broken = entries.map { $0.plural ?? $0.text }.filter { text in
            Self.number.matches(text) && !Self.exceptions.contains(where: text.contains)
        }
        #expect(broken.isEmpty)
        for exception in Self.exceptions {
            #expect(entries.contains { $0.text.contains(exception) }, "No text has “\(exception)” any more")
        }
    }

    @Test(
        "A number with its unit is recognized, in digits and in words",
        arguments: [
            ("It expires after 10 minutes.", true), ("Wait half an hour.", true), ("Within seven days.", true),
            ("Use at most 1,000 characters.", true), ("From 10 to 10,000 metres", true), ("60 deleted children", true),
            ("Enter a whole number from 1 to 1440.", true), ("Larger than 10 MiB.", true), ("Add two photos.", true),
            ("It expires after {n} minutes.", false), ("Not before 1900", false), ("such as +49 151 23456789", false),
            ("The two passcodes", false), ("Often seconds", false), ("from -90 to 90", false),
        ]
    )
    func recognition(text: String, isNumber: Bool) {
        #expect(Self.number.matches(text) == isNumber)
    }

    @Test("Only the texts of error messages, which have their numbers, are shown")
    func rawValues() {
        let rawValue = Pattern(
            #"\b(?:Account|Lock|Family|Carrepsa|TrackingError|Picture)Message\.\w+\.rawValue\b"#)
        #expect(SourceTree.code.places(matching: rawValue).isEmpty)
    }
}
