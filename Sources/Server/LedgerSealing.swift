import Kernel
import Ledger
import Logging
import ServiceLifecycle

/// Seals the ledger again and again, and once more when everything else has stopped.
package struct LedgerSealing: Service, CustomStringConvertible {
    private let sealer: LedgerSealer
    private let logger: Logger

    /// The name alone: a log of what starts must not show what is in it.
    package var description: String { "LedgerSealing" }

    /// Makes the service; nothing runs before ``run()``.
    package init(_ services: Services) {
        sealer = services.sealer
        logger = services.logger
    }

    /// Seals at once what the last run left, then every ``Limits/ledgerSealSeconds`` until the server stops, and then
    /// what is left.
    package func run() async throws {
        await cancelWhenGracefulShutdown { await repeating(everySeconds: Limits.ledgerSealSeconds) { await seal() } }
        await seal()
    }

    /// What fails is logged and tried again the next time; what was posted stays guarded by its own digest.
    private func seal() async {
        do {
            try await sealer.sealAll()
        } catch is CancellationError {
            return
        } catch let error as LedgerSealError {
            logger.critical(
                "The ledger was tampered with, or replaced: nothing is sealed; see homeward verify",
                metadata: ["error": "\(error)"]
            )
        } catch {
            logger.warning("The ledger could not be sealed", metadata: ["error": "\(error)"])
        }
    }
}
