import Foundation
import Kernel

extension PictureWorker {
    /// The argument that makes the executable run as the worker.
    package static let argument = "picture-worker"

    /// The exit status if the worker can't run at all, whatever the picture.
    static let failureStatus: Int32 = 70
    private static let chunkBytes = 256 * 1024

    /// Implements `homeward picture-worker`: drops all privileges, reads a picture from standard input, writes the
    /// response to standard output and exits. Call it first in `main`, while the process has a single thread.
    package static func runWorker() -> Never {
        do {
            try ProcessLimits.apply()
        } catch {
            write(
                Array("picture-worker: could not limit itself: \(error.step), error \(error.code)\n".utf8),
                to: STDERR_FILENO)
            exit(failureStatus)
        }
        guard let picture = readInput() else { exit(failureStatus) }
        exit(write(response(to: picture).bytes, to: STDOUT_FILENO) ? 0 : failureStatus)
    }

    private static func response(to picture: [UInt8]) -> WorkerResponse {
        do {
            return .rendered(try PictureDecoder.decode(picture))
        } catch {
            return .refused(error)
        }
    }

    /// Returns standard input, at most one byte more than the limit for a picture.
    private static func readInput() -> [UInt8]? {
        var input: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: chunkBytes)
        while input.count <= Limits.pictureBytes {
            let count = read(STDIN_FILENO, &chunk, min(chunkBytes, Limits.pictureBytes + 1 - input.count))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return nil }
            if count == 0 { break }
            input += chunk.prefix(count)
        }
        return input
    }

    @discardableResult
    private static func write(_ bytes: [UInt8], to file: Int32) -> Bool {
        var written = 0
        while written < bytes.count {
            let start = written
            let count = bytes.withUnsafeBytes {
                Foundation.write(file, $0.baseAddress?.advanced(by: start), $0.count - start)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            written += count
        }
        return true
    }
}
