import Accounts
import TrackerProtocol

/// The server's keys for finders of trackers.
struct FinderKeys: Sendable {
    let secrets: SecretBox

    /// The server's key pair for finders, the same for all trackers. It is derived from the server's secret, so that it
    /// needs no storage and every node has it.
    func pair() throws -> KeyPair { try KeyPair(privateKey: secrets.mark([], purpose: "finder tokens")) }
}
