package import Accounts
package import Kernel
package import Pictures
import Storage

extension PictureLibrary {
    /// Takes a picture that came with a form itself, as it does without script. Whether whoever sends the form may do
    /// what it asks for has to be found out before: decoding costs, and what is kept stays.
    /// - Returns: `nil` where no picture came.
    /// - Throws: `AppError`, as when a picture is added by itself.
    package func keep(_ upload: UploadedFile?, by change: Change) async throws -> ID<Picture>? {
        guard let upload, !upload.bytes.isEmpty else { return nil }
        // The form's key covers the picture too, so that a repeated form doesn't fill the library.
        let scope = change.idempotency.map { scope in
            IdempotencyScope(
                person: scope.person, method: scope.method, path: scope.path + "#picture", key: scope.key,
                bodyDigest: scope.bodyDigest
            )
        }
        return try await add(upload.bytes, owner: change.actor.person, idempotency: scope).id
    }
}
