import Kernel

/// A stored proof in the API.
struct ProofJSON: Encodable {
    let act: String
    let expiresAt: Instant
}
