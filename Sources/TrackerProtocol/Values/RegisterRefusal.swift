/// Why a tracker doesn't take a register request; the words go over Bluetooth as they are.
package enum RegisterRefusal: String, Error, CaseIterable, Sendable {
    /// It can't be read.
    case malformed
    /// It is not signed by the server that it names.
    case signature
    /// It doesn't answer the tracker's present challenge.
    case replayed
    /// Its time is over.
    case expired
    /// It is another tracker's, or another server's.
    case foreign
    /// The tracker has an owner.
    case bound
}
