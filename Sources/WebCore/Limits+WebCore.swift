package import Kernel

extension Limits {
    /// Pages and page fragments that a browser stores per account for offline use.
    package static let offlinePages = 120
    /// Pictures that a browser stores per account for offline use.
    package static let offlinePictures = 150

    /// Entries of a list page when the client gives no number.
    package static let pageSizeDefault = 50
    /// Bytes of a request's path, percent-encoded.
    package static let pathBytes = 2 * 1024
    /// Bytes of a request's query, percent-encoded.
    package static let queryBytes = 16 * 1024
    /// Bytes of a request body that isn't a picture.
    package static let bodyBytes = 256 * 1024
    /// Bytes of an oversized body that are read and discarded so that the client receives the response.
    package static let discardedBytes = 64 * 1024 * 1024
    /// Events a live stream may lag behind before it is dropped.
    package static let liveBuffer = 256
    /// Live streams that an event loop writes to before it serves other connections.
    package static let liveWritesAtOnce = 256
    /// Live streams of one account at once.
    package static let liveStreamsPerAccount = 20
    /// Live streams from one network at once: a tenth of ``liveListeners``, so that one network can't use them all.
    package static let liveStreamsPerNetwork = 1_000
    /// Seconds between two heartbeats of a live stream.
    package static let liveHeartbeatSeconds = 15
    /// Events read from the outbox at once.
    package static let outboxBatch = 1_000
    /// Bytes of an idempotency key.
    package static let idempotencyKeyBytes = 200
    /// Bytes of a list's cursor.
    package static let cursorBytes = 400
    /// Fields of a form or query, or keys of one JSON object.
    package static let formFields = 500
    /// Parts of a multipart body.
    package static let multipartParts = 32
    /// Bytes of the headers of one part of a multipart body.
    package static let multipartHeaderBytes = 8 * 1024
    /// Bytes before the first delimiter of a multipart body, and after its end. Clients send a line end at most.
    package static let multipartIgnoredBytes = 1024
    /// Blanks after a delimiter of a multipart body.
    package static let multipartBlanks = 256
    /// Bytes of a multipart field that is not a file.
    package static let multipartFieldBytes = 64 * 1024
    /// Combinations of route and status that the metrics count separately.
    package static let metricSeries = 4_000
    /// Concurrent listeners of live streams, over all accounts.
    package static let liveListeners = 10_000

    /// Bytes of a body that is read and processed on a connection's event loop.
    package static let loopBodyBytes = 4_096
}
