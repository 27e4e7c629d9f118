import Accounts
package import Kernel
import Storage

/// An offer as a person without an account sees it.
package struct SharedOffer: Sendable, Hashable {
    /// Without exact points, names of people and the description.
    package let package: Package
    /// The owner's first name.
    package let ownerFirstName: String?
}

/// `/offers/{id}/{secret}`: the public page of an open offer, which its owner shares by link.
package struct OfferLinkService: Sendable {
    private static let purpose = "carrepsa offer link"
    private static let secretBytes = 16

    let deadlines: PackageDeadlines
    let details: PackageDetailsReader
    let secrets: SecretBox

    /// Returns the secret in the address of an offer. It is derived from the server's key, so nothing is stored.
    package func secret(of id: ID<Package>) -> String {
        Base64URL.encoded(secrets.mark(Array(id.description.utf8), purpose: Self.purpose).prefix(Self.secretBytes))
    }

    /// Returns an open offer.
    /// - Throws: `AppError.notFound` for a wrong secret, and for a package that is no longer offered.
    package func offer(_ id: ID<Package>, secret shown: String) async throws -> SharedOffer {
        guard ConstantTime.isEqual(Array(shown.utf8), Array(secret(of: id).utf8)) else { throw AppError.notFound }
        return try await deadlines.read { [details] tx, now in
            guard let named = try PackageList.find(id, in: tx), named.stored.state == .available,
                !named.stored.isPastDeadline(now)
            else { throw AppError.notFound }
            return SharedOffer(
                package: try details.package(named, in: tx),
                ownerFirstName: named.owner.name?.split(whereSeparator: \.isWhitespace).first.map(String.init))
        }
    }
}
