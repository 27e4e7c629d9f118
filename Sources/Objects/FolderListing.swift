import Kernel

/// Lists a folder in the byte order of the keys and skips earlier pages, so that each page costs the same.
struct FolderListing {
    private let root: String
    private let prefix: String
    private let after: String?
    private let limit: Int
    private let isKey: (String) -> Bool
    private var found: [String] = []

    init(root: String, prefix: String, after: String?, limit: Int, isKey: @escaping (String) -> Bool) {
        self.root = root
        self.prefix = prefix
        self.after = after
        self.limit = limit
        self.isKey = isKey
    }

    /// - Parameter folder: The start, relative to the root; empty for the root itself.
    mutating func keys(in folder: String) throws(ObjectStoreError) -> [String] {
        try walk(folder)
        return found
    }

    private mutating func walk(_ folder: String) throws(ObjectStoreError) {
        let beginning = folder.isEmpty ? "" : folder + "/"
        // Compared with a trailing slash, a folder sorts as its keys do: `a.b` comes before `a/b`.
        let names = try Files.entries(of: folder.isEmpty ? root : root + "/" + folder)
            .map { (path: beginning + $0.name + ($0.isFolder ? "/" : ""), isFolder: $0.isFolder) }
            .sorted { Self.precedes($0.path, $1.path) }
        for (path, isFolder) in names {
            guard found.count < limit else { return }
            if isFolder {
                guard mayHold(path) else { continue }
                try walk(String(path.dropLast()))
            } else if path.hasPrefix(prefix), isKey(path), after.map({ Self.precedes($0, path) }) ?? true {
                found.append(path)
            }
        }
    }

    private func mayHold(_ folder: String) -> Bool {
        guard folder.hasPrefix(prefix) || prefix.hasPrefix(folder) else { return false }
        guard let after else { return true }
        return after.hasPrefix(folder) || Self.precedes(after, folder)
    }

    private static func precedes(_ left: String, _ right: String) -> Bool {
        left.utf8.lexicographicallyPrecedes(right.utf8)
    }
}
