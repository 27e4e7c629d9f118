/// What is many files to work with, and few to wait for.
enum JoinedFiles {
    /// The script that every page loads, with all that it imports.
    static let script = "js/app.js"
    /// The styles of every page, `css/all.css`; in this order, by which the later ones win.
    static let styles = ["tokens", "base", "shell", "components", "forms", "overlays", "map"].map { "css/\($0).css" }

    /// The libraries of every page, `js/libraries.js`; in this order.
    static let libraries = ["vendor/htmx.min.js", "vendor/morphdom.min.js"]

    /// The files as they are served, of those that the modules bring along: names below the folder → contents.
    static func of(_ originals: [String: [UInt8]]) -> ScriptBundle.Joined {
        var files = joiningFolders(originals)
        let parts = styles.compactMap { files[$0] }
        if parts.count == styles.count {
            for name in styles { files[name] = nil }
            files["css/all.css"] = Array(parts.joined())
        }
        // Scripts in another form than ours work as they are, one request each.
        let isScripted = files[script] != nil
        let joined = isScripted ? try? ScriptBundle.joining(script, in: files) : nil
        return joiningLibraries(joined ?? ScriptBundle.Joined(files: files))
    }

    private static func joiningLibraries(_ original: ScriptBundle.Joined) -> ScriptBundle.Joined {
        var joined = original
        let parts = libraries.compactMap { joined.files[$0] }
        guard parts.count == libraries.count else { return joined }
        for name in libraries { joined.files[name] = nil }
        // A library may end without a semicolon, or with a comment.
        joined.files["js/libraries.js"] = Array(parts.joined(separator: Array("\n;".utf8)))
        return joined
    }

    /// Styles in a folder `css/NAME` are one file, `css/NAME.css`, in the order of their names, which the styles must not
    /// depend on.
    private static func joiningFolders(_ originals: [String: [UInt8]]) -> [String: [UInt8]] {
        var joined: [String: [UInt8]] = [:]
        for (name, contents) in originals.sorted(by: { $0.key < $1.key }) {
            let parts = name.split(separator: "/")
            let isPart = parts.count == 3 && parts[0] == "css" && name.hasSuffix(".css")
            joined[isPart ? "css/\(parts[1]).css" : name, default: []] += contents
        }
        return joined
    }
}
