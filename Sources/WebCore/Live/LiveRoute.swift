import Accounts
import HTTPTypes
import Hummingbird
import Kernel
import NIOCore
import ServiceLifecycle
import Storage

/// GET /events: server-sent events (WHATWG HTML, 9.2).
struct LiveRoute: Sendable {
    static let path = "/events"
    private static let retryMilliseconds = 2_000
    let web: Web

    @Sendable func stream(_ request: Request, _ context: SignedInContext) async throws -> Response {
        var headers = Responses.privateHeaders(version: nil)
        headers[.contentType] = "text/event-stream"
        headers[.xAccelBuffering] = "no"
        guard request.method == .get else { return Responses.headOfStream(headers) }
        let (listener, plan) = try await begin(context)
        // Otherwise a proxy could use the connection for another request while it is being closed.
        if plan.closesConnection { headers[.connection] = "close" }
        let hub = web.live
        let channel = context.app.channel
        let body = ResponseBody { writer in
            if try await writeBeginning(plan, listener, &writer) {
                if try await listener.open(after: plan.start) { throw StreamOutlivesTask() }
                try await withGracefulShutdownHandler {
                    try await listener.end()
                } onGracefulShutdown: {
                    listener.finish()
                }
            }
            hub.leave(listener)
            try await writer.finish(nil)
            // As the head says: the stream has ended before its connection could outlive the task.
            if plan.closesConnection { try? await channel.close() }
        }
        return Response(status: .ok, headers: headers, body: body)
    }

    /// Ends the task of a connection that stays open (docs/decisions/0081). Nothing else ends it before its connection.
    private struct StreamOutlivesTask: Error {}

    /// The events to send before live ones: the start of the stream, and the missed events.
    private struct Plan: Sendable {
        let start: Int64
        let missed: [LiveEvent]
        let closesConnection: Bool
    }

    private func begin(_ context: SignedInContext) async throws -> (LiveListener, Plan) {
        let channel = context.app.channel
        let listener = try listen(context, on: channel)
        // If the client leaves before the head of the response is written, no body is made whose end would be noticed.
        let hub = web.live
        channel.closeFuture.whenComplete { _ in hub.leave(listener) }
        do {
            let closesConnection = try await listener.watchInput()
            // Listening came first: later events are in the buffer, earlier ones are read now.
            let begun = try await hub.begin()
            // A session may have ended before we listened while it was still cached. No event would report that.
            guard try await web.sessions.isValid(context.session.id, of: context.account.id) else {
                throw NotSignedIn()
            }
            let resumed = context.header(.lastEventID).flatMap(Int64.init).map { max(0, $0) } ?? begun
            let start = try await hub.resumption(from: min(resumed, begun))
            let missed = start < begun ? try await missed(after: start, upTo: begun, context) : []
            return (listener, Plan(start: begun, missed: missed, closesConnection: closesConnection))
        } catch {
            hub.leave(listener)
            throw error
        }
    }

    private func missed(after start: Int64, upTo last: Int64, _ context: SignedInContext) async throws -> [LiveEvent] {
        let missed = try await web.live.missed(after: start, upTo: last, person: context.account.id)
        return context.account.role != .adult ? missed.filter { $0.audience != ChangeEvent.everyone } : missed
    }

    private func listen(_ context: SignedInContext, on channel: any Channel) throws -> LiveListener {
        do {
            return try web.live.listen(
                person: context.account.id, session: context.session.id,
                network: ClientNetwork.key(context.clientAddress), isChild: context.account.role != .adult,
                channel: channel)
        } catch let error as AppError {
            let message =
                error.code == .throttled
                ? context.t("Too many open pages. Close some of them.")
                : context.t("Not possible right now. Try again in a moment.")
            throw AppError(error.code, message, retryAfterSeconds: error.retryAfterSeconds)
        }
    }

    /// Writes what comes before live events.
    /// - Returns: false if the session is over.
    @concurrent
    private func writeBeginning(
        _ plan: Plan, _ listener: LiveListener, _ writer: inout any ResponseBodyWriter
    ) async throws -> Bool {
        try await writer.write(ByteBuffer(string: "retry: \(Self.retryMilliseconds)\n\n"))
        for event in plan.missed {
            try await writer.write(event.bytes)
            if event.isAbout(listener.session), await LiveHub.isOver(listener, web.sessions) { return false }
        }
        // An id alone fires no event, but the browser remembers it. Without it, a stream that breaks off before its
        // first event would start at the present and miss the events in between.
        try await writer.write(ByteBuffer(string: "id: \(plan.start)\n\n"))
        return true
    }
}

extension LiveHub {
    /// The position from which a stream resumes that had read up to `sequence`.
    func resumption(from sequence: Int64) async throws -> Int64 {
        try await database.read { try Outbox.resumption(from: sequence, in: $0) }
    }

    /// A person's events in a range of the outbox, after `start` and up to `last`.
    /// - Parameter last: a position that ``begin()`` returned.
    func missed(after start: Int64, upTo last: Int64, person: PersonID) async throws -> [LiveEvent] {
        var entries: [OutboxEntry] = []
        var position = start
        var entryLimit = 4 * Limits.outboxBatch
        while true {
            let from = position
            let batch = try await database.read { transaction in
                try Outbox.entries(
                    after: from, upTo: last, audience: person, limit: Limits.outboxBatch, in: transaction)
            }
            entries += batch
            // Keeping only the latest entries limits the memory, however long the person was away. The limit doubles
            // with the remaining entries, so that many different resources take linear time.
            if entries.count > entryLimit {
                entries = LiveEvent.latestEntries(of: entries)
                entryLimit = max(entryLimit, 2 * entries.count)
            }
            guard let end = batch.last, batch.count == Limits.outboxBatch else { break }
            position = end.sequence
        }
        return LiveEvent.latest(of: entries)
    }
}
