import Kernel

extension FieldErrors where Message == CarrepsaMessage {
    /// Returns a name on one line; `nil` if it is refused.
    mutating func name(
        _ typed: String?, _ field: String, missing: CarrepsaMessage, tooLong: CarrepsaMessage,
        unreadable: CarrepsaMessage
    ) -> String? {
        do throws(TextValidation.Failure) {
            return try DisplayName(typed ?? "").text
        } catch {
            switch error {
            case .empty: refuse(field, missing)
            case .tooLong: refuse(field, tooLong)
            case .tooManyBytes: refuse(field, .tooManyBytes)
            case .controlCharacter: refuse(field, unreadable)
            }
            return nil
        }
    }

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
