import Foundation

/// `embed-files FOLDER OUTPUT FILE…` writes a Swift source with the files' contents by their path below FOLDER.
@main
struct EmbedFilesTool {
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count >= 3 else {
            throw CocoaError(.fileNoSuchFile, userInfo: [NSLocalizedDescriptionKey: "usage: FOLDER OUTPUT FILE…"])
        }
        let folder = arguments[1] + "/"
        var source = """
            /// The files of this module's `Embedded` folder: path below it → contents in base64. Generated.
            enum Embedded {
                static let base64: [String: StaticString] = [

            """
        for file in arguments.dropFirst(3) {
            let contents = try Data(contentsOf: URL(fileURLWithPath: file))
            let name = file.hasPrefix(folder) ? String(file.dropFirst(folder.count)) : file
            source += "        \"\(name)\": \"\(contents.base64EncodedString())\",\n"
        }
        if arguments.count == 3 { source += "        :\n" }
        source += "    ]\n}\n"
        try source.write(toFile: arguments[2], atomically: true, encoding: .utf8)
    }
}
