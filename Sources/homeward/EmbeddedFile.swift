import Foundation

/// The files that this program brings along.
enum EmbeddedFile {
    static func contents(of path: String) -> [UInt8]? {
        guard let text = Embedded.base64[path] else { return nil }
        return text.withUTF8Buffer { Data(base64Encoded: Data($0)) }.map { Array($0) }
    }
}
