package import Kernel
package import Pictures

/// A photo of a handover, by the owner or the carrier. Its hash and its note are sealed in the package's history.
package struct PackageProof: Sendable, Hashable {
    /// The number of its entry in the history.
    package let number: Int64
    package let step: HandoverStep
    package let at: Instant
    /// The role of the person who took it.
    package let role: PackageRole
    /// The person's current name; `nil` if the account was deleted.
    package let byName: String?
    /// `nil` if it was deleted with the account of the person who took it.
    package let pictureID: ID<Picture>?
    /// The condition of the package in the person's words.
    package let note: String?
    /// The SHA-256 of the photo's file in its largest size, in hexadecimal digits.
    package let digest: String
}

/// Reads a picture's file in its largest size; `nil` if it is missing.
package typealias PhotoReader = @Sendable (ID<Picture>) async throws -> [UInt8]?
