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
