import Synchronization

/// The last peer that sent `X-Forwarded-For` or `Forwarded` without being a trusted proxy. It is a proxy that the
/// settings should name, or a client that pretends to be one.
package final class UntrustedProxy: Sendable {
    private let last = Mutex<String?>(nil)

    package init() {}

    /// The peer's address; `nil` for none since the start.
    package var address: String? { last.withLock(\.self) }

    func record(_ address: String) { last.withLock { $0 = address } }
}
