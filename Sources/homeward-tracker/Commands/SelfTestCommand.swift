import ArgumentParser
import BlueZ
import Foundation
import Kernel
import Logging
import NIOCore
import TrackerCore
import TrackerProtocol

struct SelfTestCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "selftest",
        abstract: "Check what the tracker needs, a line each.",
        discussion: "Ends with 0 when everything that the tracker can't do without is there, else with 1."
    )

    @OptionGroup var options: BoardOptions

    @Option(help: "Seconds to wait for a position.")
    var patience: Int64 = 30

    func run() async throws {
        let settings: BoardSettings
        do throws(BoardSettingSources.Failure) {
            settings = try options.settings()
        } catch {
            throw ValidationError(error.description)
        }
        let test = SelfTest(settings: settings, patienceSeconds: max(1, min(patience, 3_600)))
        var isUsable = true
        for check in SelfTest.Check.allCases {
            let finding = await test.run(check)
            StandardOutput.writeLine("\(finding.verdict.word) \(check.rawValue): \(finding.words)")
            if finding.verdict == .missing { isUsable = false }
        }
        if !isUsable { throw ExitCode(1) }
    }
}

/// Checks the tracker's environment.
struct SelfTest {
    enum Check: String, CaseIterable { case state, server, clock, gpsd, bluetooth, battery, sounder, button, hologram }

    enum Verdict {
        case good
        /// The tracker works without it, with restrictions.
        case poor
        case missing

        var word: String {
            switch self {
            case .good: "ok     "
            case .poor: "without"
            case .missing: "MISSING"
            }
        }
    }

    struct Finding {
        let verdict: Verdict
        let words: String
    }

    let settings: BoardSettings
    let patienceSeconds: Int64

    private static let connectSeconds: Int64 = 5
    private static let clockToleranceSeconds: Int64 = 30

    func run(_ check: Check) async -> Finding {
        switch check {
        case .state: state()
        case .server: await server()
        case .clock: await clock()
        case .gpsd: await gpsd()
        case .bluetooth: await bluetooth()
        case .battery: battery()
        case .sounder: sounder()
        case .button: button()
        case .hologram: await hologram()
        }
    }

    private func state() -> Finding {
        let folder = StateFolder(path: settings.state)
        do throws(StateFolder.Failure) {
            try folder.create()
            let record = try folder.load()
            try folder.tryWriting()
            let words = record.map { "\(settings.state), the tracker is \($0.memory.phase)" }
            return Finding(verdict: .good, words: words ?? "\(settings.state), a new tracker")
        } catch {
            return Finding(verdict: .missing, words: "\(error)")
        }
    }

    private func signOfServer() async -> ServerClient.Sign? {
        let link = ServerClient(baseURL: settings.server, logger: TrackerRunService.logger(.critical))
        let sign = await link.sign()
        try? await link.shutdown()
        return sign
    }

    private func server() async -> Finding {
        let isThere = await signOfServer() != nil
        let words = isThere ? "\(settings.server) answers" : "\(settings.server) doesn't answer"
        return Finding(verdict: isThere ? .good : .missing, words: words)
    }

    private func clock() async -> Finding {
        guard let theirs = await signOfServer()?.now else {
            return Finding(verdict: .poor, words: "can't be compared with the server's")
        }
        let aheadSeconds = Int64(SystemClock().now.seconds(since: theirs).rounded())
        guard abs(aheadSeconds) > Self.clockToleranceSeconds else {
            return Finding(verdict: .good, words: "as the server's")
        }
        let way = aheadSeconds > 0 ? "ahead of" : "behind"
        // A clock that is ahead makes every position look old.
        let isHarmful = aheadSeconds > settings.fixAgeSeconds
        return Finding(
            verdict: isHarmful ? .missing : .poor, words: "\(abs(aheadSeconds)) s \(way) the server's; see timedatectl")
    }

    private func gpsd() async -> Finding {
        let receiver = GPSDReceiver(
            host: settings.gpsd.host, port: settings.gpsd.port, timeoutSeconds: patienceSeconds,
            maximumAgeSeconds: settings.fixAgeSeconds, clock: SystemClock(), logger: TrackerRunService.logger(.critical)
        )
        let (release, devices, last) = await receiver.describe()
        guard let release else {
            return Finding(verdict: .missing, words: "nothing listens at \(settings.gpsd.host):\(settings.gpsd.port)")
        }
        guard devices > 0 else { return Finding(verdict: .missing, words: "gpsd \(release) knows no receiver") }
        guard let last else {
            return Finding(
                verdict: .poor, words: "gpsd \(release), no position within \(patienceSeconds) s; go outdoors")
        }
        guard case .new(let fix) = last else {
            let words = "gpsd \(release), only positions that are old by this board's clock; see timedatectl"
            return Finding(verdict: .poor, words: words)
        }
        let accuracy = fix.accuracyMetres.map { "\(Int($0.rounded(.up))) m" } ?? "unknown"
        return Finding(verdict: .good, words: "gpsd \(release), a position, accuracy \(accuracy)")
    }

