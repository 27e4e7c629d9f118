import Foundation
import TestSupport
import Testing

/// A self-signed certificate.
enum TestCertificate {
    static let openSSL = URL(filePath: "/usr/bin/openssl")

    /// Creates a certificate for `localhost` and its key.
    /// - Returns: the settings of a server that uses them.
    static func settings(in folder: TemporaryFolder) throws -> [String: String] {
        let certificate = folder.file("certificate.pem")
        let key = folder.file("key.pem")
        let process = Process()
        process.executableURL = openSSL
        process.arguments = [
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
            "-subj", "/CN=localhost", "-out", certificate, "-keyout", key,
        ]
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        return [
            "HOMEWARD_TLS_CERTIFICATE": certificate, "HOMEWARD_TLS_KEY": key, "HOMEWARD_URL": "https://localhost",
        ]
    }
}
