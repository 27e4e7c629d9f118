/// Joins files that are separate in the sources into few files to load.
enum AssetBundles {
    /// The script that every page loads, with all its imports.
    static let script = "js/app.js"
    /// The styles of every page, joined as `css/all.css` in this order. Later ones take precedence.
    static let styles = ["tokens", "base", "shell", "components", "forms", "overlays", "map"].map { "css/\($0).css" }

    /// The libraries of every page, joined as `js/libraries.js` in this order.
    static let libraries = ["vendor/htmx.min.js", "vendor/morphdom.min.js"]

    /// The files as they are served: names below the folder → contents.
    static func of(_ originals: [String: [UInt8]]) -> ScriptBundle.Joined {
        var files = joiningFolders(originals)
        join(styles, as: "css/all.css", in: &files)
        // A library may end without a semicolon, or with a comment.
        join(libraries, as: "js/libraries.js", separator: "\n;", in: &files)
        guard files[script] != nil else { return ScriptBundle.Joined(files: files) }
        // Scripts with unsupported import forms work unjoined, with one request each.
        return (try? ScriptBundle.joining(script, in: files)) ?? ScriptBundle.Joined(files: files)
    }

    /// Joins several files into one, if all of them exist.
    private static func join(
        _ names: [String], as whole: String, separator: String = "", in files: inout [String: [UInt8]]
    ) {
        let parts = names.compactMap { files[$0] }
        guard parts.count == names.count else { return }
        for name in names { files[name] = nil }
        files[whole] = Array(parts.joined(separator: Array(separator.utf8)))
    }

    /// Joins the styles in a folder `css/NAME` to `css/NAME.css`, in the order of their names. The styles must not
    /// depend on the order.
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
