package import Kernel

/// The obstacles, effects and proofs of an account's deletion.
package struct DeletionPreview: Sendable {
    /// The ways to prove that the account's owner is present.
    package let methods: SignInMethods
    /// The open business in an app that prevents the deletion, with which ``AccountDeletionService`` rejects it; `nil`
    /// for none.
    package let obstacle: AppError?
    /// The effects of the deletion on others, in English.
    package let notes: [String]
}
