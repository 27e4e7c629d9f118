import AccountsWeb
import Kernel
import Pictures
import Testing
import WebCore

@Suite("What is said of a picture that isn't taken")
struct PictureWordingTests {
    @Test("it is told at the field, in the reader's language", arguments: PictureRefusal.allCases)
    func isTranslated(refusal: PictureRefusal) {
        let german = refusal.appError.translated(to: .german)
        #expect(german.fields == ["picture": refusal.german])
        #expect(german.code == refusal.appError.code)
        #expect(refusal.german != refusal.message)
        #expect(refusal.appError.translated(to: .english) == refusal.appError)
    }
}
