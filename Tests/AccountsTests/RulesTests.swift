import Accounts
import Kernel
import Testing
import Translations

@Suite("Validation of profile fields")
struct RulesTests {
    struct EmailCase: Sendable, CustomTestStringConvertible {
        let typed: String
        let key: String?
        var testDescription: String { typed }
    }

    @Test(
        "An email is accepted or refused",
        arguments: [
            EmailCase(typed: "mia@example.org", key: "mia@example.org"),
            EmailCase(typed: "  Mia.Mai+x@Example.ORG ", key: "mia.mai+x@example.org"),
            EmailCase(typed: "jürgen@müller.example", key: "jürgen@müller.example"),
            EmailCase(typed: "ju\u{308}rgen@example.org", key: "j\u{fc}rgen@example.org"),
            EmailCase(typed: "a@b", key: nil),
            EmailCase(typed: "mia", key: nil),
            EmailCase(typed: "mia@", key: nil),
            EmailCase(typed: "@example.org", key: nil),
            EmailCase(typed: "a@b@c.org", key: nil),
            EmailCase(typed: "mia @example.org", key: nil),
            EmailCase(typed: "mia@example..org", key: nil),
            EmailCase(typed: "mia@-example.org", key: nil),
            EmailCase(typed: ".mia@example.org", key: nil),
            EmailCase(typed: "mia@example.org\r\nBcc: x@y.org", key: nil),
            EmailCase(typed: "mia\u{0}@example.org", key: nil),
            EmailCase(typed: "<mia@example.org>", key: nil),
            EmailCase(typed: "mia,ben@example.org", key: nil),
            EmailCase(typed: "\u{202e}mia@example.org", key: nil),
            EmailCase(typed: String(repeating: "a", count: 65) + "@example.org", key: nil),
            EmailCase(typed: "a@" + String(repeating: "b.", count: 130) + "org", key: nil),
            EmailCase(typed: "a@\u{301}b.org@example.org", key: nil),
            EmailCase(typed: "a@exa\u{fe0f}mple.org", key: nil),
            EmailCase(typed: "a@exa\u{200d}mple.org", key: nil),
            EmailCase(typed: "a\u{34f}b@example.org", key: nil),
            EmailCase(typed: "mia@उदाहरण.example", key: "mia@उदाहरण.example"),
            EmailCase(typed: String(repeating: " ", count: 4 * EmailAddress.maximumBytes) + "a@b.org", key: nil),
        ])
    func email(_ example: EmailCase) {
        #expect(EmailAddress(example.typed)?.key == example.key)
    }

    @Test(
        "A phone number is stored without separators, or refused",
        arguments: [
            ("+49 151 23456789", "+4915123456789"), ("0049 (151) 234-567/89", "+4915123456789"),
            ("0151.234567", "0151234567"),
            ("12345", nil), ("+1234567890123456", nil), ("+49x151234567", nil), ("++49151234567", nil),
            ("max@123456", nil), ("abc123456", nil), ("+49 30 1234567 Anna", nil), ("030 123456, 0171 234567", nil),
            ("0151 123456 78+9", nil), (String(repeating: "0", count: 2_000), nil),
            // Other digits, and separators and invisible characters as pages and contacts have them.
            ("٠١٢٣٤٥٦٧٨", "012345678"), ("＋４９（３０）１２３４５６７", "+49301234567"),
            ("\u{202a}+49\u{a0}30\u{2011}1234567\u{202c}", "+49301234567"),
            ("+49\u{2009}30\u{2013}12\u{ad}34567", "+49301234567"),
            ("+49 [30] 123 45 67", "+49301234567"), ("+33·1·23·45·67·89", "+33123456789"),
            ("Tel.: +49 30 1234567", "+49301234567"), ("☎ 030/1234567", "0301234567"),
            // Links (RFC 3966).
            ("tel:+49-30-1234567", "+49301234567"), ("tel:1234567;phone-context=+49-30", "+49301234567"),
            ("TEL:+49%2030%201234567;ext=12", "+49301234567"),
            // Extensions and the letters of keys.
            ("+1 650-253-0000 ext. 12", "+16502530000"), ("+1 (650) 253-0000 x12", "+16502530000"),
            ("+1 650 253 0000;ext=12#", "+16502530000"), ("+44 20 7946 0018 #34", "+442079460018"),
            ("+7 495 123-45-67 доб. 12", "+74951234567"), ("+1 800 FLOWERS", "+18003569377"),
            ("+5493516315733 ext.", "+5493516315733"), ("tel:+44-114-272-6444;1234", "+441142726444"),
            // Trunk prefixes (the values of libphonenumber).
            ("+49 (0) 30 1234567", "+49301234567"), ("+44 (0)20 7946 0018", "+442079460018"),
            ("0049 (0)30 1234567", "+49301234567"), ("+49 030 1234567", "+49301234567"),
            ("+49(0)(30)1234567", "+49301234567"), ("+41 (0) 44 668 18 00", "+41446681800"),
            ("+34 (0) 912 345 678", "+34912345678"), ("+39 06 1234 5678", "+390612345678"),
            ("+39 (0)6 1234 5678", "+390612345678"), ("+378 0549 886377", "+3780549886377"),
            ("+225 07 01 23 45 67", "+2250701234567"), ("+36 06 1 234 5678", "+3612345678"),
            ("+7 8 495 123 45 67", "+74951234567"), ("+7 800 123 45 67", "+78001234567"),
            ("+1 1 650 253 0000", "+16502530000"), ("+52 1 55 1234 5678", "+525512345678"),
            ("+33 06 01 23 45 67", "+33601234567"), ("+992007123456", "+992007123456"),
            ("+55 0-800-5700800", "+558005700800"), ("+243 081 234 5678", "+243812345678"),
            ("(030) 1234567", "0301234567"), ("(0)30 1234567", "0301234567"),
        ] as [(String, String?)])
    func phone(typed: String, read: String?) {
        #expect(PhoneNumber(typed)?.text == read)
    }

