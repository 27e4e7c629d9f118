import Foundation
import Kernel
import Logging
import NIOCore
import TrackerProtocol

/// The client of Hologram's cloud: its socket accepts one JSON text and responds with a code.
struct HologramSocket: Sendable {
    private let host: String
    private let port: Int
    private let deviceKey: String
    private let logger: Logger

    static let standardHost = "cloudsocket.hologram.io"
    static let standardPort = 9999
    private static let topic = "homeward"
    private static let connectSeconds: Int64 = 10
    private static let answerSeconds: Int64 = 20

    init(host: String, port: Int, deviceKey: String, logger: Logger) {
        self.host = host
        self.port = port
        self.deviceKey = deviceKey
        self.logger = logger
    }

    /// Returns whether compact frames can carry the complete message and the server needs no response to it. Messages
    /// of an unclaimed tracker need a response, so they use the internet.
    static func carries(_ uplink: Uplink, as frames: [[UInt8]]) -> Bool {
        guard !frames.isEmpty, frames.count == uplink.fixes.count + uplink.acknowledgements.count else { return false }
        switch uplink.phase {
        case .active, .off, .releasing: return true
        case .unbound, .registering, .bound: return false
        }
    }

    /// Returns whether the cloud accepted the frames, and the bytes used.
    func deliver(_ frames: [[UInt8]]) async -> (isTaken: Bool, bytes: Int) {
        guard let request = Self.request(frames, deviceKey: deviceKey) else { return (false, 0) }
        do {
            let connection = try await TCPConnection(host: host, port: port, connectSeconds: Self.connectSeconds)
            defer { connection.close() }
            connection.close(at: .now() + .seconds(Self.answerSeconds))
            connection.send(request)
            var answer: [UInt8] = []
            for await bytes in connection.bytes {
                answer += bytes
                guard answer.count <= Limits.cloudResponseBytes else { break }
                if let code = Self.code(answer) {
                    if code != 0 { logger.warning("the cloud refuses", metadata: ["code": "\(code)"]) }
                    return (code == 0, request.count + answer.count)
                }
            }
            logger.warning("the cloud doesn't answer")
            return (false, request.count)
        } catch {
            logger.warning("the cloud can't be reached", metadata: ["failure": "\(error)"])
            return (false, 0)
        }
    }

    private struct Request: Encodable {
        let k: String
        let d: String
        let t: [String]
    }

    /// Returns one JSON text followed by two line feeds.
    static func request(_ frames: [[UInt8]], deviceKey: String) -> [UInt8]? {
        let data = Data(frames.flatMap { $0 }).base64EncodedString()
        guard let text = try? Request(k: deviceKey, d: data, t: [topic]).json() else { return nil }
        return text + Array("\n\n".utf8)
    }

    /// Returns the code of a response like `[0,0]`; `nil` while it is incomplete.
    static func code(_ answer: [UInt8]) -> Int? {
        guard let end = answer.firstIndex(of: UInt8(ascii: "]")) else { return nil }
        return (try? JSONDecoder().decode([Int].self, from: Data(answer[...end])))?.first
    }
}
