import Kernel
import Logging
import NIOCore
import TrackerProtocol

/// Requests positions from gpsd. Connects only while one is requested, so that gpsd can switch the receiver off.
struct GPSDReceiver: Sendable {
    private let host: String
    private let port: Int
    private let timeoutSeconds: Int64
    private let maximumAgeSeconds: Int64
    private let clock: any WallClock
    private let logger: Logger

    private static let watch = "?WATCH={\"enable\":true,\"json\":true};\n"
    private static let connectSeconds: Int64 = 5
    private static let pauseSeconds: Int64 = 1

    init(
        host: String, port: Int, timeoutSeconds: Int64, maximumAgeSeconds: Int64, clock: any WallClock, logger: Logger
    ) {
        self.host = host
        self.port = port
        self.timeoutSeconds = timeoutSeconds
        self.maximumAgeSeconds = maximumAgeSeconds
        self.clock = clock
        self.logger = logger
    }

    /// Returns a position, or `nil` after the timeout. Reconnects to gpsd until then.
    func locate(batteryPercent: Int?) async -> TrackerFix? {
        let deadline = NIODeadline.now() + .seconds(timeoutSeconds)
        var choice = FixChoice()
        var hasLoggedFailure = false
        while NIODeadline.now() < deadline, !Task.isCancelled {
            do {
                if let fix = try await watch(until: deadline, &choice, batteryPercent: batteryPercent) { return fix }
            } catch {
                // Logged once per requested position, not once per attempt.
                if !hasLoggedFailure { logFailure(error) }
                hasLoggedFailure = true
            }
            guard NIODeadline.now() + .seconds(Self.pauseSeconds) < deadline, !Task.isCancelled else { break }
            try? await Task.sleep(for: .seconds(Self.pauseSeconds))
        }
        return choice.atLast
    }

    private func logFailure(_ error: any Error) {
        let failure = error is LineSplitter.LineTooLong ? "a line is too long" : "nothing listens"
        logger.warning("gpsd can't be read", metadata: ["failure": "\(failure)", "at": "\(host):\(port)"])
    }

    private func watch(until deadline: NIODeadline, _ choice: inout FixChoice, batteryPercent: Int?) async throws
        -> TrackerFix?
    {
        let connection = try await TCPConnection(host: host, port: port, connectSeconds: Self.connectSeconds)
        defer { connection.close() }
        connection.close(at: deadline)
        connection.send(Array(Self.watch.utf8))
        var lines = LineSplitter(limit: Limits.gpsdLineBytes)
        for await bytes in connection.bytes {
            for line in try lines.append(bytes) {
                guard case .position(let position)? = GPSDReport(line) else { continue }
                let now = clock.now
                guard
                    let fix = position.fix(
                        at: now, maximumAgeSeconds: maximumAgeSeconds, batteryPercent: batteryPercent),
                    let chosen = choice.add(fix, at: now)
                else { continue }
                return chosen
            }
        }
        return nil
    }

    /// A position reported by gpsd.
    enum Knowledge: Equatable {
        case new(TrackerFix)
        /// Only positions that are too old for the tracker.
        case old
    }

    /// Returns gpsd's own data for the self-test: its release, the number of its receivers, and the first sufficiently
    /// new position within the timeout.
    func describe() async -> (release: String?, devices: Int, knowledge: Knowledge?) {
        var release: String?
        var devices = 0
        var knowledge: Knowledge?
        let connection = try? await TCPConnection(host: host, port: port, connectSeconds: Self.connectSeconds)
        guard let connection else { return (nil, 0, nil) }
        defer { connection.close() }
        connection.close(at: .now() + .seconds(timeoutSeconds))
        connection.send(Array(Self.watch.utf8))
        var lines = LineSplitter(limit: Limits.gpsdLineBytes)
        for await bytes in connection.bytes {
            guard let whole = try? lines.append(bytes) else { break }
            for line in whole {
                switch GPSDReport(line) {
                case .version(let text): release = text
                case .devices(let count): devices = count
                case .position(let position):
                    let fix = position.fix(at: clock.now, maximumAgeSeconds: maximumAgeSeconds, batteryPercent: nil)
                    if let fix { return (release, devices, .new(fix)) }
                    if position.hasPlace { knowledge = .old }
                case .error, .other, nil: break
                }
            }
        }
        return (release, devices, knowledge)
    }
}
