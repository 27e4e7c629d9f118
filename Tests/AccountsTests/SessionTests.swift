import Accounts
import Kernel
import Storage
import TestSupport
import Testing

@Suite("Devices")
struct SessionTests {
    @Test("Sessions are listed in pages, and only those of the person", arguments: Engine.allCases)
    func list(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let mia = try await fixture.join()
            try await fixture.join("ben@example.org")
            fixture.clock.advance(seconds: 5)
            let script = try await fixture.signIn(from: .script)
            let first = try await fixture.service.sessions.list(mia.actor, after: nil, limit: 1)
            #expect(first.items == [mia.session])
            let second = try await fixture.service.sessions.list(mia.actor, after: first.next, limit: 1)
            #expect(second.items == [script.session])
            #expect(second.next == nil)
            let error = try await refusal {
                _ = try await fixture.service.sessions.list(mia.actor, after: "x", limit: 1)
            }
            #expect(error?.fields["after"] != nil)
        }
    }

    @Test("A revoked session ends at once, and another person's session can't be revoked", arguments: Engine.allCases)
    func revoke(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let mia = try await fixture.join()
            let ben = try await fixture.join("ben@example.org")
            let script = try await fixture.signIn(from: .script)
            // After this call the session is cached.
            #expect(try await fixture.isValid(script))
            try await fixture.service.sessions.revoke(script.session.id, by: mia.change)
            #expect(try await !fixture.isValid(script))
            #expect(try await fixture.isValid(mia))
            for id in [ben.session.id, script.session.id] {
                try await expectRefusal(.notFound) { try await fixture.service.sessions.revoke(id, by: mia.change) }
            }
            #expect(try await fixture.isValid(ben))
            #expect(try await fixture.events().last == "session /account/sessions/\(script.session.id)")
        }
    }

    @Test("A repeated revocation has the same result and no effect", arguments: Engine.allCases)
    func idempotentRevoke(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let mia = try await fixture.join()
            let script = try await fixture.signIn(from: .script)
            let scope = IdempotencyScope(
                person: mia.account.id, method: "DELETE", path: "/account/sessions/x", key: "1", bodyDigest: []
            )
            let change = Change(actor: mia.actor, idempotency: scope)
            try await fixture.service.sessions.revoke(script.session.id, by: change)
            try await fixture.service.sessions.revoke(script.session.id, by: change)
        }
    }

    @Test("A revocation by another process takes effect within a second", arguments: Engine.allCases)
    func otherProcess(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let mia = try await fixture.join()
            let script = try await fixture.signIn(from: .script)
            #expect(try await fixture.isValid(script))
            try await fixture.neighbour().sessions.revoke(script.session.id, by: mia.change)
            fixture.clock.advance(milliseconds: Limits.sessionCacheMilliseconds)
            #expect(try await !fixture.isValid(script))
        }
    }

    @Test("Signing out ends only the session of the request", arguments: Engine.allCases)
    func signOut(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let mia = try await fixture.join()
            let script = try await fixture.signIn(from: .script)
            #expect(try await fixture.isValid(mia))
            try await fixture.service.sessions.signOut(mia.actor)
            #expect(try await !fixture.isValid(mia))
            #expect(try await fixture.isValid(script))
            try await fixture.service.sessions.signOut(mia.actor)
        }
    }

    @Test("The time of last use is stored about once an hour", arguments: Engine.allCases)
    func lastUse(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let mia = try await fixture.join()
            let start = fixture.clock.now
            fixture.clock.advance(seconds: Limits.sessionTouchSeconds - 1)
            #expect(try await fixture.isValid(mia))
            #expect(
                try await fixture.service.sessions.list(mia.actor, after: nil, limit: 1).items.first?.lastUsedAt
                    == start)
            fixture.clock.advance(seconds: 1)
            #expect(try await fixture.isValid(mia))
            let used = try await fixture.service.sessions.list(mia.actor, after: nil, limit: 1).items.first?.lastUsedAt
            #expect(used == start.adding(seconds: Limits.sessionTouchSeconds))
        }
    }

    @Test("A session that wasn't used for 400 days is invalid, and is deleted", arguments: Engine.allCases)
    func idle(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let mia = try await fixture.join()
            fixture.clock.advance(seconds: Limits.sessionIdleSeconds)
            #expect(try await !fixture.isValid(mia))
            fixture.clock.advance(seconds: 1)
            try await fixture.service.housekeeping.run()
            #expect(try await fixture.service.sessions.list(mia.actor, after: nil, limit: 1).items.isEmpty)
        }
    }

    @Test("Beyond the limit, the least recently used session is deleted")
    func tooMany() async throws {
        try await withFixture(.sqlite) { fixture in
            let mia = try await fixture.join()
            fixture.clock.advance(seconds: 1)
            var last = mia
            for _ in 0..<Limits.sessionsPerAccount { last = try await fixture.signIn() }
            #expect(try await !fixture.isValid(mia))
            #expect(try await fixture.isValid(last))
            let sessions = try await fixture.service.sessions.list(last.actor, after: nil, limit: 500).items
            #expect(sessions.count == Limits.sessionsPerAccount)
        }
    }
}
