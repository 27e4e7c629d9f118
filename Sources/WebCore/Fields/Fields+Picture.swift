package import Accounts
package import Kernel
package import Pictures
import Storage

extension Fields {
    /// Stores a picture that was sent with the form, as happens without scripts. Check first whether the sender may do
    /// what the form requests: decoding is expensive, and the stored picture stays.
    /// - Returns: `nil` if the form has no picture, or if it was rejected, which is noted with the other fields'
    ///   errors.
    /// - Throws: every `AppError` that names no field, as when a picture is added separately.
    package mutating func store(
        _ upload: UploadedFile?, in library: PictureLibrary, by change: Change
    ) async throws -> ID<Picture>? {
        guard let upload, !upload.bytes.isEmpty else { return nil }
        // The form's key also covers the picture, so that a repeated form adds no second one.
        let scope = change.idempotency.map { scope in
            IdempotencyScope(
                person: scope.person, method: scope.method, path: scope.path + "#picture", key: scope.key,
                bodyDigest: scope.bodyDigest, earlierBodyDigest: scope.earlierBodyDigest
            )
        }
        do {
            return try await library.add(upload.bytes, owner: change.actor.person, idempotency: scope).id
        } catch let error as AppError where error.code == .invalid && !error.fields.isEmpty {
            addError(error)
            return nil
        }
    }
}
