import Foundation
import Kernel

/// The user and password of HTTP's Basic scheme (RFC 7617).
struct BasicCredential: Equatable {
    let user: String
    let password: String

    /// Parses an `Authorization` header; returns `nil` for any other scheme or an invalid value.
    init?(_ header: String?) {
        guard let header, let space = header.firstIndex(of: " "), header[..<space].lowercased() == "basic",
            let data = Data(base64Encoded: header[space...].trimmingCharacters(in: .whitespaces)),
            StreamSafeText.isValid(data), let colon = data.firstIndex(of: UInt8(ascii: ":")),
            let user = String(validating: data[..<colon], as: UTF8.self),
            let password = String(validating: data[(colon + 1)...], as: UTF8.self)
        else { return nil }
        self.user = user
        self.password = password
    }
}