    private func bluetooth() async -> Finding {
        guard case .adapter(let adapter) = settings.bluetooth else {
            return Finding(verdict: .poor, words: "switched off in the settings")
        }
        let probe = RadioProbe()
        let made = try? Peripheral(
            services: [], adapter: adapter, delegate: probe, logger: TrackerRunService.logger(.critical)
        )
        guard let peripheral = made else { return Finding(verdict: .poor, words: "can't be asked") }
        peripheral.start()
        let state = await probe.settled(withinSeconds: Self.connectSeconds)
        peripheral.stop()
        switch state {
        case .ready(let address): return Finding(verdict: .good, words: "adapter \(address)")
        case .noBus: return Finding(verdict: .poor, words: "no system bus")
        case .noDaemon: return Finding(verdict: .poor, words: "bluetoothd doesn't run")
        case .noAdapter: return Finding(verdict: .poor, words: "no adapter that can advertise")
        case .off: return Finding(verdict: .poor, words: "the adapter is off: rfkill unblock bluetooth")
        case .refused: return Finding(verdict: .poor, words: "BlueZ refuses: is the user in the group bluetooth?")
        case nil: return Finding(verdict: .poor, words: "BlueZ doesn't answer")
        }
    }

    private func battery() -> Finding {
        if settings.battery == .none { return Finding(verdict: .poor, words: "none, by the settings") }
        guard let percent = settings.battery.percent else { return Finding(verdict: .poor, words: "none found") }
        return Finding(verdict: .good, words: "\(percent) %")
    }

    private func sounder() -> Finding {
        switch settings.sounder {
        case .none: return Finding(verdict: .poor, words: "none: the tracker can't be heard")
        case .file(let path):
            let isThere = FileManager.default.isWritableFile(atPath: path)
            return Finding(verdict: isThere ? .good : .missing, words: isThere ? path : "\(path) can't be written")
        case .command(let words):
            let path = words.first ?? ""
            let isThere = FileManager.default.isExecutableFile(atPath: path)
            return Finding(verdict: isThere ? .good : .missing, words: isThere ? path : "\(path) is no program")
        }
    }

    private func button() -> Finding {
        guard let button = settings.button else {
            return Finding(verdict: .poor, words: "none: a finder can't learn how to reach the owner")
        }
        let isThere = FileManager.default.isReadableFile(atPath: button.file)
        return Finding(
            verdict: isThere ? .good : .missing, words: isThere ? button.file : "\(button.file) can't be read")
    }

    private func hologram() async -> Finding {
        guard let hologram = settings.hologram else { return Finding(verdict: .good, words: "not wanted") }
        let name = "\(hologram.socket.host):\(hologram.socket.port)"
        let connection = try? await TCPConnection(
            host: hologram.socket.host, port: hologram.socket.port, connectSeconds: Self.connectSeconds
        )
        connection?.close()
        return Finding(
            verdict: connection == nil ? .missing : .good, words: connection == nil ? "\(name) can't be reached" : name)
    }
}

/// Records the state that the radio reaches.
private final class RadioProbe: PeripheralDelegate {
    private let states: AsyncStream<PeripheralState>
    private let sink: AsyncStream<PeripheralState>.Continuation

    init() { (states, sink) = AsyncStream.makeStream() }

    func settled(withinSeconds seconds: Int64) async -> PeripheralState? {
        let sink = sink
        let alarm = Task {
            try? await Task.sleep(for: .seconds(seconds))
            sink.finish()
        }
        defer { alarm.cancel() }
        var last: PeripheralState?
        for await state in states {
            last = state
            if state != .noAdapter { break }
        }
        return last
    }

    func value(of characteristic: String, for central: Central) -> [UInt8]? { nil }
    func receive(_ value: [UInt8], for characteristic: String, from central: Central) -> Bool { false }
    func happened(_ event: PeripheralEvent) { if case .state(let state) = event { sink.yield(state) } }
    func allowsPairing() -> Bool { false }
}
