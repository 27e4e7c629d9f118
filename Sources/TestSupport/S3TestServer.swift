import Foundation

/// A real S3 server (rclone) that checks signatures. It chooses its port and keeps its content in its own folder. It
/// ends with the process, even after a crash: a shell waits on a pipe that only this process holds open.
package final class S3TestServer: Sendable {
    /// Thrown when the server can't be started.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    package static let accessKey = "AKIAHOMEWARDTESTS"
    package static let secretKey = "a-secret/with+signs=in-it"
    /// The bucket that exists from the start.
    package static let bucket = "homeward-tests"

    private static let start = Task { try S3TestServer() }

    /// `http://127.0.0.1:PORT`.
    package let endpoint: String
    private let folder: TemporaryFolder
    private let keepAlive: FileHandle

    /// The server that all tests of a process share.
    package static func shared() async throws -> S3TestServer { try await start.value }

    /// Starts a separate server.
    /// - Throws: ``Failure``.
    package init() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(
            atPath: folder.file("content/\(Self.bucket)"), withIntermediateDirectories: true)
        let shell = Process()
        let toShell = Pipe()
        let fromShell = Pipe()
        shell.executableURL = URL(fileURLWithPath: "/bin/sh")
        shell.arguments = [
            "-c", Self.script, "bucket-for-tests", Self.program, folder.path, "\(Self.accessKey),\(Self.secretKey)",
        ]
        shell.standardInput = toShell
        shell.standardOutput = fromShell
        shell.standardError = FileHandle.nullDevice
        _ = fcntl(toShell.fileHandleForWriting.fileDescriptor, F_SETFD, FD_CLOEXEC)
        try shell.run()
        let answer = try fromShell.fileHandleForReading.readToEnd() ?? Data()
        let words = String(decoding: answer, as: UTF8.self).split(whereSeparator: \.isWhitespace)
        guard words.count == 1, let endpoint = words.first, endpoint.hasPrefix("http://127.0.0.1:") else {
            throw Failure(description: "rclone's S3 server didn't start: run scripts/setup --tests")
        }
        self.endpoint = String(endpoint)
        self.folder = folder
        keepAlive = toShell.fileHandleForWriting
    }

    /// The object store address of a prefix of the bucket.
    package func address(_ prefix: String) -> String {
        "s3://\(Self.bucket)/\(prefix)?endpoint=\(endpoint)&region=eu-test-1"
    }

    /// The path of the file that holds an object.
    package func file(_ key: String) -> String { folder.file("content/\(Self.bucket)/\(key)") }

    private static var program: String {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return root.appendingPathComponent(".tools/rclone/rclone").path
    }

    // The server prints its port when it listens.
    private static let script = """
        program=$1 folder=$2 key=$3
        trap '' INT TERM HUP PIPE
        "$program" serve s3 --config '' --addr 127.0.0.1:0 --auth-key "$key" --vfs-cache-mode writes \
            --vfs-write-back 0 --cache-dir "$folder/cache" "$folder/content" \
            >"$folder/log" 2>&1 </dev/null &
        server=$!
        while true; do
            endpoint=$(sed -n 's/.*Starting s3 server on .\\(http:[^]/]*[/]*[^]/]*\\).*/\\1/p' "$folder/log")
            [ -n "$endpoint" ] && break
            kill -0 "$server" 2>/dev/null || exit 1
            sleep 0.02
        done
        echo "$endpoint" || true
        exec >/dev/null
        cat >/dev/null
        kill -KILL "$server"
        """
}
