import Kernel
import Ledger
import Logging
import ServiceLifecycle

/// Seals the ledger at a fixed interval, and once more after all other services have stopped.
package struct LedgerSealingService: Service {
    private let sealer: LedgerSealer
    private let logger: Logger

    package init(_ services: Services) {
        sealer = services.sealer
        logger = services.logger
    }

    /// Seals at once what the previous run left, then every ``Limits/ledgerSealSeconds`` until the server stops, and
    /// then the rest.
    package func run() async throws {
        await cancelWhenGracefulShutdown { await repeating(everySeconds: Limits.ledgerSealSeconds) { await seal() } }
        await seal()
    }

    /// A failure is logged; the next run tries again. Until then, each posted transfer is protected by its own digest.
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
