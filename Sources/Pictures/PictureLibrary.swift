import Crypto
package import Kernel
package import Logging
package import Objects
package import Quotas
package import Storage

/// The picture libraries of all people. Uploads are validated, re-encoded upright and stored in three sizes.
package final class PictureLibrary: Sendable {
    private let database: Database
    private let objects: any ObjectStore
    private let worker: PictureWorker
    private let quotas: AccountQuotas
    private let visibilities: [any PictureVisibility]
    private let clock: any WallClock
    private let random: any RandomSource
    private let logger: Logger
    private let builtinFiles = BuiltinFiles()

    private static let commitSlackSeconds: Int64 = 60

    /// - Parameter visibilities: further rules for who may see a picture besides its owner; one match is enough.
    package init(
        database: Database,
        objects: any ObjectStore,
        worker: PictureWorker,
        quotas: AccountQuotas = AccountQuotas(),
        visibilities: [any PictureVisibility] = [],
        clock: any WallClock,
        random: any RandomSource,
        logger: Logger
    ) {
        self.database = database
        self.objects = objects
        self.worker = worker
        self.quotas = quotas
        self.visibilities = visibilities
        self.clock = clock
        self.random = random
        self.logger = logger
    }

    /// Adds a picture to its owner's library.
    /// - Parameter idempotency: makes a repeated upload return the first upload's picture.
    /// - Throws: `AppError`: `tooLarge` and `invalid` at `picture`; `conflict` if the library is full or the key was
    ///   used for another upload; `notFound` if the first upload's picture was deleted; `unavailable`.
    package func add(_ bytes: [UInt8], owner: PersonID, idempotency: IdempotencyScope? = nil) async throws -> Picture {
        if let picture = try await earlier(idempotency, owner: owner) { return picture }
        try await database.read { tx in try self.requireSpace(owner, in: tx) }
        let rendered = try await render(bytes, of: owner)
        let now = clock.now
        let picture = Picture(
            id: ID(at: now, random: random), owner: owner, width: rendered.width, height: rendered.height,
            createdAt: now
        )
        try await store(rendered, of: picture.id)
        let digest = Array(SHA256.hash(data: bytes))
        // The commit may wait in a queue, so keys that are due within this time count as due.
        let commitBefore = clock.now.adding(seconds: Self.commitSlackSeconds)
        let once = try await database.write { tx in
            try tx.once(idempotency, status: 201, now: now, resource: picture.id.description) {
                try self.requireSpace(owner, in: tx)
                guard try ObjectGarbage.reclaim(PictureObjects.keys(of: picture.id), now: commitBefore, in: tx) else {
                    throw AppError(.unavailable, "The upload took too long. Try again.")
                }
                try PictureStore.insert(picture, digest: digest, byteCount: rendered.byteCount, in: tx)
            }
        }
        switch once {
        case .made: return picture
        // A concurrent request with the same key came first. The objects of this one stay recorded as garbage.
        case .replayed(let id): return try await own(id, owner: owner)
        }
    }

    /// Returns the maximum number of pictures in a person's library.
    package func quota(of person: PersonID, in tx: Transaction) throws -> Int {
        try quotas.quota(of: person, in: tx).pictures
    }

    /// Returns a page of a person's library, newest first.
    /// - Parameters:
    ///   - after: the last picture of the previous page.
    ///   - limit: the maximum count, 1 to `Limits.pageSizeMaximum`.
    package func pictures(of owner: PersonID, after: ID<Picture>?, limit: Int) async throws -> [Picture] {
        let limit = min(max(limit, 1), Limits.pageSizeMaximum)
        return try await database.read { tx in try PictureStore.page(of: owner, after: after, limit: limit, in: tx) }
    }

    /// Returns a page of the built-in avatars, sorted by name. Everyone may see and use them.
    /// - Parameters:
    ///   - after: the last picture of the previous page.
    ///   - limit: the maximum count, 1 to `Limits.pageSizeMaximum`.
    package func builtinPictures(after: ID<Picture>?, limit: Int) -> [Picture] {
        let all = BuiltinAvatars.all
        let start = after.flatMap { last in all.firstIndex { $0.id == last } }.map { $0 + 1 } ?? 0
        return all.dropFirst(start).prefix(min(max(limit, 1), Limits.pageSizeMaximum)).map(\.picture)
    }

    /// Returns a picture's metadata.
    /// - Throws: `AppError.notFound` if it doesn't exist or `viewer` may not see it.
    package func picture(_ id: ID<Picture>, for viewer: PersonID) async throws -> Picture {
        if let picture = BuiltinPictures.picture(id) { return picture }
        let visibilities = visibilities
        let picture = try await database.read { tx -> Picture? in
            guard let picture = try PictureStore.find(id, in: tx) else { return nil }
            if picture.owner == viewer { return picture }
            return try visibilities.contains { try $0.isVisible(id, to: viewer, in: tx) } ? picture : nil
        }
        guard let picture else { throw AppError.notFound }
        return picture
    }

    /// Returns a picture's file in one size. It never changes, so clients may cache it by id.
    /// - Throws: `AppError.notFound` if it doesn't exist or `viewer` may not see it.
    package func data(
        _ id: ID<Picture>, size: PictureSize, for viewer: PersonID
    ) async throws -> (bytes: [UInt8], mediaType: String) {
        if let bytes = builtinFiles.data(id, size: size) { return (bytes, PictureSize.mediaType) }
        _ = try await picture(id, for: viewer)
        let stored: [UInt8]?
        do {
            stored = try await objects.get(PictureObjects.key(of: id, size))
        } catch let error as ObjectStoreError {
            logger.error("A picture could not be read", metadata: ["picture": "\(id)", "error": "\(error)"])
            throw AppError(.unavailable, "The picture can’t be read at the moment. Try again later.")
        }
        guard let bytes = stored else {
            logger.error("A picture's object is missing", metadata: ["picture": "\(id)", "size": "\(size)"])
            throw AppError.notFound
        }
        return (bytes, PictureSize.mediaType)
    }

    /// Returns a picture's file in one size without a check of who may see it, for comparisons with its hash; `nil` if
    /// there is none.
    /// - Throws: ``ObjectStoreError`` if the store can't be reached.
    package func file(of id: ID<Picture>, size: PictureSize) async throws -> [UInt8]? {
        if let bytes = builtinFiles.data(id, size: size) { return bytes }
        return try await objects.get(PictureObjects.key(of: id, size))
    }

    /// Determines the sizes of up to ``Limits/pictureMeasureBatch`` pictures that an earlier version stored. A file
    /// that is missing or can't be read counts as empty.
    /// - Throws: ``ObjectStoreError`` if the store can't be reached.
    package func measure() async throws {
        let pictures = try await database.read { tx in
            try PictureStore.withoutSize(limit: Limits.pictureMeasureBatch, in: tx)
        }
        for id in pictures {
            var byteCount = 0
            for key in PictureObjects.keys(of: id) { byteCount += try await size(of: key) }
            try await database.write { [byteCount] tx in try PictureStore.setByteCount(byteCount, of: id, in: tx) }
        }
    }

    /// Deletes the objects recorded in ``ObjectGarbage``: those of deleted pictures, of unfinished uploads and of
    /// other modules. Runs at start and after deletions; concurrent calls are safe. An object that can't be deleted
    /// stays recorded.
    /// - Parameter batches: the maximum number of batches of `Limits.garbageBatch` objects, for callers that must
    ///   return soon.
    /// - Throws: ``ObjectStoreError`` if some objects couldn't be deleted, after deleting the others of the batch.
    package func sweep(batches: Int = .max) async throws {
        let now = clock.now
        try await objects.discardInterrupted(before: now.adding(seconds: -Limits.pictureUploadSeconds))
        for _ in 0..<batches {
            let keys = try await database.read { tx in
                try ObjectGarbage.due(now: now, limit: Limits.garbageBatch, in: tx)
            }
            guard !keys.isEmpty else { return }
            let (removed, failure) = await remove(keys)
            try await database.write { tx in try ObjectGarbage.forget(removed, in: tx) }
            logger.debug("Removed objects that nothing refers to", metadata: ["objects": "\(removed.count)"])
            if let failure { throw failure }
        }
    }

    /// The bytes of an object; 0 for one that is missing or can't be read, so that it doesn't hold up the others.
    private func size(of key: String) async throws -> Int {
        do {
            return try await objects.get(key)?.count ?? 0
        } catch let error as ObjectStoreError {
            switch error {
            case .unreachable, .busy: throw error
            default: return 0
            }
        }
    }

    /// Deletes objects concurrently and continues after errors.
    private func remove(_ keys: [String]) async -> (removed: [String], failure: (any Error)?) {
        await withTaskGroup(of: (key: String, failure: (any Error)?).self) { [objects] group in
            var waiting = keys[...]
            func begin() {
                guard let key = waiting.popFirst() else { return }
                group.addTask {
                    do {
                        try await objects.delete(key)
                        return (key, nil)
                    } catch {
                        return (key, error)
                    }
                }
            }
            for _ in 0..<Limits.objectDeletionsAtOnce { begin() }
            var removed: [String] = []
            var failure: (any Error)?
            while let done = await group.next() {
                if let error = done.failure { failure = error } else { removed.append(done.key) }
                begin()
            }
            return (removed, failure)
        }
    }
}

