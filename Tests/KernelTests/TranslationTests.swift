import Kernel
import Testing

@Suite("Files with translations")
struct TranslationTests {
    private static let german = #"""
        # A comment.
        msgid ""
        msgstr ""
        "Language: de\n"
        "Plural-Forms: nplurals=2; plural=(n != 1);\n"

        #: Sources/Page.swift
        msgid "Deposit {amount}"
        msgstr "Pfand {amount}"

        msgctxt "verb"
        msgid "Open"
        msgstr "Öffnen"

        msgid "Open"
        msgstr "Offen"

        msgid "{n} package of {name}"
        msgid_plural "{n} packages of {name}"
        msgstr[0] "{n} Paket von {name}"
        msgstr[1] "{n} Pakete von {name}"

        msgid ""
        "Two \"lines\"\n"
        "and a backslash: \\"
        msgstr "Zwei"

        #, fuzzy
        msgid "Unchecked"
        msgstr "Ungeprüft"

        msgid "Not yet translated"
        msgstr ""

        #~ msgid "Unused"
        #~ msgstr "Unbenutzt"
        """#

    private func translator(_ content: String = german) throws -> Translator {
        Translator(.german, TranslationCatalog(try POFile(content)))
    }

    @Test("A text is translated with its values, and equal texts by their context")
    func texts() throws {
        let t = try translator()
        #expect(t("Deposit {amount}", ["amount": "5 €"]) == "Pfand 5 €")
        #expect(t("Open") == "Offen")
        #expect(t("Open", context: "verb") == "Öffnen")
        #expect(t("Two \"lines\"\nand a backslash: \\") == "Zwei")
    }

    @Test("A value that looks like a placeholder stays as it is, and its full stop ends the sentence")
    func values() throws {
        let t = try translator()
        #expect(t("Deposit {amount}", ["amount": "{amount}"]) == "Pfand {amount}")
        #expect(t("Written to {name}.", ["name": "Ole O."]) == "Written to Ole O.")
        #expect(t("{a}{b}{c}", ["a": "{b}", "b": "2"]) == "{b}2{c}")
    }

    @Test("A number chooses the plural form by the rule of the language")
    func plurals() throws {
        let t = try translator()
        let text = { (t: Translator, count: Int) in
            t("{n} package of {name}", plural: "{n} packages of {name}", count: count, ["name": "{n}"])
        }
        #expect(text(t, 1) == "1 Paket von {n}")
        #expect(text(t, 0) == "0 Pakete von {n}")
        let french = try translator(Self.german.replacing("n != 1", with: "n > 1"))
        #expect(text(french, 0) == "0 Paket von {n}")
        #expect(text(french, 2) == "2 Pakete von {n}")
        let english = Translator(.english, .english)
        #expect(text(english, 1) == "1 package of {n}")
        #expect(text(english, 3) == "3 packages of {n}")
    }

    @Test("A message with its numbers in place has the translation of the text with placeholders")
    func messages() throws {
        let t = try translator(
            Self.german + """


                msgid "Wait an hour."
                msgid_plural "Wait {n} hours."
                msgstr[0] "Warte eine Stunde."
                msgstr[1] "Warte {n} Stunden."

                msgid "At most {n} child."
                msgid_plural "At most {n} children."
                msgstr[0] "Höchstens {n} Kind."
                msgstr[1] "Höchstens {n} Kinder."

                msgid "Enter a number from {least} to {most}."
                msgstr "Bis {most}, ab {least}."

                msgid "Not before 1900, such as {example}."
                msgstr "Ab 1900, etwa {example}."

                msgid "The file {file} has more than {n} entries."
                msgstr "Mehr als {n} Einträge sind in {file}."

                """)
        #expect(t.message("Wait an hour.") == "Warte eine Stunde.")
        #expect(t.message("Wait 24 hours.") == "Warte 24 Stunden.")
        #expect(t.message("At most 1 child.") == "Höchstens 1 Kind.")
        #expect(t.message("At most 30 children.") == "Höchstens 30 Kinder.")
        #expect(t.message("Enter a number from 1 to 1440.") == "Bis 1440, ab 1.")
        #expect(t.message("Not before 1900, such as 2000.") == "Ab 1900, etwa 2000.")
        #expect(t.message("Not before 1800, such as 2000.") == "Not before 1800, such as 2000.")
        #expect(
            t.message("The file a/b-c.json has more than 200 entries.") == "Mehr als 200 Einträge sind in a/b-c.json.")
        #expect(t.message("Open") == "Offen")
        #expect(t.message("Deposit 5 €") == "Deposit 5 €")
        #expect(t.message("Enter 1 number.") == "Enter 1 number.")
        #expect(Translator.english.message("Wait 24 hours.") == "Wait 24 hours.")
    }

    @Test("Texts without a checked translation stay English", arguments: ["Unchecked", "Not yet translated", "Unused"])
    func untranslated(text: String) throws {
        #expect(try translator().text(text) == text)
    }

    @Test(
        "The line of a malformed file is reported",
        arguments: [
            ("msgid \"a\"\nmsgstr \"b", 2), ("msgid a\nmsgstr \"b\"", 1), ("msgid \"a\"\n\n", 2), ("\"a\"", 1),
            ("msgid \"a\"\nmsgstr[1] \"b\"", 2), ("msgid \"a\"\nmsgtsr \"b\"", 2), ("msgid \"\\q\"\nmsgstr \"b\"", 1),
            ("msgid \"\"\nmsgstr \"Plural-Forms: nplurals=3; plural=n;\\n\"", 2),
        ]
    )
    func malformed(content: String, line: Int) {
        #expect(throws: POFile.Failure(line: line)) { try POFile(content) }
    }
}