    @Test(
        "A date of birth is a calendar day from 1900 to yesterday",
        arguments: [
            ("2000-02-29", true), ("1900-01-01", true), ("2026-02-28", true), ("1899-12-31", false),
            ("2026-03-01", false), ("2026-03-02", false), ("2024-02-29", true), ("2026-02-29", false),
            ("2001-02-29", false), ("1900-02-29", false), ("2000-04-31", false), ("2000-13-01", false),
            ("2000-00-10", false),
            ("2000-1-1", false), ("01.02.2000", false), ("2000-02-29T00:00", false), ("", false), ("+200-01-01", false),
            ("２０００-01-01", false),
        ])
    func dateOfBirth(typed: String, isTaken: Bool) throws {
        let now = try #require(Instant(rfc3339: "2026-03-01T12:00:00Z"))
        #expect((BirthDate(typed, now: now) != nil) == isTaken)
    }

    @Test(
        "A password has 8 to 200 characters (grapheme clusters)",
        arguments: [
            ("", AccountMessage.passwordMissing), ("1234567", .passwordTooShort), ("12345678", nil),
            ("👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦", .passwordTooShort),
            (String(repeating: "é", count: 200), nil), (String(repeating: "x", count: 201), .passwordTooLong),
        ] as [(String, AccountMessage?)])
    func password(typed: String, problem: AccountMessage?) {
        var found: AccountMessage?
        do throws(AccountRuleViolation) { _ = try Password(choosing: typed) } catch { found = error.message }
        #expect(found == problem)
    }

    @Test("A password is the same in composed and decomposed Unicode")
    func composedPassword() throws {
        #expect(try Password(choosing: "passw\u{f6}rter").bytes == Password(checking: "passwo\u{308}rter").bytes)
    }

    @Test(
        "A device's name is derived from its user agent",
        arguments: [
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile/15E148 Safari/604.1",
                "Safari on iPhone"
            ),
            (
                "Mozilla/5.0 (Linux; Android 15; Pixel 7) Chrome/140.0 Mobile Safari/537.36",
                "Chrome on Android"
            ),
            ("Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/140.0 Safari/537.36 Edg/140.0", "Edge on Windows"),
            ("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox on Linux"),
            ("curl/8.0", "curl"), ("my\u{7} script", "my script"), ("", "Unknown device"), (nil, "Unknown device"),
        ] as [(String?, String)])
    func deviceName(userAgent: String?, name: String) {
        #expect(DeviceName.describe(userAgent: userAgent) == name)
    }

    @Test(
        "A stored device name is shown in the reader's language; other names stay as they are",
        arguments: [
            ("Chrome on Android", [.english: "Chrome on Android", .german: "Chrome auf Android"]),
            ("Safari on iPhone", [.spanish: "Safari en iPhone", .french: "Safari sur iPhone"]),
            ("Samsung Internet on Android", [.german: "Samsung Internet auf Android"]),
            ("Unknown device", [.german: "Unbekanntes Gerät", .spanish: "Dispositivo desconocido"]),
            ("curl", [.german: "curl"]), ("Firefox", [.french: "Firefox"]),
            ("Always on Android", [.german: "Always on Android"]), ("Chrome on Toast", [.german: "Chrome on Toast"]),
            ("", [.german: ""]), (" on ", [.german: " on "]),
        ] as [(String, [Language: String])])
    func translatedDeviceName(stored: String, texts: [Language: String]) {
        for (language, text) in texts {
            #expect(DeviceName.text(stored, Translations.translator(language)) == text)
        }
    }

    @Test(
        "IPv6 addresses of one /64 network count as one, and IPv4 addresses separately",
        arguments: [
            ("192.0.2.7", "192.0.2.7"), ("2001:db8:1:2:3:4:5:6", "20:1:d:b8:0:1:0:2/64"),
            ("2001:db8:1:2::9", "20:1:d:b8:0:1:0:2/64"), ("::ffff:192.0.2.7", "192.0.2.7"), ("nonsense:", "nonsense:"),
        ])
    func network(address: String, key: String) {
        #expect(ClientNetwork.key(address) == key)
    }
}
