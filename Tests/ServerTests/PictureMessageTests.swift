import Kernel
import Pictures
import Testing
import WebCore

@Suite("Messages for rejected pictures")
struct PictureMessageTests {
    @Test("The message is at the field, in the reader's language", arguments: PictureError.allCases)
    func isTranslated(refusal: PictureError) throws {
        let german = refusal.appError.translated(to: .german)
        let message = try #require(german.fields["picture"])
        #expect(message.hasPrefix("Diese"))
        let number = #/[0-9]+/#
        #expect(message.firstMatch(of: number)?.output == refusal.message.firstMatch(of: number)?.output)
        #expect(german.code == refusal.appError.code)
        #expect(refusal.appError.translated(to: .english) == refusal.appError)
    }
}
