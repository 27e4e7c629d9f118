import Foundation

/// The test vectors, read from the protocol document, so that document and code can't diverge.
struct Vectors {
    enum Failure: Error { case missing(String) }

    private let values: [String: String]

    init() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../docs/tracker-protocol.md").standardized
        let text = try String(contentsOf: file, encoding: .utf8)
        var values: [String: String] = [:]
        let block = text.components(separatedBy: "```vectors\n").last?.components(separatedBy: "\n```").first ?? ""
        for line in block.split(separator: "\n") {
            let parts = line.split(separator: ":", maxSplits: 1)
            if parts.count == 2 { values[String(parts[0])] = parts[1].trimmingCharacters(in: .whitespaces) }
        }
        self.values = values
    }

    func text(_ name: String) throws -> String {
        guard let value = values[name] else { throw Failure.missing(name) }
        return value
    }

    func bytes(_ name: String) throws -> [UInt8] {
        let digits = Array(try text(name))
        return try stride(from: 0, to: digits.count, by: 2).map { index in
            guard let byte = UInt8(String(digits[index...index + 1]), radix: 16) else { throw Failure.missing(name) }
            return byte
        }
    }

    func body(_ name: String) throws -> [UInt8] { Array(try text(name).utf8) }
}
