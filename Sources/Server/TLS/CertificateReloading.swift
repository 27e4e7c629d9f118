import Kernel
import ServiceLifecycle
import UnixSignals

/// Rereads the certificate files on SIGHUP, and when one of them is replaced.
struct CertificateReloading: Service {
    let certificates: CertificateFiles

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await withTaskGroup { group in
                group.addTask {
                    for await _ in await UnixSignalsSequence(trapping: .sighup) { certificates.reload() }
                }
                group.addTask {
                    await repeating(everySeconds: Limits.certificatePollSeconds) { certificates.reloadIfChanged() }
                }
                await group.waitForAll()
            }
        }
    }
}
