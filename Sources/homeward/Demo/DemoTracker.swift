import Accounts
import Foundation
import Kernel
import Logging
import Server
import ServiceLifecycle
import Subprocess
import SystemPackage
import Tracking

/// Runs the simulated tracker beside the server and pairs it with an item as soon as it prints its claim code.
struct DemoTracker: Service {
    private static let teardownSeconds = 3

    let services: Services
    let folder: String
    let item: ID<Item>
    let owner: Actor
    let start: PhonePosition
    private let running: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation

    init(services: Services, folder: String, item: ID<Item>, owner: Actor, start: PhonePosition) {
        self.services = services
        self.folder = folder
        self.item = item
        self.owner = owner
        self.start = start
        (running, signal) = AsyncStream.makeStream()
    }

    func serverIsRunning() { signal.yield() }

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            for await _ in running.prefix(1) { await walk() }
            try await gracefulShutdown()
        }
    }

    private func walk() async {
        let program = "\(CurrentExecutable.folder)/homeward-tracker"
        guard FileManager.default.isExecutableFile(atPath: program) else {
            services.logger.warning(
                "The simulated tracker is missing, the keys stay where they are", metadata: ["path": "\(program)"])
            return
        }
        do {
            try await follow(program)
        } catch is CancellationError {
            return
        } catch {
            if !Task.isCancelled {
                services.logger.error("The simulated tracker ended", metadata: ["error": "\(error)"])
            }
        }
    }

    private func follow(_ program: String) async throws {
        var options = PlatformOptions()
        options.teardownSequence = [.gracefulShutDown(allowedDurationToNextStep: .seconds(Self.teardownSeconds))]
        _ = try await Subprocess.run(
            .path(FilePath(program)),
            arguments: [
                "simulate", "--state", "\(folder)/tracker", "--server", services.settings.localURL, "--interval", "3",
                "--poll", "2", "--latitude", "\(start.latitude)", "--longitude", "\(start.longitude)",
                "--route", Self.route,
            ],
            platformOptions: options, input: .none, output: .sequence, error: .discarded
        ) { process in
            for try await line in process.standardOutput.strings() {
                let words = line.split(separator: " ")
                if words.count == 2, words[0] == "claim-code" { await pair(String(words[1])) }
            }
        }
    }

    /// A round through the streets of the demo's map.
    private static var route: String {
        let crossings = [(0, 0), (3, 0), (3, 2), (0, 2), (0, 5), (-5, 5), (-5, 0), (-3, 0), (-3, -2), (0, -2), (0, 0)]
        return DemoTown.route(crossings.map { (column: $0.0, row: $0.1) }, stepMetres: 25).dropFirst()
            .map { "\(Int($0.x.rounded())),\(Int($0.y.rounded()))" }.joined(separator: " ")
    }

    private func pair(_ code: String) async {
        do {
            _ = try await services.tracking.claimCodePairings.pair(
                item, code: code, clientAddress: "127.0.0.1", by: Change(actor: owner)
            )
        } catch {
            services.logger.error("The simulated tracker could not be paired", metadata: ["error": "\(error)"])
        }
    }
}
