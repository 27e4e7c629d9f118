import HTTPTypes
import HummingbirdTesting
import Testing

@testable import WebCore

@Suite("Joined scripts")
struct ScriptBundleTests {
    private static func joining(_ files: [String: String]) throws -> [String: String] {
        let joined = try ScriptBundle.joining("js/app.js", in: files.mapValues { Array($0.utf8) })
        return joined.files.mapValues { String(decoding: $0, as: UTF8.self) }
    }

    @Test("A script and all its imports become one file, each module before those that import it")
    func joined() throws {
        let files = try Self.joining([
            "js/app.js": "import \"./b.js\";\nimport { one as two, three } from \"./a-b.js\";\ntwo(three);\n",
            "js/b.js": "import { three } from \"./a-b.js\";\nthree();\n",
            "js/a-b.js": "const secret = 1;\nexport function one() {}\nexport const three = () => secret;\n",
        ])
        #expect(
            files["js/app.js"] == """
                // js/a-b.js
                const js_a_b_js = (() => {
                const secret = 1;
                function one() {}
                const three = () => secret;

                return { one, three };
                })();
                // js/b.js
                const js_b_js = (() => {
                const { three } = js_a_b_js;
                three();

                return {  };
                })();
                // js/app.js
                {
                const { one: two, three } = js_a_b_js;
                two(three);

                }
                export { js_a_b_js, js_b_js };

                """)
    }

    @Test("Modules that load later use the same objects, from any folder")
    func later() throws {
        let files = try Self.joining([
            "js/app.js": "import \"./a.js\";\nimport(\"./map.js\");\n", "js/a.js": "export async function tell() {}\n",
            "js/map.js": "import { tell } from \"./a.js\";\nimport { far } from \"./far.js\";\ntell(far);\n",
            "js/far.js": "export const far = 1;\n", "js/deep/er.js": "far();\n", "js/alone.js": "onmessage = null;\n",
            "css/a.css": "import \"./a.js\";",
        ])
        #expect(
            files["js/map.js"] == """
                import { js_a_js } from "./app.js";
                const { tell } = js_a_js;
                import { far } from "./far.js";
                tell(far);

                """)
        #expect(files["js/a.js"] == "import { js_a_js } from \"./app.js\";\nexport const { tell } = js_a_js;\n")
        #expect(files["js/far.js"] == "export const far = 1;\n")
        #expect(files["js/alone.js"] == "onmessage = null;\n")
        #expect(files["css/a.css"] == "import \"./a.js\";")
    }

    @Test("Files that only re-export joined modules are listed")
    func standIns() throws {
        let files = [
            "js/app.js": "import \"./a.js\";\nimport \"./alone.js\";\n", "js/a.js": "export const a = 1;\n",
            "js/alone.js": "onmessage = null;\n", "js/map.js": "import { a } from \"./a.js\";\na();\n",
        ]
        let joined = try ScriptBundle.joining("js/app.js", in: files.mapValues { Array($0.utf8) })
        #expect(joined.standIns == ["js/a.js"])
    }

    private struct Refusal: CustomTestStringConvertible {
        let files: [String: String]
        let failure: ScriptBundle.Failure
        var testDescription: String { "\(failure)" }

        static let all = [
            Refusal(
                files: [
                    "js/app.js": "import \"./a.js\";", "js/a.js": "import \"./b.js\";", "js/b.js": "import \"./a.js\";",
                ],
                failure: .circle("js/a.js")),
            Refusal(files: ["js/app.js": "import \"./a.js\";"], failure: .missing("js/a.js")),
            Refusal(
                files: ["js/app.js": "import * as a from \"./a.js\";", "js/a.js": ""],
                failure: .unknownForm(module: "js/app.js", line: "import * as a from \"./a.js\";")),
            Refusal(
                files: ["js/app.js": "import \"./a.js\";", "js/a.js": "export default 1;"],
                failure: .unknownForm(module: "js/a.js", line: "export default 1;")),
        ]
    }

    @Test("A script that can't be joined is reported", arguments: Refusal.all)
    private func refusals(_ refusal: Refusal) {
        #expect(throws: refusal.failure) { try Self.joining(refusal.files) }
    }

    @Test("The product's pages load one script of ours and one stylesheet")
    func product() async throws {
        try await withSite { site async throws in
            let folder = site.web.files.folder
            site.web.prepareAssets()
            let script = try await site.get("\(folder)/js/app.js", [.acceptEncoding: "gzip"])
            #expect(script.headers[.contentEncoding] == "gzip")
            let text = try await site.get("\(folder)/js/app.js").text
            #expect(!text.contains("\nimport "))
            #expect(text.contains("\nexport { "))
            #expect(try await site.get("\(folder)/css/all.css").text.contains(".card {"))
            #expect(!site.web.files.names.contains("css/tokens.css"))
        }
    }

    @Test("Compression and decompression restore a file")
    func compression() throws {
        let bytes = (0..<50_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
        let packed = try #require(Gzip.compressed(bytes))
        #expect(packed.count < bytes.count / 10)
        #expect(packed.prefix(2) == [0x1F, 0x8B])
        // The last eight bytes are the checksum and the size (RFC 1952, section 2.3.1).
        let size = packed.suffix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        #expect(size == bytes.count)
    }
}
