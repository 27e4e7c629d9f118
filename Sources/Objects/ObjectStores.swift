package import Kernel
package import Logging

/// Opens object stores.
package enum ObjectStores {
    /// Opens the store at an address, without contacting a bucket; see ``ObjectStore/check()``.
    /// - Parameters:
    ///   - credentials: The credentials for a bucket; a folder needs none.
    ///   - keys: The rule for keys.
    ///   - creates: Whether a missing folder is created.
    ///   - clock: The time in the signatures.
    /// - Throws: ``ObjectStoreAddress/Problem`` for a bucket without credentials; ``ObjectStoreError`` when a folder
    ///   can't be created.
    package static func open(
        _ address: ObjectStoreAddress, credentials: S3Credentials? = nil, keys: ObjectKey.Rule = .own,
        creates: Bool = true, clock: any WallClock = SystemClock(), random: any RandomSource = SystemRandom(),
        logger: Logger
    ) throws -> any ObjectStore {
        switch address.place {
        case .folder(let path):
            return try FolderObjectStore(
                folder: path, keys: keys, creates: creates, random: random)
        case .bucket(let bucket):
            guard let credentials else {
                throw ObjectStoreAddress.Problem("a bucket needs an access key and a secret key")
            }
            return S3ObjectStore(
                bucket, credentials: credentials, keys: keys, transport: HTTPS3Transport(), clock: clock,
                random: random,
                logger: logger
            )
        }
    }
}
