import Testing

/// The main function of the test program, which SwiftPM finds by this file's name. Without it SwiftPM would search an
/// index of all sources for XCTest tests. All tests use Swift Testing.
@main
struct XCTMain {
    static func main() async {
        // `swift test --filter` first asks for the list of XCTest tests, and then runs none of them. Otherwise all
        // tests would run for each.
        switch CommandLine.arguments.dropFirst() {
        case ["--dump-tests-json"]: return print(#"{"tests":[]}"#)
        case [""]: return
        default: break
        }
        await Testing.__swiftPMEntryPoint() as Never
    }
}
