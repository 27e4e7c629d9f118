/// Thrown when a tracker refuses a register request; the raw values are sent over Bluetooth.
package enum RegisterRefusal: String, Error, CaseIterable, Sendable {
    /// The request can't be read.
    case malformed
    /// The server that the request names did not sign it.
    case signature
    /// The request doesn't respond to the tracker's current challenge.
    case replayed
    case expired
    /// The request is for another tracker or from another server.
    case otherParty = "foreign"
    case bound
}
