import Dispatch
import Foundation
import Kernel
import Logging
import TrackerCore
import TrackerProtocol

#if canImport(CSystemd)
    import CSystemd
#endif

/// The common part of `run` and `simulate`: state, transports, signals, the runner.
struct TrackerRunService {
    let server: String
    let state: String
    let plan: TrackerPlan
    let bluetooth: BluetoothChoice
    let hologram: BoardHologramSettings?
    let random: any RandomSource
    let clock: any WallClock
    let logger: Logger

    /// Runs until SIGTERM or SIGINT.
    /// - Parameters:
    ///   - newRecord: creates the state of a new tracker.
    ///   - hardware: creates the hardware for a tracker with this state.
    func run(
        newRecord: () throws -> TrackerRecord, hardware: (TrackerRecord) throws -> any TrackerHardware
    ) async throws {
        let folder = StateFolder(path: state)
        try folder.create()
        try folder.lock()
        let record = try folder.load() ?? newRecord()
        let (signals, sender) = AsyncStream.makeStream(of: TrackerRunner.Signal.self)
        let stoppers = [SIGTERM, SIGINT].map { Self.stop(sender, on: $0) }
        let uplinks = try uplinks(sender)
        let listener = try await listener(sender)
        let parts = TrackerRunner.Parts(
            folder: folder, uplinks: uplinks, hardware: try hardware(record), clock: clock, random: random,
            logger: logger
        )
        var runner = TrackerRunner(parts: parts, record: record, plan: plan)
        Self.notifySystemd("READY=1")
        do {
            try await runner.run(signals, sender, hologramDevice: hologram?.device)
        } catch {
            await listener?.close()
            try await uplinks.stop()
            throw error
        }
        Self.notifySystemd("STOPPING=1")
        await listener?.close()
        try await uplinks.stop()
        withExtendedLifetime(stoppers) {}
    }

    private func uplinks(_ sender: TrackerRunner.Sender) throws -> UplinkRouter {
        var uplinks = UplinkRouter(internet: ServerClient(baseURL: server, logger: logger))
        if case .adapter(let adapter) = bluetooth {
            uplinks.bluetooth = try BluetoothUplink(adapter: adapter, random: random, logger: logger) { signal in
                sender.yield(.bluetooth(signal))
            }
        }
        if let hologram {
            uplinks.cloud = HologramSocket(
                host: hologram.socket.host, port: hologram.socket.port, deviceKey: hologram.deviceKey, logger: logger
            )
        }
        return uplinks
    }

    private func listener(_ sender: TrackerRunner.Sender) async throws -> HologramListener? {
        guard let hologram else { return nil }
        let listener = try await HologramListener(host: hologram.listen.host, port: hologram.listen.port) { bytes in
            sender.yield(.cloud(bytes))
        }
        logger.notice("listening for the cloud", metadata: ["port": "\(listener.port)"])
        return listener
    }

    private static func stop(_ sender: TrackerRunner.Sender, on number: Int32) -> any DispatchSourceSignal {
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
        source.setEventHandler { sender.yield(.stop) }
        source.resume()
        return source
    }

    /// Notifies systemd if it expects notifications (`Type=notify`).
    private static func notifySystemd(_ state: String) {
        #if canImport(CSystemd)
            sd_notify(0, state)
        #endif
    }

    static func logger(_ level: Logger.Level) -> Logger {
        var logger = Logger(label: "homeward-tracker") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = level
        return logger
    }
}
