import Kernel

// A frame: one byte 0x80 first | 0x40 last | number of the frame mod 64, then content; the first frame's content begins
// with the byte of the message's kind.
private let firstFlag: UInt8 = 0x80
private let lastFlag: UInt8 = 0x40
private let numberMask: UInt8 = 0x3f

// Of each packet the attribute protocol takes these for itself: one for the operation, two for the handle.
private let packetOverheadBytes = 3

extension BluetoothMessage {
    /// The message cut into frames, to be sent in order.
    /// - Parameter mtu: bytes of one packet as the two sides agreed (Bluetooth Core: ATT_MTU); no frame is longer than what
    ///   that leaves room for. `nil` when it isn't known: frames of ``Limits/bluetoothFrameBytes``.
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

/// Why a frame is not taken; with it all of the message that had arrived is thrown away.
package enum FrameFailure: Error, Hashable, Sendable {
    /// No byte at all, or more than ``Limits/bluetoothFrameBytes``.
    case size
    /// A first frame without a kind, or of a kind that there isn't.
    case kind
    /// A frame that is not the next one: something was lost, came twice, or the beginning is missing.
    case order
    /// More than ``Limits/bluetoothMessageBytes``.
    case tooLarge
}

/// Puts messages together again from frames as they arrive. Holds at most one unfinished message.
package struct BluetoothAssembler: Sendable {
    private var kind: BluetoothMessageKind?
    private var content: [UInt8] = []
    private var nextNumber: UInt8 = 0

    /// Begins with nothing; make a new one for each connection.
    package init() {}

    /// Takes in a frame.
    /// - Returns: the message that it finishes, `nil` while more of it is to come. A first frame begins anew, whatever
    ///   was there before.
    package mutating func take(_ frame: [UInt8]) throws(FrameFailure) -> BluetoothMessage? {
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
