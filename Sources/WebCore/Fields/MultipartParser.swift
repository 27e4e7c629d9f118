import Kernel

/// Reads `multipart/form-data` (RFC 7578, RFC 2046) as it arrives, in pieces of any size. The cost of a byte doesn't
/// depend on the sizes of the pieces: no byte is searched again because another one arrives.
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
        case preamble
        /// After a delimiter.
        case delimiterEnd
        case headers, body, epilogue
    }

    /// The parts that are complete.
    private(set) var parts: [Part] = []

    private static let headersEnd: [UInt8] = [0x0d, 0x0a, 0x0d, 0x0a]

    // CR LF, two hyphens, the boundary. The first delimiter of a body has no CR LF before it, so one is prepended.
    private let delimiter: [UInt8]
    private var pending: [UInt8] = [0x0d, 0x0a]
    /// The bytes of ``pending`` that were read.
    private var position = 0
    /// The bytes after ``position`` in which the end of the headers was searched for.
    private var searched = 0
    /// The bytes of the preamble, without the CR LF that was prepended, or those of the epilogue.
    private var ignored = -2
    /// The blanks after the delimiter.
    private var blanks = 0
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
        pending.append(contentsOf: bytes)
        while try step() {}
        pending.removeFirst(position)
        position = 0
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
        case .delimiterEnd: return try readDelimiterEnd()
        case .headers: return try readHeaders()
        case .body: return try readBody()
        case .epilogue:
            try ignore(upTo: pending.count)
            return false
        }
    }

    private mutating func skipToDelimiter() throws(Failure) -> Bool {
        guard let start = place(of: delimiter) else {
            try ignore(upTo: tailStart)
            return false
        }
        try ignore(upTo: start)
        passDelimiter(at: start)
        return true
    }

    private mutating func ignore(upTo end: Int) throws(Failure) {
        ignored += end - position
        position = end
        guard ignored <= Limits.multipartIgnoredBytes else { throw .malformed }
    }

    private mutating func readBody() throws(Failure) -> Bool {
        guard let start = place(of: delimiter) else {
            try append(upTo: tailStart)
            return false
        }
        try append(upTo: start)
        if let part = current { parts.append(part) }
        current = nil
        passDelimiter(at: start)
        return true
    }

    /// The start of the bytes that may be the beginning of a delimiter.
    private var tailStart: Int { max(position, pending.count - (delimiter.count - 1)) }

    private mutating func passDelimiter(at start: Int) {
        position = start + delimiter.count
        blanks = 0
        state = .delimiterEnd
    }

    // After a delimiter: white space and a line end, or two hyphens at the end of the body.
    private mutating func readDelimiterEnd() throws(Failure) -> Bool {
        while position < pending.count, pending[position] == 0x20 || pending[position] == 0x09 {
            position += 1
            blanks += 1
        }
        guard blanks <= Limits.multipartBlanks else { throw .malformed }
        guard pending.count >= position + 2 else { return false }
        switch (pending[position], pending[position + 1]) {
        case (0x2d, 0x2d) where blanks == 0:
            position += 2
            ignored = 0
            state = .epilogue
        case (0x0d, 0x0a):
            guard parts.count < Limits.multipartParts else { throw .tooManyParts }
            // The line end stays: if there are no headers, it is half of the empty line.
            searched = 0
            state = .headers
        default: throw .malformed
        }
        return true
    }

    private mutating func readHeaders() throws(Failure) -> Bool {
        guard let end = place(of: Self.headersEnd, from: position + searched) else {
            guard pending.count - position <= Limits.multipartHeaderBytes else { throw .malformed }
            searched = max(0, pending.count - position - (Self.headersEnd.count - 1))
            return false
        }
        guard end - position <= Limits.multipartHeaderBytes else { throw .malformed }
        guard let text = String(validating: pending[position..<end], as: UTF8.self) else { throw .malformed }
        let part = try MultipartHeaders.part(text)
        try checkFile(part)
        current = part
        position = end + Self.headersEnd.count
        state = .body
        return true
    }

    /// Only the expected file is drained while it arrives. Another one would fill the memory.
    private func checkFile(_ part: Part) throws(Failure) {
        guard let onlyFile, part.filename != nil else { return }
        guard part.name == onlyFile, !parts.contains(where: { $0.filename != nil }) else { throw .unexpectedFile }
    }

    private mutating func append(upTo end: Int) throws(Failure) {
        current?.bytes.append(contentsOf: pending[position..<end])
        position = end
        if let part = current, part.filename == nil, part.bytes.count > Limits.multipartFieldBytes {
            throw .fieldTooLarge
        }
    }

    private func place(of needle: [UInt8], from start: Int? = nil) -> Int? {
        // Both kinds of needle begin with CR, which is rare in pictures.
        pending.withUnsafeBufferPointer { hay in
            needle.withUnsafeBufferPointer { hay.firstIndex(of: $0, from: start ?? position) }
        }
    }
}
