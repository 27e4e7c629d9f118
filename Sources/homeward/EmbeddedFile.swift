import Foundation

/// The files that are embedded in this program.
enum EmbeddedFile {
    static func contents(of path: String) -> [UInt8]? {
        guard let text = Embedded.base64[path] else { return nil }
        return text.withUTF8Buffer { Data(base64Encoded: Data($0)) }.map { Array($0) }
    }
}