extension PictureLibrary {
    /// Checks that a picture is built in or in the owner's library, before it is attached to an object of the owner.
    /// - Throws: `AppError.invalid` at the field `pictureId` otherwise.
    package static func requireOwned(_ id: ID<Picture>, by owner: PersonID, in tx: Transaction) throws {
        if let builtin = BuiltinPictures.picture(id) { return try PictureStore.ensure(builtin, in: tx) }
        guard try PictureStore.find(id, in: tx)?.owner == owner else {
            throw AppError.invalid("pictureId", "This picture isn’t in your library. Choose another one.")
        }
    }

    /// Returns whether a picture is in a person's library.
    package static func owns(_ id: ID<Picture>, _ person: PersonID, in tx: Transaction) throws -> Bool {
        try PictureStore.find(id, in: tx)?.owner == person
    }

    /// Returns the number of pictures in a person's library, and their bytes in all sizes.
    package static func usage(of person: PersonID, in tx: Transaction) throws -> (count: Int, bytes: Int64) {
        try PictureStore.usage(of: person, in: tx)
    }

    /// Moves a picture to another person's library, because it is still in use when its owner's account is deleted.
    /// Ignores unknown pictures.
    package static func handOver(_ id: ID<Picture>, to owner: PersonID, in tx: Transaction) throws {
        guard !BuiltinPictures.contains(id) else { return }
        try PictureStore.setOwner(owner, of: id, in: tx)
    }

