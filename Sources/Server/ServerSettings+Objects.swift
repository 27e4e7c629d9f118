import Configuration
import Kernel
import Logging
import Objects

extension ServerSettings {
    /// Reads the object store's address and credentials. The AWS environment variables apply where our own settings are
    /// absent.
    static func objects(
        _ config: ConfigReader, _ text: (Setting) -> String?, dataFolder: String
    ) throws(SettingError) -> (ObjectStoreAddress, S3Credentials?) {
        func usual(_ key: ConfigKey) -> String? {
            let value = config.string(forKey: key, isSecret: true)
            return value.flatMap { $0.isEmpty ? nil : $0 }
        }
        let address: ObjectStoreAddress
        do throws(ObjectStoreAddress.Problem) {
            address = try ObjectStoreAddress(
                text(.objects) ?? "folder:\(dataFolder)/objects", region: usual("aws.region")
            )
        } catch {
            throw SettingError(.objects, error.description)
        }
        let credentials: S3Credentials?
        switch (text(.objectsAccessKey), text(.objectsSecretKey)) {
        case (let access?, let secret?): credentials = S3Credentials(accessKey: access, secretKey: secret)
        case (_?, nil): throw SettingError(.objectsSecretKey, "is missing beside \(Setting.objectsAccessKey.name)")
        case (nil, _?): throw SettingError(.objectsAccessKey, "is missing beside \(Setting.objectsSecretKey.name)")
        case (nil, nil):
            let pair = (usual("aws.accessKeyId"), usual("aws.secretAccessKey"))
            if let access = pair.0, let secret = pair.1 {
                credentials = S3Credentials(
                    accessKey: access, secretKey: secret, sessionToken: usual("aws.sessionToken"))
            } else {
                credentials = nil
            }
        }
        guard !address.isBucket || credentials != nil else {
            throw SettingError(.objectsAccessKey, "a bucket needs an access key and a secret key")
        }
        return (address, credentials)
    }

    func openObjects(
        creates: Bool, clock: any WallClock, random: any RandomSource, logger: Logger
    ) throws -> any ObjectStore {
        try ObjectStores.open(
            objects, credentials: objectCredentials, creates: creates, clock: clock, random: random, logger: logger)
    }
}

extension Services {
    /// Checks that the object store can be reached. Call it before the server accepts requests.
    /// - Throws: ``SettingError``, which says what is wrong.
    package func checkObjects() async throws {
        do {
            try await objects.check()
        } catch let error as ObjectStoreError {
            throw SettingError(.objects, error.description)
        }
    }
}
