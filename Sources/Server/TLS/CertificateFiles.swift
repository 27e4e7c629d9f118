import Foundation
import Kernel
import Logging
import NIOCore
import NIOSSL
import Synchronization

/// The certificate and key of the built-in HTTPS, reread while the server runs. Open connections keep their
/// certificate.
final class CertificateFiles: Sendable {
    /// The attributes that change when a file is replaced.
    private struct Fingerprint: Equatable {
        let dates: [Date?]
        let sizes: [Int?]
        let inodes: [Int?]
    }

    private struct State {
        var context: NIOSSLContext
        var fingerprint: Fingerprint
    }

    private let files: ServerSettings.TLSFiles
    private let logger: Logger
    private let state: Mutex<State>

    /// - Throws: when the certificate or key can't be read, or they don't match.
    init(_ files: ServerSettings.TLSFiles, logger: Logger) throws {
        self.files = files
        self.logger = logger
        let fingerprint = Self.fingerprint(files)
        state = Mutex(State(context: try Self.read(files), fingerprint: fingerprint))
    }

    /// The TLS context for new connections.
    var context: NIOSSLContext { state.withLock { $0.context } }

    /// Rereads the files if one of them was replaced.
    func reloadIfChanged() {
        let found = Self.fingerprint(files)
        guard state.withLock({ $0.fingerprint != found }) else { return }
        reload()
    }

    /// Rereads the files. If they can't be used, the old ones stay in use and the error is logged: a renewal replaces
    /// one file after the other.
    func reload() {
        let found = Self.fingerprint(files)
        do {
            let context = try Self.read(files)
            state.withLock { $0 = State(context: context, fingerprint: found) }
            logger.notice("The certificate was reread", metadata: ["file": "\(files.certificate)"])
        } catch {
            state.withLock { $0.fingerprint = found }
            logger.error(
                "The new certificate can't be used; the one from before stays in use",
                metadata: ["file": "\(files.certificate)", "error": "\(error)"])
        }
    }

    private static func read(_ files: ServerSettings.TLSFiles) throws -> NIOSSLContext {
        let chain = try NIOSSLCertificate.fromPEMFile(files.certificate).map { NIOSSLCertificateSource.certificate($0) }
        let key = try NIOSSLPrivateKey(file: files.key, format: .pem)
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain, privateKey: .privateKey(key))
        // RFC 8996 deprecates TLS 1.0 and 1.1.
        configuration.minimumTLSVersion = .tlsv12
        configuration.applicationProtocols = NegotiatedConnection.protocols
        configuration.shutdownTimeout = .seconds(Limits.tlsCloseSeconds)
        return try NIOSSLContext(configuration: configuration)
    }

    private static func fingerprint(_ files: ServerSettings.TLSFiles) -> Fingerprint {
        // A certificate is often a symbolic link to the newest file.
        let attributes = [files.certificate, files.key].map { path in
            try? FileManager.default.attributesOfItem(
                atPath: URL(fileURLWithPath: path).resolvingSymlinksInPath().path)
        }
        return Fingerprint(
            dates: attributes.map { $0?[.modificationDate] as? Date },
            sizes: attributes.map { ($0?[.size] as? NSNumber)?.intValue },
            inodes: attributes.map { ($0?[.systemFileNumber] as? NSNumber)?.intValue })
    }
}
