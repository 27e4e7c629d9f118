import CQRencode
import Kernel

/// QR codes as SVG.
package enum QRCode {
    private static let quietModules = 4
    private static let maximumBytes = 2_000

    /// An `<svg>` element with the QR code of `text`, black on white with its quiet zone, error correction M. It has no
    /// accessible name; the surrounding element must provide one.
    /// - Throws: `AppError` (invalid) for text that is empty, longer than 2,000 bytes or contains U+0000.
    package static func svg(_ text: String) throws -> String {
        guard !text.isEmpty, text.utf8.count <= maximumBytes, !text.utf8.contains(0) else { throw unfit }
        guard let code = QRcode_encodeString8bit(text, 0, QR_ECLEVEL_M) else { throw unfit }
        defer { QRcode_free(code) }
        guard let modules = code.pointee.data else { throw unfit }
        let width = Int(code.pointee.width)
        var path = ""
        for row in 0..<width {
            var column = 0
            while column < width {
                // The lowest bit of a module is its colour.
                guard modules[row * width + column] & 1 == 1 else {
                    column += 1
                    continue
                }
                let start = column
                while column < width, modules[row * width + column] & 1 == 1 { column += 1 }
                path += "M\(start + quietModules) \(row + quietModules)h\(column - start)v1h-\(column - start)z"
            }
        }
        let size = width + 2 * quietModules
        return """
            <svg class="qr-code" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(size) \(size)" aria-hidden="true" \
            shape-rendering="crispEdges"><rect width="\(size)" height="\(size)" fill="#fff"/>\
            <path fill="#000" d="\(path)"/></svg>
            """
    }

    private static var unfit: AppError { AppError(.invalid, "This can’t be shown as a QR code.") }
}
