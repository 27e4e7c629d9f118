import Glibc

/// Why something on the D-Bus could not be done.
package enum BusFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// A call of the library failed; `code` is an errno.
    case system(operation: String, code: Int32)
    /// The other side answered with an error, by its D-Bus name.
    case remote(name: String, message: String)
    /// A message does not hold what it should.
    case unexpected(String)

    /// For the log.
    package var description: String {
        switch self {
        case .system(let operation, let code): "\(operation): \(String(cString: strerror(code)))"
        case .remote(let name, let message): message.isEmpty ? name : "\(name): \(message)"
        case .unexpected(let what): "unexpected \(what)"
        }
    }
}

/// The library answers with a negative errno.
@discardableResult
func checked(_ result: Int32, _ operation: @autoclosure () -> String) throws(BusFailure) -> Int32 {
    guard result >= 0 else { throw .system(operation: operation(), code: -result) }
    return result
}
