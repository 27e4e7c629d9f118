import Foundation
import Kernel
import NIOCore

/// Explains why the server can't listen, and names the setting to change.
enum ListenError {
    static func explained(_ error: any Error, _ settings: ServerSettings) -> AppError? {
        guard let error = error as? IOError else { return nil }
        let place = "port \(settings.port) of \(settings.host)"
        switch error.errnoCode {
        case EADDRINUSE:
            return AppError(
                .unavailable,
                "HOMEWARD_LISTEN: another program uses \(place). Stop that one, or choose another port.")
        case EACCES:
            return AppError(
                .unavailable, "HOMEWARD_LISTEN: this user may not listen at \(place). Choose a port from 1024 on.")
        case EADDRNOTAVAIL:
            return AppError(.unavailable, "HOMEWARD_LISTEN: \(settings.host) is no address of this machine.")
        default: return nil
        }
    }
}
