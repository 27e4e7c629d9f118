import Foundation

/// The temporary files of restores whose process ended without removing them: `….restore-PID` and `….PID.part` with
/// SQLite's files beside them.
enum RestoreLeftovers {
    /// Removes them from a data folder.
    static func remove(in dataFolder: String) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: dataFolder)) ?? []
        for name in names {
            guard let process = process(of: name), kill(process, 0) != 0, errno == ESRCH else { continue }
            try? FileManager.default.removeItem(atPath: "\(dataFolder)/\(name)")
        }
    }

    /// Returns the process that a temporary file belongs to; `nil` for another file.
    static func process(of name: String) -> Int32? {
        let patterns = [/.*\.restore-([0-9]+)(-wal|-shm|-journal)?/, /restore-([0-9]+)\.sqlite(-wal|-shm|-journal)?/]
        for pattern in patterns {
            if let match = name.wholeMatch(of: pattern) { return Int32(match.output.1) }
        }
        return name.wholeMatch(of: /.*\.backup-before-.*\.([0-9]+)\.part(-wal|-shm|-journal)?/)
            .flatMap { Int32($0.output.1) }
    }
}
