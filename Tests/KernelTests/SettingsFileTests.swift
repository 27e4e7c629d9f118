import Foundation
import Kernel
import Testing

@Suite("Files of settings")
struct SettingsFileTests {
    private static let plain = ["HOMEWARD_DATA": "./store", "HOMEWARD_REGISTRATION": "open"]

    @Test(
        "A file of another editor is read as one with plain lines",
        arguments: [
            "HOMEWARD_DATA=./store\nHOMEWARD_REGISTRATION=open\n",
            "HOMEWARD_DATA=./store\r\nHOMEWARD_REGISTRATION=open\r\n",
            "HOMEWARD_DATA=./store\rHOMEWARD_REGISTRATION=open",
            "# my server\r\nHOMEWARD_DATA=./store\r\nHOMEWARD_REGISTRATION=open",
            "\u{feff}HOMEWARD_DATA=./store\nHOMEWARD_REGISTRATION=open",
            "\u{feff}# remark\r\n\r\nHOMEWARD_DATA=./store\r\nHOMEWARD_REGISTRATION=open",
            "export HOMEWARD_DATA=./store\nexport  HOMEWARD_REGISTRATION='open'",
            "HOMEWARD_DATA=\"./store\"\nHOMEWARD_REGISTRATION='open'",
            "  HOMEWARD_DATA = ./store \t\n\tHOMEWARD_REGISTRATION=open\t",
            "HOMEWARD_DATA=./store # here\nHOMEWARD_REGISTRATION=\"open\" # all",
            "; remark\nHOMEWARD_DATA=./store\n\u{a0}\nHOMEWARD_REGISTRATION=open\u{a0}",
            "HOMEWARD_DATA=./other\nHOMEWARD_REGISTRATION=open\nHOMEWARD_DATA=./store",
        ])
    func editors(text: String) throws {
        #expect(try SettingsFile(Array(text.utf8)).values == Self.plain)
    }

    @Test(
        "A value is what is written, except for quotes and comments",
        arguments: [
            ("a=b=c", "a=b=c"), ("", ""), ("\"\"", ""), (" # nothing", ""), ("#1", "#1"), ("a#b", "a#b"),
            ("'a # b'", "a # b"),
            ("\"a # b\"", "a # b"), ("'a\"b\\c$d'", "a\"b\\c$d"), ("\"a\\\"b\\\\c\\$d\\`\"", "a\"b\\c$d`"),
            ("\"C:\\new\"", "C:\\new"),
            ("a\"b", "a\"b"), ("smtp://u:pa$word@h", "smtp://u:pa$word@h"), ("'${A}'", "${A}"), ("\"\\${A}\"", "${A}"),
            ("© OpenStreetMap", "© OpenStreetMap"), ("e\u{301}\r", "e\u{301}"),
        ])
    func values(written: String, value: String) throws {
        #expect(
            try SettingsFile(Array("A=1\nHOMEWARD_X=\(written)".utf8)).entries.last?.value.utf8.elementsEqual(
                value.utf8) == true)
    }

    @Test(
        "A line that can't be read is an error with its number",
        arguments: [
            ("HOMEWARD_DATA", "NAME=value"), ("HOMEWARD_DATA: ./store", "NAME=value"),
            ("HOMEWARD_OBJECTS: s3://b?a=b", "NAME=value"),
            ("=./store", "NAME=value"), ("HOMEWARD-DATA=./store", "NAME=value"), ("[homeward]", "NAME=value"),
            ("1A=b", "NAME=value"),
            ("set HOMEWARD_DATA=./store", "NAME=value"), ("HOMEWARD_DATA=\"./store", "closing"),
            ("HOMEWARD_DATA='./store\"", "closing"),
            ("HOMEWARD_DATA=\"a\" b", "after the closing quote"), ("HOMEWARD_DATA='a\\'#b'", "after the closing quote"),
            ("HOMEWARD_DATA=./st\\", "backslash"),
            ("HOMEWARD_DATA=${HOME}/store", "${"), ("HOMEWARD_DATA=\"$(pwd)/store\"", "${"),
            ("“HOMEWARD_DATA”=./store", "NAME=value"),
            ("<<<<<<< HEAD", "NAME=value"),
        ])
    func problems(line: String, problem: String) {
        let failure = #expect(throws: SettingsFile.Failure.self) {
            try SettingsFile(Array("# remark\r\nHOMEWARD_URL=http://localhost\r\n\(line)\r\nHOMEWARD_MAIL=a".utf8))
        }
        #expect(failure?.line == 3)
        #expect(failure?.problem.contains(problem) == true)
    }

    @Test("A file in UTF-16, with other bytes or of an absurd length is an error")
    func encodings() throws {
        let text = "HOMEWARD_DATA=./store\n"
        for encoding in [String.Encoding.utf16, .utf16LittleEndian, .utf16BigEndian] {
            let failure = #expect(throws: SettingsFile.Failure.self) {
                try SettingsFile(Array(try #require(text.data(using: encoding))))
            }
            #expect(failure?.problem.contains("UTF-16") == true)
        }
        let latin = Array("A=1\nB=".utf8) + [0xe9, 0x0a]
        #expect(throws: SettingsFile.Failure(line: 2, problem: "not UTF-8")) { try SettingsFile(latin) }
        #expect(throws: SettingsFile.Failure.self) {
            try SettingsFile([UInt8](repeating: 0x0a, count: Limits.settingsFileBytes + 1))
        }
        #expect(try SettingsFile([]).entries.isEmpty)
    }

    @Test("A written line is read again as the same value")
    func roundTrip() throws {
        for value in [
            "", "a", "a b", "'", "\"", "a # b", "#a", "$a", "${a}", "$(a)", "a\\", "`", "it's \"${x}\" \\ `y`", "é",
            "a=b", "\"a\"",
        ] {
            let line = SettingsFile.line("HOMEWARD_X", value)
            #expect(try SettingsFile(Array(line.utf8)).values == ["HOMEWARD_X": value], "\(line)")
        }
    }

    @Test(
        "Quotes and line breaks around a value of the environment are removed",
        arguments: [
            ("/srv\r", "/srv"), ("/srv\n", "/srv"), ("\"/srv\"", "/srv"), ("'/srv'\r\n", "/srv"), ("\"", "\""),
            ("a\"b\"", "a\"b\""),
            ("\"a\"b\"", "\"a\"b\""), ("'", "'"), ("", ""), ("a ${b}", "a ${b}"),
        ])
    func environment(value: String, expected: String) { #expect(SettingsFile.withoutQuotes(value) == expected) }

    @Test(
        "The nearest name is the one with the fewest typing errors",
        arguments: [
            ("DTAA", "DATA"), ("LISTNE", "LISTEN"), ("TRUSTED_PROXY", "TRUSTED_PROXIES"),
            ("PROXIES", "TRUSTED_PROXIES"),
            ("SMTP", "SMTP_URL"), ("NOTHING_OF_THIS", nil), ("", nil),
        ] as [(String, String?)])
    func nearest(typed: String, name: String?) {
        #expect(NearestName.of(typed, in: ["DATA", "LISTEN", "TRUSTED_PROXIES", "SMTP_URL"]) == name)
    }
}
