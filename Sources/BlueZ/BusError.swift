import Glibc

/// Thrown when an operation on the D-Bus fails.
package enum BusError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A library call failed; `code` is an errno.
    case system(operation: String, code: Int32)
    /// The remote object replied with an error; `name` is its D-Bus name.
    case remote(name: String, message: String)
    /// A message doesn't have the expected contents.
    case unexpected(String)

    /// The text for the log.
    package var description: String {
        switch self {
        case .system(let operation, let code): "\(operation): \(String(cString: strerror(code)))"
        case .remote(let name, let message): message.isEmpty ? name : "\(name): \(message)"
        case .unexpected(let what): "unexpected \(what)"
        }
    }
}

/// Throws when the library returns a negative errno.
@discardableResult
func checked(_ result: Int32, _ operation: @autoclosure () -> String) throws(BusError) -> Int32 {
    guard result >= 0 else { throw .system(operation: operation(), code: -result) }
    return result
}
