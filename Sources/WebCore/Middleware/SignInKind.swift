import Kernel

/// How a person signs in or unlocks, for the metric of failed sign-ins.
package enum SignInKind: String, Sendable, CaseIterable {
    case password, passkey, provider
    /// A child's sign-in code.
    case code
    /// Unlocking by the passcode of the app lock.
    case passcode

    /// Whether `error` means that the credential was refused; an incomplete form and a failure of the server don't.
    func isRefusal(_ error: AppError) -> Bool {
        switch error.code {
        case .unauthenticated, .forbidden, .notFound, .throttled: true
        // A wrong passcode is an invalid field of its form.
        case .invalid: self == .passcode
        default: false
        }
    }
}

extension WebMetrics {
    /// Runs `work`, and counts a failed sign-in if it throws a refusal.
    package func countingFailures<Result>(
        of kind: SignInKind, _ work: () async throws -> Result
    ) async throws -> Result {
        do {
            return try await work()
        } catch let error as AppError where kind.isRefusal(error) {
            countFailedSignIn(kind)
            throw error
        }
    }
}
