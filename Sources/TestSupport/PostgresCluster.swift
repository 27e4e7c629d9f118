import Foundation
import Storage
import Synchronization

/// One PostgreSQL server for all tests of a process, in its own folder, reached by a Unix socket there. The first test
/// that needs it starts it. It ends with the process, even after a crash: a shell waits on a pipe that only this
/// process holds open.
final class PostgresCluster: Sendable {
    /// Thrown when the server can't be started.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private static let start = Task { try PostgresCluster() }

    static func shared() async throws -> PostgresCluster { try await start.value }

    /// The free memory that the databases need. About a dozen exist at once.
    private static let memoryBytes: UInt64 = 2_000_000_000

    private let folder: String
    /// Whether the databases are in memory, where a file costs a tenth of what it costs on a disk.
    private let isInMemory: Bool
    /// The names of databases that are only used as templates.
    private let templates = MigrationTemplates<String>()
    private let count = Mutex(0)
    private let keepAlive: FileHandle

    private init() throws {
        let programs = try Self.programs()
        isInMemory = Self.freeBytes(of: "/dev/shm") >= Self.memoryBytes && Self.freeMemoryBytes >= Self.memoryBytes
        let folder = try Self.makeFolder(below: isInMemory ? "/dev/shm" : "/tmp")
        let shell = Process()
        let toShell = Pipe()
        let fromShell = Pipe()
        shell.executableURL = URL(fileURLWithPath: "/bin/sh")
        shell.arguments = ["-c", Self.script, "postgres-for-tests", programs, folder]
        shell.standardInput = toShell
        shell.standardOutput = fromShell
        shell.standardError = FileHandle.nullDevice
        _ = fcntl(toShell.fileHandleForWriting.fileDescriptor, F_SETFD, FD_CLOEXEC)
        try shell.run()
        guard try fromShell.fileHandleForReading.readToEnd() == Data("ready\n".utf8) else {
            throw Failure(description: "PostgreSQL didn't start, see the logs in \(folder)")
        }
        self.folder = folder
        keepAlive = toShell.fileHandleForWriting
    }

    /// Calls `body` with a new database that has the tables of `migrations`.
    func withDatabase<T>(_ migrations: [Migration], _ body: (DatabaseURL) async throws -> T) async throws -> T {
        let template = try await templates.template(for: migrations) {
            let name = self.nextName("template")
            try self.run("CREATE DATABASE \(name)")
            let database = try await Database.open(
                try self.url(name), migrations: migrations, logger: .silent, clock: TestClock()
            )
            await database.close()
            return name
        }
        let name = nextName("test")
        try run("CREATE DATABASE \(name) TEMPLATE \(template) STRATEGY \(isInMemory ? "FILE_COPY" : "WAL_LOG")")
        // On a disk, dropping a database would make the server flush its data for every test. There, databases are
        // deleted with the server's folder, and so is one whose drop takes too long because another test has frozen a
        // session: the server waits for all sessions.
        defer { if isInMemory { try? run("DROP DATABASE \(name) WITH (FORCE)", limitSeconds: 1) } }
        return try await body(try url(name))
    }

    func nextName(_ stem: String) -> String {
        count.withLock { count in
            count += 1
            return "\(stem)_\(count)"
        }
    }

    /// - Parameter limitSeconds: when the server gives up; 0 for never.
    func run(_ statement: String, limitSeconds: Int = 0) throws {
        let administration = try url("postgres?options=-cstatement_timeout%3D\(limitSeconds)s")
        try PostgresAdministration.run(statement, at: administration)
    }

    func url(_ database: String) throws -> DatabaseURL {
        let host = folder.split(separator: "/").map { "%2F\($0)" }.joined()
        return try DatabaseURL("postgres://homeward@\(host)/\(database)")
    }

    /// Returns 0 for a folder that is missing or can't be written to.
    private static func freeBytes(of folder: String) -> UInt64 {
        var status = statvfs()
        guard access(folder, W_OK) == 0, statvfs(folder, &status) == 0 else { return 0 }
        return UInt64(status.f_bavail) * UInt64(status.f_frsize)
    }

    private static var freeMemoryBytes: UInt64 {
        let lines = (try? String(contentsOfFile: "/proc/meminfo", encoding: .utf8))?.split(separator: "\n") ?? []
        let line = lines.first { $0.hasPrefix("MemAvailable:") }
        return line?.split(separator: " ").dropFirst().first.flatMap { UInt64($0) }.map { $0 * 1_024 } ?? 0
    }

    private static func makeFolder(below parent: String) throws -> String {
        var template = Array("\(parent)/homeward-pg-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Failure(description: "\(parent) can't be written to") }
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private static func programs() throws -> String {
        let root = "/usr/lib/postgresql"
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
        let newest = versions.compactMap { Int($0) }.max()
        guard let newest else { throw Failure(description: "no PostgreSQL below \(root): run scripts/setup") }
        return "\(root)/\(newest)/bin"
    }

    // PostgreSQL refuses to run as root, so the script switches from root to the postgres user.
    private static let script = """
        programs=$1 folder=$2
        # Of a server that didn't start, only the logs are kept.
        fail() { rm -rf data; exit 1; }
        trap '' INT TERM HUP PIPE
        as=
        if [ "$(id -u)" = 0 ]; then
            as='setpriv --reuid=postgres --regid=postgres --init-groups'
            chown postgres "$folder" || exit 1
        fi
        cd "$folder" || exit 1
        $as "$programs/initdb" -D data -U homeward -A trust --no-locale -E UTF8 --no-sync >initdb.log 2>&1 || fail
        $as "$programs/postgres" -D data -k "$folder" -c listen_addresses= -c max_connections=500 \
            -c shared_buffers=64MB -c autovacuum=off -c log_min_messages=warning \
            -c max_wal_size=1GB -c checkpoint_timeout=1h -c full_page_writes=off -c wal_level=minimal \
            -c max_wal_senders=0 -c wal_init_zero=off -c wal_recycle=off \
            >server.log 2>&1 </dev/null &
        server=$!
        until "$programs/pg_isready" -q -h "$folder" >>ready.log 2>&1; do
            kill -0 "$server" 2>/dev/null || fail
            sleep 0.05
        done
        echo ready || true
        exec >/dev/null
        cat >/dev/null
        kill -QUIT "$server"
        wait "$server"
        rm -rf "$folder"
        """
}
