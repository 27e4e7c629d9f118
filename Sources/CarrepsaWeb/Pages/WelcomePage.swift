import WebCore

/// What Carrepsa is, and the ways in.
struct WelcomePage: Sendable {
    let shell: Shell
    let t: CarrepsaStrings
    let signUpURL: String
    let loginURL: String

    init(_ context: AppContext, t: CarrepsaStrings) {
        shell = Shell(
            context, title: "Carrepsa", menu: .carrepsaDoor, isNarrow: true, hasTabs: false,
            back: ShellBack(url: "/", label: "Homeward")
        )
        self.t = t
        let destination = PathSegment.encoded(CarrepsaPath.packages)
        signUpURL = "/register?app=carrepsa&return=\(destination)"
        loginURL = "/sign-in?return=\(destination)"
    }
}
