import Kernel
import WebCore

/// The view model of Carrepsa's start page for signed-out visitors.
struct WelcomePage: Sendable {
    let shell: Shell
    /// `nil` if registration is closed.
    let signUpURL: String?
    let loginURL: String

    init(_ context: AppContext) {
        shell = Shell(
            context, title: "Carrepsa", menu: .carrepsaSignedOut, isNarrow: true, hasTabs: false,
            back: ShellBack(url: "/", label: "Homeward")
        )
        let destination = PercentEncoding.encoded(CarrepsaPath.packages)
        signUpURL = context.offersRegistration() ? "/register?app=carrepsa&return=\(destination)" : nil
        loginURL = "/sign-in?return=\(destination)"
    }
}
