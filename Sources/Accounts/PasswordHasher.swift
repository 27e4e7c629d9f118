import CSodium
import Foundation
package import Kernel
import NIOPosix

/// Hashes passwords for storage. Tests replace it to count the calls.
package protocol PasswordHasher: Sendable {
    /// Returns a new hash with its parameters and a random salt, as text.
    func hash(_ password: [UInt8]) async throws -> String
    /// Returns whether `stored` is the hash of `password`. Without a stored hash it does the same work and returns
    /// false, so that the response time doesn't reveal whether an account exists.
    func verify(_ password: [UInt8], against stored: String?) async throws -> Bool
    /// Returns whether `stored` was made with parameters other than the current ones.
    func isOutdated(_ stored: String) -> Bool
}

/// Hashes with scrypt (RFC 7914) on NIO's thread pool, never on the event loop. Each hash takes 32 MiB and about 80 ms.
package struct ScryptHasher: PasswordHasher {
    private let random: any RandomSource
    private let parameters: ScryptHash.Parameters

    /// Creates a hasher.
    /// - Parameters:
    ///   - random: the source of the salts.
    ///   - costExponent: the base-2 logarithm of scrypt's N. Only tests pass a value below 15.
    package init(random: any RandomSource, costExponent: Int = 15) {
        self.random = random
        parameters = ScryptHash.Parameters(costExponent: costExponent, blockSize: 8, parallelism: 1)
    }

    /// Returns a new hash in the form `$scrypt$ln=15,r=8,p=1$SALT$HASH` with base64.
    package func hash(_ password: [UInt8]) async throws -> String {
        let salt = random.bytes(ScryptHash.saltBytes)
        let parameters = parameters
        let key = try await NIOThreadPool.singleton.runIfActive {
            try ScryptHash.derive(password, salt: salt, parameters: parameters)
        }
        return ScryptHash(parameters: parameters, salt: salt, key: key).text
    }

    /// Returns whether `password` is right. Derives a key in any case.
    package func verify(_ password: [UInt8], against stored: String?) async throws -> Bool {
        let known = stored.flatMap(ScryptHash.init(text:))
        let salt = known?.salt ?? [UInt8](repeating: 0, count: ScryptHash.saltBytes)
        let used = known?.parameters ?? parameters
        let key = try await NIOThreadPool.singleton.runIfActive {
            try ScryptHash.derive(password, salt: salt, parameters: used)
        }
        guard let known else { return false }
        return ConstantTime.isEqual(key, known.key)
    }

    /// Returns whether the parameters have changed.
    package func isOutdated(_ stored: String) -> Bool { ScryptHash(text: stored)?.parameters != parameters }
}

struct ScryptHash {
    struct Parameters: Equatable, Sendable {
        let costExponent: Int
        let blockSize: Int
        let parallelism: Int
    }

    static let saltBytes = 16
    private static let keyBytes = 32

    let parameters: Parameters
    let salt: [UInt8]
    let key: [UInt8]

    init(parameters: Parameters, salt: [UInt8], key: [UInt8]) {
        self.parameters = parameters
        self.salt = salt
        self.key = key
    }

    init?(text: String) {
        let parts = text.split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count == 5, parts[0].isEmpty, parts[1] == "scrypt" else { return nil }
        let names = ["ln=", "r=", "p="]
        let settings = parts[2].split(separator: ",")
        guard settings.count == names.count else { return nil }
        var numbers: [Int] = []
        for (setting, name) in zip(settings, names) {
            guard setting.hasPrefix(name), let number = Int(setting.dropFirst(name.count)) else { return nil }
            numbers.append(number)
        }
        guard (1...20).contains(numbers[0]), (1...32).contains(numbers[1]), (1...16).contains(numbers[2]),
            let salt = Data(base64Encoded: String(parts[3])), let key = Data(base64Encoded: String(parts[4])),
            !key.isEmpty
        else { return nil }
        parameters = Parameters(costExponent: numbers[0], blockSize: numbers[1], parallelism: numbers[2])
        self.salt = Array(salt)
        self.key = Array(key)
    }

    var text: String {
        let settings = "ln=\(parameters.costExponent),r=\(parameters.blockSize),p=\(parameters.parallelism)"
        return "$scrypt$\(settings)$\(Data(salt).base64EncodedString())$\(Data(key).base64EncodedString())"
    }

    static func derive(_ password: [UInt8], salt: [UInt8], parameters: Parameters) throws -> [UInt8] {
        var key = [UInt8](repeating: 0, count: keyBytes)
        let status = crypto_pwhash_scryptsalsa208sha256_ll(
            password, password.count, salt, salt.count, 1 << UInt64(parameters.costExponent),
            UInt32(parameters.blockSize), UInt32(parameters.parallelism), &key, key.count
        )
        // With parameters in these ranges, the only possible error is a lack of memory.
        guard status == 0 else { throw AppError(.unavailable, "The server is out of memory. Try again later.") }
        return key
    }
}
