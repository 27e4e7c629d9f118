import Accounts
import Kernel
import Logging

extension Services {
    /// Logs a code for the set-up of a server without accounts. Does nothing on any other server.
    package func logSetupCode() async {
        do {
            guard let code = try await accounts.setup.codeForNewServer() else { return }
            logger.notice(
                "This server is new. Open the page and enter the code to create the administrator's account",
                metadata: ["page": "\(settings.url)/setup", "code": "\(code)"])
        } catch {
            logger.error("The code for the set-up could not be created", metadata: ["error": "\(error)"])
        }
    }
}
