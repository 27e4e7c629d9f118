import Accounts
import Carrepsa
import Family
import Kernel
import Testing
import Tracking
import Translations

@Suite("The error messages of all modules")
struct ErrorMessageTests {
    private static let messages: [any ErrorMessage] =
        AccountMessage.allCases + LockMessage.allCases + CarrepsaMessage.allCases + FamilyMessage.allCases
        + TrackingErrorMessage.allCases

    @Test("Each message is a sentence with its numbers, and has a translation", arguments: Language.allCases)
    func translations(language: Language) {
        let t = Translations.translator(language)
        for message in Self.messages {
            let text = message.text
            #expect(text.hasSuffix(".") && text.contains(" ") && !text.contains("{"), "\(message)")
            let translation = t.message(text)
            #expect((translation == text) == (language == .english), "\(message)")
            #expect(!translation.contains("{"), "\(message)")
        }
    }

    @Test("A message's number is its limit in every language", arguments: Language.allCases)
    func numbers(language: Language) {
        let t = Translations.translator(language)
        let limits: [(any ErrorMessage, [String])] = [
            (FamilyMessage.tooManyChildren, ["\(Limits.childrenPerHousehold)"]),
            (FamilyMessage.tooNewToAnnounce, ["\(Limits.removalMembershipSeconds.wholeDays)"]),
            (CarrepsaMessage.codeThrottled, ["\(Limits.handoverThrottleSeconds.wholeMinutes)"]),
            (AccountMessage.passwordTooLong, ["\(Limits.passwordCharacters.upperBound)"]),
            (TrackingErrorMessage.daysOutOfRange, ["\(Limits.keepDays.lowerBound)", "\(Limits.keepDays.upperBound)"]),
        ]
        for (message, numbers) in limits {
            #expect(t.message(message.text).matches(of: /[0-9]+/).map { String($0.output) } == numbers)
        }
    }
}
