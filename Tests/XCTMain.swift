import Testing

/// The main function of the test program, which SwiftPM finds by this file's name. Without it SwiftPM would search an
/// index of all sources for XCTest tests. All tests use Swift Testing.
@main
struct XCTMain {
    static func main() async {
        await Testing.__swiftPMEntryPoint() as Never
    }
}
