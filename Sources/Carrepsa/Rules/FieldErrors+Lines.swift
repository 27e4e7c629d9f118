import Kernel

extension FieldErrors where Message == CarrepsaMessage {
    /// Returns the text of several lines; `nil` if it is blank or refused.
    mutating func lines(
        _ typed: String?, _ field: String, characters: Int, bytes: Int, tooLong: CarrepsaMessage
    ) -> String? {
        do throws(TextValidation.Failure) {
            return try TextValidation.lines(typed, characters: characters, bytes: bytes)
        } catch {
            switch error {
            case .tooLong: refuse(field, tooLong)
            case .tooManyBytes: refuse(field, .tooManyBytes)
            case .empty, .controlCharacter: refuse(field, .textUnreadable)
            }
            return nil
        }
    }
}
