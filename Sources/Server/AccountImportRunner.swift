import Accounts
import ServiceLifecycle

/// Performs imports while the server runs.
struct AccountImportRunner: Service {
    private let worker: AccountImportWorker

    init(_ imports: AccountImportService) { worker = imports.worker }

    /// Performs imports until the server stops. The one that runs then goes on at the next start, or on another node.
    func run() async throws {
        await cancelWhenGracefulShutdown { await worker.run() }
    }
}
