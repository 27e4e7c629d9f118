import Kernel

// A frame: one byte (0x80 first | 0x40 last | frame number mod 64), then content. The first frame's content begins with
// the byte of the message's kind.
private let firstFlag: UInt8 = 0x80
private let lastFlag: UInt8 = 0x40
private let numberMask: UInt8 = 0x3f

// The attribute protocol's own bytes of each packet: one for the operation, two for the handle.
private let packetOverheadBytes = 3

extension BluetoothMessage {
    /// Returns the message's frames in the order of sending.
    /// - Parameter mtu: the negotiated packet size in bytes (Bluetooth Core: ATT_MTU), which limits the frames. `nil`
    ///   when unknown: frames of ``Limits/bluetoothFrameBytes``.
    package func frames(mtu: Int? = nil) -> [[UInt8]] {
        let bytes = [kind.rawValue] + content
        let longest = Limits.bluetoothFrameBytes
        let fitting = mtu.map { min(longest, max(Limits.bluetoothFrameBytesMinimum, $0 - packetOverheadBytes)) }
        let room = (fitting ?? longest) - 1
        return stride(from: 0, to: bytes.count, by: room).enumerated().map { number, start in
            let end = min(start + room, bytes.count)
            var header = UInt8(truncatingIfNeeded: number) & numberMask
            if start == 0 { header |= firstFlag }
            if end == bytes.count { header |= lastFlag }
            return [header] + bytes[start..<end]
        }
    }
}

/// Thrown for a rejected frame. The assembler discards the unfinished message.
package enum FrameFailure: Error, Hashable, Sendable {
    /// An empty frame, or one of more than ``Limits/bluetoothFrameBytes``.
    case size
    /// A first frame without a kind, or of an unknown kind.
    case kind
    /// Not the next frame: one was lost or repeated, or the first is missing.
    case order
    /// More than ``Limits/bluetoothMessageBytes``.
    case tooLarge
}

/// Reassembles messages from arriving frames. Holds at most one unfinished message.
package struct BluetoothAssembler: Sendable {
    private var kind: BluetoothMessageKind?
    private var content: [UInt8] = []
    private var nextNumber: UInt8 = 0

    /// Creates an empty assembler. Each connection needs its own.
    package init() {}

    /// Adds a frame.
    /// - Returns: the message that the frame completes; `nil` while frames are missing. A first frame discards an
    ///   unfinished message.
    package mutating func add(_ frame: [UInt8]) throws(FrameFailure) -> BluetoothMessage? {
        do throws(FrameFailure) {
            return try append(frame)
        } catch {
            reset()
            throw error
        }
    }

    private mutating func append(_ frame: [UInt8]) throws(FrameFailure) -> BluetoothMessage? {
        guard let header = frame.first, frame.count <= Limits.bluetoothFrameBytes else { throw .size }
        var rest = frame.dropFirst()
        if header & firstFlag != 0 {
            reset()
            guard let kind = rest.popFirst().flatMap(BluetoothMessageKind.init(rawValue:)) else { throw .kind }
            self.kind = kind
        }
        guard let kind, header & numberMask == nextNumber else { throw .order }
        guard content.count + rest.count <= Limits.bluetoothMessageBytes else { throw .tooLarge }
        content += rest
        nextNumber = (nextNumber + 1) & numberMask
        guard header & lastFlag != 0 else { return nil }
        let message = BluetoothMessage(kind, content)
        reset()
        return message
    }

    private mutating func reset() {
        kind = nil
        content = []
        nextNumber = 0
    }
}
