import Kernel
import TrackerProtocol

/// The storage format of the memory: `HWT3`, the fields in order, CRC-32 of everything before it. The formats `HWT1`
/// and `HWT2` of earlier versions lack the last fields and are still read.
extension TrackerMemory {
    /// The magic bytes of each version, oldest first.
    private static let magics = ["HWT1", "HWT2", "HWT3"].map { Array($0.utf8) }

    /// The memory in the newest format.
    package var bytes: [UInt8] {
        var writer = ByteWriter()
        writer.bytes = Self.magics[Self.magics.count - 1]
        writer.write(phase)
        writer.write(needsIdentity)
        writer.write(binding)
        writer.write(Int64(locateMinutes))
        writer.write(nearness.mode)
        writer.write(nearness.candidateSince)
        writer.write(batteryPercent)
        writer.write(counter)
        writer.write(pending) { writer, message in
            writer.write(message.counter)
            writer.write(message.at.millisecondsSince1970)
            writer.write(message.phase)
            writer.write(message.mode)
            writer.write(message.batteryPercent)
            writer.write(message.droppedFixes)
        }
        writer.write(list: spool.fixes) { $0.write($1) }
        writer.write(Int64(spool.outCount))
        writer.write(spool.droppedCount)
        writer.write(spool.lastAt)
        writer.write(list: commands.acknowledgements) { $0.write($1) }
        writer.write(Int64(commands.outCount))
        writer.write(list: commands.finished) { $0.write($1) }
        writer.write(list: commands.locating) { $0.write($1) }
        writer.write(commands.newestPowerIssuedAt)
        writer.write(nextFixAt)
        writer.write(unknownSince)
        writer.write(pending?.hologramDevice) { $0.write($1) }
        writer.write(hologramDevice) { $0.write($1) }
        writer.write(isLost)
        writer.write(budget.since)
        writer.write(budget.usedBytes)
        writer.write(budget.lastMessageAt)
        writer.write(lostSince)
        writer.appendChecksum()
        return writer.bytes
    }

    /// Reads ``bytes``; returns `nil` for damaged bytes and unknown versions.
    package init?(bytes: [UInt8]) {
        guard let version = Self.magics.firstIndex(where: { bytes.starts(with: $0) }),
            let content = ByteReader.checked(bytes)
        else { return nil }
        var reader = ByteReader(content.dropFirst(Self.magics[version].count))
        do throws(ByteReader.Damaged) {
            self.init()
            try readFirst(from: &reader)
            if version >= 1 { try readSecond(from: &reader) }
            if version >= 2 { lostSince = try reader.optionalInstant() }
            guard reader.isAtEnd else { return nil }
        } catch {
            return nil
        }
    }

    private mutating func readFirst(from reader: inout ByteReader) throws(ByteReader.Damaged) {
        phase = try reader.choice()
        needsIdentity = try reader.flag()
        binding = try reader.optionalID()
        locateMinutes = try reader.count(in: TrackerSettings.locateMinutesRange)
        nearness = NearnessRule(mode: try reader.choice(), candidateSince: try reader.optionalInstant())
        batteryPercent = try reader.optionalPercent()
        counter = try reader.integer()
        pending = try reader.flag() ? try pendingMessage(from: &reader) : nil
        let fixes = try reader.list { (reader: inout ByteReader) throws(ByteReader.Damaged) in try reader.fix() }
        let outCount = try reader.count(in: 0...fixes.count)
        let spool = FixSpool(
            fixes: fixes, outCount: outCount, droppedCount: try reader.integer(), lastAt: try reader.optionalInstant()
        )
        guard let spool else { throw .damaged }
        self.spool = spool
        commands = try commandQueue(from: &reader)
        nextFixAt = try reader.optionalInstant()
        unknownSince = try reader.optionalInstant()
    }

    private mutating func readSecond(from reader: inout ByteReader) throws(ByteReader.Damaged) {
        let pendingDevice = try reader.flag() ? try reader.integer() : nil
        pending?.hologramDevice = pendingDevice
        hologramDevice = try reader.flag() ? try reader.integer() : nil
        isLost = try reader.flag()
        budget = DataBudget(
            since: try reader.optionalInstant(), usedBytes: try reader.integer(),
            lastMessageAt: try reader.optionalInstant()
        )
    }

    private func pendingMessage(from reader: inout ByteReader) throws(ByteReader.Damaged) -> PendingMessage {
        PendingMessage(
            counter: try reader.integer(), at: try reader.instant(), phase: try reader.choice(),
            mode: try reader.choice(), batteryPercent: try reader.optionalPercent(),
            droppedFixes: try reader.integer(), hologramDevice: nil
        )
    }

    private func commandQueue(from reader: inout ByteReader) throws(ByteReader.Damaged) -> CommandQueue {
        typealias Damaged = ByteReader.Damaged
        let acknowledgements = try reader.list { (reader: inout ByteReader) throws(Damaged) in
            try reader.acknowledgement()
        }
        let outCount = try reader.count(in: 0...acknowledgements.count)
        let finished = try reader.list { (reader: inout ByteReader) throws(Damaged) in try reader.acknowledgement() }
        let locating = try reader.list { (reader: inout ByteReader) throws(Damaged) in try reader.command() }
        let commands = CommandQueue(
            acknowledgements: acknowledgements, outCount: outCount, finished: finished, locating: locating,
            newestPowerIssuedAt: try reader.optionalInstant()
        )
        guard let commands else { throw .damaged }
        return commands
    }
}
