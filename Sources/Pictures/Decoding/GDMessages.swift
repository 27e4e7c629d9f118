import CGD
import Foundation
import Synchronization

/// Collects libgd's messages during a call. libgd has one callback per process, so a lock allows one call at a time.
enum GDMessages {
    private static let turn = Mutex<Void>(())
    private static let heard = Mutex<[String]>([])
    private static let lineBytes = 512
    private static let maximumLines = 16

    /// Runs `body` and returns its result with libgd's messages.
    static func during<Value>(_ body: () -> Value) -> (value: Value, remarks: [String]) {
        turn.withLock { _ in
            heard.withLock { $0 = [] }
            gdSetErrorMethod { _, format, arguments in
                guard let format else { return }
                GDMessages.hear(format, arguments)
            }
            let value = body()
            return (value, heard.withLock { $0 })
        }
    }

    private static func hear(_ format: UnsafePointer<CChar>, _ arguments: CVaListPointer?) {
        guard let arguments else { return }
        var line = [CChar](repeating: 0, count: lineBytes)
        vsnprintf(&line, lineBytes, format, arguments)
        let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        heard.withLock { lines in
            if lines.count < maximumLines { lines.append(text) }
        }
    }
}
