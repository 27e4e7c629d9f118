import Accounts
import Kernel
import Logging

extension Services {
    /// Logs a code for the set-up of a server without an administrator. Does nothing on any other server.
    package func logSetupCode() async {
        do {
            guard let code = try await accounts.setup.codeForLog() else { return }
            logger.notice(
                "This server has no administrator. Open the page and enter the code to create the administrator's account",
                metadata: ["page": "\(settings.url)/setup", "code": "\(code)"])
        } catch {
            logger.error("The code for the set-up could not be created", metadata: ["error": "\(error)"])
        }
    }
}
