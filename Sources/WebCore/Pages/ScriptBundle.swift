import Kernel

/// Joins a script and all its imports into one file: separate modules are easier to maintain, one request is faster to
/// load.
///
/// Supports only the forms that our modules use, each on one line: `import "./a.js";`, `import { a, b as c } from
/// "./d.js";`, `export function`, `export async function`, `export const`. A module becomes a block that stores its
/// exports in an object; the file exports these objects. Modules outside the file, which are loaded when they are
/// needed, use the same objects, so that no module runs twice.
struct ScriptBundle {
    /// The reasons why scripts can't be joined. All files are then served unchanged.
    enum Failure: Error, Equatable {
        /// An `import` or `export` in an unsupported form.
        case unknownForm(module: String, line: String)
        /// A circular import.
        case circle(String)
        /// The file doesn't exist.
        case missing(String)
    }

    private struct Import {
        let module: String
        /// The text between the braces; `nil` for an import without names.
        let names: String?
    }

    private struct Module {
        var imports: [Import] = []
        var exports: [String] = []
        var body: [Substring] = []
    }

    private let root: String
    private var modules: [String: Module] = [:]
    /// Every module after its imports; the root is the last.
    private var order: [String] = []

    /// All static files, with the script joined.
    struct Joined: Equatable {
        var files: [String: [UInt8]]
        /// The names of the files that only re-export joined modules. No page loads them.
        var standIns: Set<String> = []
    }

    /// Replaces the root with the joined file, and its modules with stand-ins that re-export from it.
    /// - Parameters:
    ///   - root: the name of the script that pages load: `js/app.js`.
    ///   - files: all static files by name; returned with the changes.
    static func joining(_ root: String, in files: [String: [UInt8]]) throws(Failure) -> Joined {
        var bundle = ScriptBundle(root: root)
        try bundle.add(root, files, above: [])
        var joined = Joined(files: files)
        let folder = root.prefix { $0 != "/" } + "/"
        for (name, contents) in files where name.hasPrefix(folder) && name.hasSuffix(".js") {
            guard name != root else { continue }
            if let module = bundle.modules[name] {
                // A file without imports and exports is also a plain script, which the service worker runs on its own.
                guard !(module.imports.isEmpty && module.exports.isEmpty) else { continue }
                joined.files[name] = Array(bundle.standIn(for: name).utf8)
                joined.standIns.insert(name)
            } else if let text = String(validating: contents, as: UTF8.self) {
                joined.files[name] = Array(try bundle.redirected(text, of: name).utf8)
            }
        }
        joined.files[root] = Array(bundle.text.utf8)
        return joined
    }

    private init(root: String) { self.root = root }

    private mutating func add(_ name: String, _ files: [String: [UInt8]], above: [String]) throws(Failure) {
        guard modules[name] == nil else { return }
        guard !above.contains(name) else { throw .circle(name) }
        guard let contents = files[name], let text = String(validating: contents, as: UTF8.self) else {
            throw .missing(name)
        }
        let module = try Self.read(text, of: name)
        for one in module.imports { try add(one.module, files, above: above + [name]) }
        modules[name] = module
        order.append(name)
    }

    private static func read(_ text: String, of name: String) throws(Failure) -> Module {
        var module = Module()
        for line in text[...].split(atBytes: "\n") {
            if let one = try importing(line, in: name) {
                module.imports.append(one)
            } else if line.hasPrefix("export ") {
                let declaration = line.dropFirst("export ".count)
                module.exports.append(try declared(declaration, in: name))
                module.body.append(declaration)
            } else {
                module.body.append(line)
            }
        }
        return module
    }

    /// The import of a line; `nil` for any other line.
    private static func importing(_ line: Substring, in name: String) throws(Failure) -> Import? {
        guard line.hasPrefix("import ") else { return nil }
        let parts = line.split(separator: "\"", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[2] == ";", parts[1].hasPrefix("./") else {
            throw .unknownForm(module: name, line: String(line))
        }
        let folder = name.split(separator: "/").dropLast().joined(separator: "/")
        let module = "\(folder)/\(parts[1].dropFirst(2))"
        if parts[0] == "import " { return Import(module: module, names: nil) }
        guard parts[0].hasPrefix("import {"), parts[0].hasSuffix("} from ") else {
            throw .unknownForm(module: name, line: String(line))
        }
        let names = parts[0].dropFirst("import {".count).dropLast("} from ".count)
        // An import's `a as b` is `a: b` in a destructuring assignment.
        let taken = names.split(separator: ",").map { one in
            one.split(separator: " ").filter { $0 != "as" }.joined(separator: ": ")
        }
        return Import(module: module, names: taken.joined(separator: ", "))
    }

    /// The name that a declaration declares.
    private static func declared(_ declaration: Substring, in name: String) throws(Failure) -> String {
        for start in ["function ", "async function ", "const "] where declaration.hasPrefix(start) {
            let declared = declaration.dropFirst(start.count).prefix { $0.isLetter || $0.isNumber || $0 == "_" }
            if !declared.isEmpty { return String(declared) }
        }
        throw .unknownForm(module: name, line: "export \(declaration)")
    }

    /// The name of a module's object: `js/sign-in-code.js` is `js_sign_in_code_js`.
    private static func object(_ name: String) -> String {
        String(name.map { $0.isLetter || $0.isNumber ? $0 : "_" })
    }

    private static func taking(_ one: Import) -> String? {
        one.names.map { "const { \($0) } = \(object(one.module));" }
    }

    private var text: String {
        var lines: [String] = []
        for name in order {
            guard let module = modules[name] else { continue }
            lines.append("// \(name)")
            lines.append(name == root ? "{" : "const \(Self.object(name)) = (() => {")
            lines += module.imports.compactMap(Self.taking)
            lines += module.body.map(String.init)
            lines.append(name == root ? "}" : "return { \(module.exports.joined(separator: ", ")) };\n})();")
        }
        let objects = order.filter { $0 != root }.map(Self.object)
        lines.append("export { \(objects.joined(separator: ", ")) };\n")
        return lines.joined(separator: "\n")
    }

    /// The relative path from a file to the root.
    private func way(from name: String) -> String {
        let steps = name.split(separator: "/").count - root.split(separator: "/").count
        let file = root.split(separator: "/").last ?? ""
        return (steps > 0 ? String(repeating: "../", count: steps) : "./") + file
    }

    private func standIn(for name: String) -> String {
        let start = "import { \(Self.object(name)) } from \"\(way(from: name))\";\n"
        guard let exports = modules[name]?.exports, !exports.isEmpty else { return start }
        return start + "export const { \(exports.joined(separator: ", ")) } = \(Self.object(name));\n"
    }

    /// A module that stays separate, with its imports of joined modules redirected to the joined file.
    private func redirected(_ text: String, of name: String) throws(Failure) -> String {
        var lines: [String] = []
        var objects: [String] = []
        for line in text[...].split(atBytes: "\n") {
            if let one = try Self.importing(line, in: name), modules[one.module] != nil {
                objects.append(Self.object(one.module))
                lines += [Self.taking(one)].compactMap { $0 }
            } else {
                lines.append(String(line))
            }
        }
        guard !objects.isEmpty else { return text }
        return "import { \(objects.joined(separator: ", ")) } from \"\(way(from: name))\";\n"
            + lines.joined(separator: "\n")
    }
}
