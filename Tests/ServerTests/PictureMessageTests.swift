import AccountsWeb
import Kernel
import Pictures
import Testing
import WebCore

@Suite("Messages for rejected pictures")
struct PictureMessageTests {
    @Test("The message is at the field, in the reader's language", arguments: PictureError.allCases)
    func isTranslated(refusal: PictureError) {
        let german = refusal.appError.translated(to: .german)
        #expect(german.fields == ["picture": refusal.german])
        #expect(german.code == refusal.appError.code)
        #expect(refusal.german != refusal.message)
        #expect(refusal.appError.translated(to: .english) == refusal.appError)
    }
}
