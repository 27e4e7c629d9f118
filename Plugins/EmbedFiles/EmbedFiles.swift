import Foundation
import PackagePlugin

/// Turns every file below a target's `Embedded` folder into one generated source file.
///
/// SwiftPM's `.embedInCode` writes array literals, which the compiler needs minutes for at our sizes. It compiles a
/// string literal at once.
@main
struct EmbedFiles: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let folder = target.directoryURL.appending(path: "Embedded")
        try requireBrowserParts(in: folder, of: context.package.directoryURL)
        let files = try regularFiles(below: folder)
        let output = context.pluginWorkDirectoryURL.appending(path: "Embedded.swift")
        return [
            .buildCommand(
                displayName: "Embedding \(files.count) files of \(target.name)",
                executable: try context.tool(named: "embed-files").url,
                arguments: [folder.path, output.path] + files.map(\.path),
                inputFiles: files,
                outputFiles: [output]
            )
        ]
    }

    /// Fails without the browser libraries and icons that `scripts/vendor` adds to a folder with static files: the
    /// server would only notice when it starts.
    private func requireBrowserParts(in folder: URL, of package: URL) throws {
        let list = package.appending(path: "scripts/browser-parts/icons.txt")
        guard FileManager.default.fileExists(atPath: folder.appending(path: "static").path) else { return }
        let sprite = (try? String(contentsOf: folder.appending(path: "vendor/icons.svg"), encoding: .utf8)) ?? ""
        let names = try String(contentsOf: list, encoding: .utf8).split(separator: "\n").filter { !$0.hasPrefix("#") }
        let missing = names.filter { !sprite.contains("<symbol id=\"\($0)\"") }
        guard missing.isEmpty else {
            Diagnostics.error(
                "The browser libraries and icons are missing or older than scripts/browser-parts. Run: make setup")
            throw MissingBrowserParts()
        }
    }

    private struct MissingBrowserParts: Error, CustomStringConvertible {
        let description = "Run: make setup"
    }

    private func regularFiles(below folder: URL) throws -> [URL] {
        guard let walker = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: [.isRegularFileKey])
        else { return [] }
        var files: [URL] = []
        for case let file as URL in walker where !file.lastPathComponent.hasPrefix(".") {
            // A link stands for its target, so that a document can be kept in a folder where readers find it.
            let target = file.resolvingSymlinksInPath()
            if try target.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true { files.append(file) }
        }
        return files.sorted { $0.path < $1.path }
    }
}
