package import Accounts
package import Kernel
package import Pictures
import Storage

extension PictureLibrary {
    /// Stores a picture that was sent with a form, as happens without scripts. Check first whether the sender may do
    /// what the form requests: decoding is expensive, and the stored picture stays.
    /// - Returns: `nil` if the form has no picture.
    /// - Throws: `AppError`, as when a picture is added separately.
    package func store(_ upload: UploadedFile?, by change: Change) async throws -> ID<Picture>? {
        guard let upload, !upload.bytes.isEmpty else { return nil }
        // The form's key also covers the picture, so that a repeated form adds no second one.
        let scope = change.idempotency.map { scope in
            IdempotencyScope(
                person: scope.person, method: scope.method, path: scope.path + "#picture", key: scope.key,
                bodyDigest: scope.bodyDigest
            )
        }
        return try await add(upload.bytes, owner: change.actor.person, idempotency: scope).id
    }
}
