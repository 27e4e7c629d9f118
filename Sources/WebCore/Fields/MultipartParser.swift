import Kernel

/// Reads `multipart/form-data` (RFC 7578, RFC 2046) as it arrives, in pieces of any size.
struct MultipartParser {
    /// One field or file.
    struct Part: Equatable {
        let name: String
        let filename: String?
        let mediaType: String?
        var bytes: [UInt8]
    }

    enum Failure: Error, Equatable {
        case malformed
        case tooManyParts
        case fieldTooLarge
        /// A file other than the expected one, or a second one.
        case unexpectedFile
    }

    private enum State {
        case preamble, headers, body, epilogue
    }

    /// The parts that are complete.
    private(set) var parts: [Part] = []

    // CR LF, two hyphens, the boundary. The first delimiter of a body has no CR LF before it, so one is prepended.
    private let delimiter: [UInt8]
    private var pending: [UInt8] = [0x0d, 0x0a]
    private var current: Part?
    private let onlyFile: String?
    private var state = State.preamble

    /// - Parameter onlyFile: the field of the only file that is accepted; `nil` for any number of files.
    /// - Returns: `nil` for a boundary that RFC 2046 forbids.
    init?(boundary: String, onlyFile: String? = nil) {
        guard (1...70).contains(boundary.utf8.count), boundary.utf8.allSatisfy({ (0x20...0x7e).contains($0) }) else {
            return nil
        }
        delimiter = [0x0d, 0x0a, 0x2d, 0x2d] + Array(boundary.utf8)
        self.onlyFile = onlyFile
    }

    /// Parses the next bytes of the body.
    mutating func feed(_ bytes: some Sequence<UInt8>) throws(Failure) {
        guard state != .epilogue else { return }
        pending.append(contentsOf: bytes)
        while try step() {}
    }

    /// Returns the bytes of a file that arrived since the last call, and forgets them.
    mutating func drainFile(_ name: String) -> [UInt8] {
        var bytes: [UInt8] = []
        for index in parts.indices where parts[index].name == name && parts[index].filename != nil {
            bytes += parts[index].bytes
            parts[index].bytes = []
        }
        if current?.name == name, current?.filename != nil {
            bytes += current?.bytes ?? []
            current?.bytes = []
        }
        return bytes
    }

    /// Ends the body and returns its parts.
    func finish() throws(Failure) -> [Part] {
        guard state == .epilogue else { throw .malformed }
        return parts
    }

    // Parses one step; false when more bytes are needed.
    private mutating func step() throws(Failure) -> Bool {
        switch state {
        case .preamble: return try skipToDelimiter()
        case .headers: return try readHeaders()
        case .body: return try readBody()
        case .epilogue:
            pending = []
            return false
        }
    }

    private mutating func skipToDelimiter() throws(Failure) -> Bool {
        guard let start = position(of: delimiter) else {
            truncateToTail(delimiter.count - 1)
            return false
        }
        return try passDelimiter(at: start)
    }

    private mutating func readBody() throws(Failure) -> Bool {
        guard let start = position(of: delimiter) else {
            // A possible beginning of a delimiter stays pending.
            let safe = pending.count - (delimiter.count - 1)
            if safe > 0 {
                try append(upTo: safe)
                pending.removeFirst(safe)
            }
            return false
        }
        // Not before it is known whether it ends the line: otherwise the same bytes would be appended twice.
        guard pending.count >= start + delimiter.count + 2 else { return false }
        try append(upTo: start)
        if let part = current { parts.append(part) }
        current = nil
        return try passDelimiter(at: start)
    }

    // After a delimiter: white space and a line end, or two hyphens at the end of the body.
    private mutating func passDelimiter(at start: Int) throws(Failure) -> Bool {
        var index = start + delimiter.count
        guard pending.count >= index + 2 else { return false }
        if pending[index] == 0x2d, pending[index + 1] == 0x2d {
            state = .epilogue
            pending = []
            return false
        }
        while index < pending.count, pending[index] == 0x20 || pending[index] == 0x09 { index += 1 }
        guard pending.count >= index + 2 else { return false }
        guard pending[index] == 0x0d, pending[index + 1] == 0x0a else { throw .malformed }
        guard parts.count < Limits.multipartParts else { throw .tooManyParts }
        // The line end stays: if there are no headers, it is half of the empty line.
        pending.removeFirst(index)
        state = .headers
        return true
    }

    private mutating func readHeaders() throws(Failure) -> Bool {
        guard let end = position(of: [0x0d, 0x0a, 0x0d, 0x0a]) else {
            guard pending.count <= Limits.multipartHeaderBytes else { throw .malformed }
            return false
        }
        guard end <= Limits.multipartHeaderBytes else { throw .malformed }
        guard let text = String(validating: pending[..<end], as: UTF8.self) else { throw .malformed }
        let part = try MultipartHeaders.part(text)
        try checkFile(part)
        current = part
        pending.removeFirst(end + 4)
        state = .body
        return true
    }

    /// Only the expected file is drained while it arrives. Another one would fill the memory.
    private func checkFile(_ part: Part) throws(Failure) {
        guard let onlyFile, part.filename != nil else { return }
        guard part.name == onlyFile, !parts.contains(where: { $0.filename != nil }) else { throw .unexpectedFile }
    }

    private mutating func append(upTo end: Int) throws(Failure) {
        current?.bytes.append(contentsOf: pending[..<end])
        if let part = current, part.filename == nil, part.bytes.count > Limits.multipartFieldBytes {
            throw .fieldTooLarge
        }
    }

    private mutating func truncateToTail(_ count: Int) {
        if pending.count > count { pending.removeFirst(pending.count - count) }
    }

    private func position(of needle: [UInt8]) -> Int? {
        // Both kinds of needle begin with CR, which is rare in pictures.
        pending.withUnsafeBufferPointer { hay in needle.withUnsafeBufferPointer { hay.firstIndex(of: $0) } }
    }
}
