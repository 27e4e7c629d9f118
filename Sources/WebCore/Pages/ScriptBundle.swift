/// Makes one file of a script and all that it imports: one module a topic is good to work with, one request is good to
/// wait for.
///
/// Knows the few forms that our own modules have, each on one line: `import "./a.js";`, `import { a, b as c } from
/// "./d.js";`, `export function`, `export async function`, `export const`. A module becomes a block of its own that
/// leaves what it exports in an object; the file exports these objects. Modules outside of the file, which are fetched
/// when they are needed, get the same objects, so that nothing exists twice.
struct ScriptBundle {
    /// What can't be joined; everything is served as it is then.
    enum Failure: Error, Equatable {
        /// An `import` or `export` in another form.
        case unknownForm(module: String, line: String)
        /// A module that imports itself, by whatever way.
        case circle(String)
        /// No such file.
        case missing(String)
    }

    private struct Import {
        let module: String
        /// What stands between the braces; `nil` where a module is only run.
        let names: String?
    }

    private struct Module {
        var imports: [Import] = []
        var exports: [String] = []
        var body: [Substring] = []
    }

    private let root: String
    private var modules: [String: Module] = [:]
    /// Every module after those that it imports; the root is the last.
    private var order: [String] = []

    /// All static files with a script joined.
    struct Joined: Equatable {
        /// By their names.
        var files: [String: [UInt8]]
        /// The names of those that only reach what is joined now. No page asks for them.
        var standIns: Set<String> = []
    }

    /// Puts the file in the root's place, and what reaches its parts in theirs.
    /// - Parameters:
    ///   - root: the name of the script that pages load, such as `js/app.js`.
    ///   - files: all static files by their names; returned with the changes.
    static func joining(_ root: String, in files: [String: [UInt8]]) throws(Failure) -> Joined {
        var bundle = ScriptBundle(root: root)
        try bundle.add(root, files, above: [])
        var joined = Joined(files: files)
        let folder = root.prefix { $0 != "/" } + "/"
        for (name, contents) in files where name.hasPrefix(folder) && name.hasSuffix(".js") {
            guard name != root else { continue }
            if let module = bundle.modules[name] {
                // What neither takes nor gives anything is a script as well, which the service worker runs by itself.
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
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
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

    /// What a line imports; `nil` for any other line.
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
        // What an import calls `a as b`, taking an object apart calls `a: b`.
        let taken = names.split(separator: ",").map { one in
            one.split(separator: " ").filter { $0 != "as" }.joined(separator: ": ")
        }
        return Import(module: module, names: taken.joined(separator: ", "))
    }

    /// The name that a declaration gives.
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

    /// The way from a file to the root's.
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

    /// A module that stays a file, with what it takes from the joined ones taken from there.
    private func redirected(_ text: String, of name: String) throws(Failure) -> String {
        var lines: [String] = []
        var objects: [String] = []
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
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
