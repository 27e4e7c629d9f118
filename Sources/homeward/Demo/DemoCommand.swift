import ArgumentParser
import Foundation
import Kernel
import Logging
import Server
import Tracking

struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract:
            "Serves a fresh temporary store with made-up people, a simulated tracker that walks, and a sign-in provider.",
        discussion: "Everything is gone when it ends. Sign-ins are printed."
    )

    @OptionGroup var options: SettingOptions

    func run() async throws {
        let name = "homeward-demo-\(PasswordGenerator.make(random: SystemRandom(), groups: 3))"
        let folder = FileManager.default.temporaryDirectory.appending(path: name).path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let home = DemoInstructions.home
        try DemoMapFile(latitude: home.latitude, longitude: home.longitude).write(to: "\(folder)/map.pmtiles")
        let provider = try DemoProvider(clock: SystemClock(), random: SystemRandom())
        let fixed: [Setting: String] = [
            .data: folder, .database: "sqlite:\(folder)/homeward.sqlite", .objects: "folder:\(folder)/objects",
            // The fictional people sign up as everyone does, and have no mail.
            .welcomeAmount: "100.00", .registration: "open", .mail: "",
            .mapFile: "\(folder)/map.pmtiles", .tilesURL: "",
        ]
        let settings = try await options.settings(
            fixed: fixed.merging(try provider.settings(folder: folder)) { first, _ in first })
        let services = try await options.open(settings, opening: .creating)
        do {
            let demo = try await DemoInstructions(services).create()
            let server = try Server(services)
            let tracker = DemoTracker(
                services: services, folder: folder, item: demo.walkingItem, owner: demo.owner,
                start: home
            )
            try await server.run(extra: [tracker, provider]) {
                tracker.serverIsRunning()
                Output.line("Homeward is at \(settings.localURL)")
                for line in demo.lines { Output.line(line) }
            }
        } catch {
            throw CommandError(SettingOptions.words(for: error))
        }
    }
}