    /// Deletes a picture; the next ``sweep()`` deletes its objects. Ignores unknown and built-in pictures.
    /// - Throws: `StorageError.foreignKeyViolation` if it is in use.
    package static func remove(_ id: ID<Picture>, in tx: Transaction) throws {
        guard !BuiltinPictures.contains(id), try PictureStore.delete(id, in: tx) else { return }
        try ObjectGarbage.record(PictureObjects.keys(of: id), dueAt: Instant(millisecondsSince1970: 0), in: tx)
    }

    /// Deletes all pictures of a deleted account. Call it after deleting everything that uses them.
    /// - Throws: `StorageError.foreignKeyViolation` if one is in use.
    package static func removeAll(of owner: PersonID, in tx: Transaction) throws {
        while true {
            let page = try PictureStore.page(of: owner, after: nil, limit: Limits.pageSizeMaximum, in: tx)
            guard !page.isEmpty else { return }
            for picture in page { try remove(picture.id, in: tx) }
        }
    }
}

extension PictureLibrary {
    /// Returns the picture of a repeated upload.
    private func earlier(_ idempotency: IdempotencyScope?, owner: PersonID) async throws -> Picture? {
        guard let idempotency,
            let id = try await database.read({ tx in try tx.earlier(idempotency) })
        else { return nil }
        return try await own(id, owner: owner)
    }

    private func own(_ text: String, owner: PersonID) async throws -> Picture {
        guard let id = ID<Picture>(text) else { throw AppError.notFound }
        return try await picture(id, for: owner)
    }

    private func requireSpace(_ owner: PersonID, in tx: Transaction) throws {
        guard try PictureStore.count(of: owner, in: tx) < quotas.quota(of: owner, in: tx).pictures else {
            let message = PictureMessage.libraryFull.text
            throw AppError(.conflict, message, fields: ["picture": message])
        }
    }

    private func render(_ bytes: [UInt8], of owner: PersonID) async throws -> RenderedPicture {
        do {
            return try await worker.render(bytes, for: owner.description)
        } catch let refusal as PictureError {
            throw refusal.appError
        } catch let failure as PictureWorker.Failure {
            throw appError(failure)
        }
    }

    private func appError(_ failure: PictureWorker.Failure) -> AppError {
        switch failure {
        case .busy:
            return AppError(.unavailable, "Too many pictures are being worked on. Try again in a moment.")
        case .notStarted(let reason):
            logger.error("The picture worker could not be started", metadata: ["reason": "\(reason)"])
            return AppError(.unavailable, "Pictures can’t be taken at the moment. Try again later.")
        case .timedOut:
            logger.warning("A picture took too long and was refused")
            return PictureError.damaged.appError
        case .died(let status):
            logger.warning("The picture worker ended without an answer", metadata: ["status": "\(status)"])
            return PictureError.damaged.appError
        }
    }

    /// Writes the objects after recording them as garbage, until a row refers to them.
    private func store(_ rendered: RenderedPicture, of id: ID<Picture>) async throws {
        let dueAt = clock.now.adding(seconds: Limits.pictureUploadSeconds)
        try await database.write { tx in try ObjectGarbage.record(PictureObjects.keys(of: id), dueAt: dueAt, in: tx) }
        do {
            for size in PictureSize.allCases {
                try await objects.put(rendered.files[size] ?? [], at: PictureObjects.key(of: id, size))
            }
        } catch let error as ObjectStoreError {
            logger.error("A picture could not be stored", metadata: ["error": "\(error)"])
            throw AppError(.unavailable, "The picture can’t be stored at the moment. Try again later.")
        }
    }
}
