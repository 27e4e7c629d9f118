import Foundation

/// The files of one module that are embedded in the program.
package struct EmbeddedFiles: Equatable, Sendable {
    private enum Source: Equatable, Sendable {
        case base64([String: StaticString])
        case plain([String: [UInt8]])

        /// Files in base64 are equal when they are the same constants of the program.
        static func == (one: Source, other: Source) -> Bool {
            switch (one, other) {
            case (.base64(let one), .base64(let other)):
                one.count == other.count && one.allSatisfy { other[$0.key]?.utf8Start == $0.value.utf8Start }
            case (.plain(let one), .plain(let other)): one == other
            case (.base64, .plain), (.plain, .base64): false
            }
        }
    }

    private let source: Source

    /// - Parameter base64: the output of the build plugin: path below the module's `Embedded` folder → contents in
    ///   base64.
    package init(_ base64: [String: StaticString]) { source = .base64(base64) }

    /// - Parameter plain: path → contents.
    package init(plain: [String: [UInt8]]) { source = .plain(plain) }

    /// All paths below the `Embedded` folder.
    package var paths: [String] {
        switch source {
        case .base64(let files): files.keys.sorted()
        case .plain(let files): files.keys.sorted()
        }
    }

    /// A file's contents; `nil` for an unknown path.
    package func contents(of path: String) -> [UInt8]? {
        switch source {
        case .base64(let files):
            files[path].flatMap { text in
                text.withUTF8Buffer { Data(base64Encoded: Data($0)) }.map { Array($0) }
            }
        case .plain(let files): files[path]
        }
    }
}
