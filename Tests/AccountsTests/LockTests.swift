import Accounts
import Foundation
import Kernel
import Storage
import TestSupport
import Testing

@Suite("The app lock")
struct LockTests {
    /// The number of concurrent guesses. One session is opened for every 20 of them.
    private static let guesses =
        ProcessInfo.processInfo.environment["HOMEWARD_TEST_PASSCODES"].flatMap(Int.init) ?? 60
    private static let right = "271828"

    private func set(_ fixture: AccountsFixture, by person: SignedIn) async throws {
        try await fixture.service.appLocks.setPasscode(Self.right, repeated: Self.right, current: nil, by: person.actor)
    }

    private func fails(_ fixture: AccountsFixture, _ person: SignedIn, times: Int) async throws {
        for _ in 0..<times {
            let error = try await refusal {
                try await fixture.service.sessionLocks.unlock(person.actor, passcode: "000000")
            }
            #expect(error?.fields.keys.sorted() == ["passcode"])
        }
    }

    private func isLocked(_ fixture: AccountsFixture, _ person: SignedIn) async throws -> Bool {
        try await fixture.service.appLocks.status(person.actor).isLocked
    }

    /// Handles a request as the session middleware does.
    private func ask(
        _ fixture: AccountsFixture, _ person: SignedIn, isLaunch: Bool = false, isActivity: Bool = true,
        at service: AccountServices? = nil
    ) async throws -> Session {
        let service = service ?? fixture.service
        let found = try await service.authenticator.authenticate(token: person.token, kind: person.session.kind)
        let session = try #require(found).session
        return try await service.sessionLocks.touch(session, isLaunch: isLaunch, isActivity: isActivity)
    }

    @Test("A passcode is stored only when both inputs are equal, and only as a hash", arguments: Engine.allCases)
    func setting(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let mia = try await fixture.join()
            let differs = try await refusal {
                try await fixture.service.appLocks.setPasscode(
                    "123456", repeated: "123457", current: nil, by: mia.actor)
            }
            #expect(differs?.fields.keys.sorted() == ["repeat"])
            let malformed = try await refusal {
                try await fixture.service.appLocks.setPasscode("12345", repeated: "12345", current: nil, by: mia.actor)
            }
            #expect(malformed?.fields.keys.sorted() == ["passcode"])
            #expect(try await !fixture.service.appLocks.status(mia.actor).isPasscodeSet)
            try await set(fixture, by: mia)
            #expect(try await fixture.service.appLocks.status(mia.actor).isPasscodeSet)
            let stored: String = try await fixture.database.read { tx in
                try #require(try tx.row("SELECT passcode FROM app_lock")).get("passcode")
            }
            #expect(stored.hasPrefix("$scrypt$"))
            #expect(!stored.contains(Self.right))
        }
    }

    @Test(
        "Replacing or removing the passcode requires the current one, and a wrong one counts",
        arguments: Engine.allCases)
    func current(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let mia = try await fixture.join()
            try await set(fixture, by: mia)
            for current in [nil, ""] {
                let error = try await refusal {
                    try await fixture.service.appLocks.setPasscode(
                        "111111", repeated: "111111", current: current, by: mia.actor)
                }
                #expect(error?.fields.keys.sorted() == ["current"])
                let off = try await refusal {
                    try await fixture.service.appLocks.removePasscode(current: current, by: mia.actor)
                }
                #expect(off?.fields.keys.sorted() == ["current"])
            }
            // A missing passcode doesn't count as a try.
            for _ in 0..<4 {
                try await expectRefusal(.invalid) {
                    try await fixture.service.appLocks.removePasscode(current: "000000", by: mia.actor)
                }
            }
            try await expectRefusal(.throttled) {
                try await fixture.service.appLocks.setPasscode(
                    "111111", repeated: "111111", current: "000000", by: mia.actor)
            }
            try await expectRefusal(.throttled) {
                try await fixture.service.appLocks.removePasscode(current: Self.right, by: mia.actor)
            }
            fixture.clock.advance(seconds: Limits.passcodeWaitSeconds)
            try await fixture.service.appLocks.setPasscode(
                "111111", repeated: "111111", current: Self.right, by: mia.actor)
            try await fixture.service.appLocks.removePasscode(current: "111111", by: mia.actor)
            #expect(try await !fixture.service.appLocks.status(mia.actor).isPasscodeSet)
            try await expectRefusal(.notFound) {
                try await fixture.service.appLocks.removePasscode(current: "111111", by: mia.actor)
            }
        }
    }

    @Test("The fifth wrong passcode in a row starts a wait of ten minutes for all sessions", arguments: Engine.allCases)
    func wait(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let mia = try await fixture.join()
            let script = try await fixture.signIn(from: .script)
            try await set(fixture, by: mia)
            try await fixture.service.sessionLocks.lock(mia.actor)
            try await fails(fixture, mia, times: 2)
            try await fails(fixture, script, times: 2)
            let fifth = try await refusal {
                try await fixture.service.sessionLocks.unlock(mia.actor, passcode: "999999")
            }
            #expect(fifth?.code == .throttled)
            #expect(fifth?.retryAfterSeconds == Int(Limits.passcodeWaitSeconds))
            let checks = fixture.hasher.checks
            let half = Limits.passcodeWaitSeconds / 2
            fixture.clock.advance(seconds: half)
            // Even the right passcode is refused without a check, and by another process too.
            let neighbour = fixture.neighbour()
            for session in [mia, script] {
                let error = try await refusal {
                    try await neighbour.sessionLocks.unlock(session.actor, passcode: Self.right)
                }
                #expect(error?.code == .throttled)
                #expect(error?.retryAfterSeconds == Int(half))
                #expect(try await neighbour.appLocks.status(session.actor).retryAfterSeconds == Int(half))
            }
            #expect(fixture.hasher.checks == checks)
            fixture.clock.advance(seconds: half)
            try await fixture.service.sessionLocks.unlock(mia.actor, passcode: Self.right)
            #expect(try await !isLocked(fixture, mia))
            #expect(try await fixture.service.appLocks.status(mia.actor).retryAfterSeconds == 0)
        }
    }

    @Test("A try that is cancelled before the passcode is verified doesn't count", arguments: Engine.allCases)
    func cancelledTry(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let mia = try await fixture.join()
            try await set(fixture, by: mia)
            for _ in 0..<10 {
                let task = Task {
                    while !Task.isCancelled { await Task.yield() }
                    try await fixture.service.sessionLocks.unlock(mia.actor, passcode: Self.right)
                }
                task.cancel()
                await #expect(throws: CancellationError.self) { try await task.value }
            }
            try await fails(fixture, mia, times: 4)
            try await fixture.service.sessionLocks.unlock(mia.actor, passcode: Self.right)
        }
    }

    @Test("The right passcode resets the wrong tries, and malformed input doesn't count", arguments: Engine.allCases)
    func reset(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let mia = try await fixture.join()
            try await set(fixture, by: mia)
            for _ in 0..<3 {
                try await fails(fixture, mia, times: 4)
                for typed in [nil, "", "12345", "abcdef"] {
                    let error = try await refusal {
                        try await fixture.service.sessionLocks.unlock(mia.actor, passcode: typed)
                    }
                    #expect(error?.code == .invalid)
                }
                try await fixture.service.sessionLocks.unlock(mia.actor, passcode: Self.right)
            }
        }
    }

    @Test("Of many concurrent tries over many sessions and two processes, five are checked", arguments: Engine.allCases)
    func bruteForce(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let mia = try await fixture.join()
            try await set(fixture, by: mia)
            var sessions = [mia]
            for _ in 1..<max(2, Self.guesses / 20) { sessions.append(try await fixture.signIn(from: .script)) }
            let all = sessions
            let services = [fixture.service, fixture.neighbour()]
            for _ in 0..<2 {
                let before = fixture.hasher.checks
                let answers = try await withThrowingTaskGroup(of: AppError?.self) { group in
                    for guess in 0..<Self.guesses {
                        let actor = all[guess % all.count].actor
                        let service = services[guess % 2]
                        let passcode = "\(300_000 + guess)"
                        group.addTask {
                            try await refusal { try await service.sessionLocks.unlock(actor, passcode: passcode) }
                        }
                    }
                    return try await group.reduce(into: [AppError?]()) { $0.append($1) }
                }
                #expect(fixture.hasher.checks - before == Limits.passcodeAttempts)
                #expect(answers.count { $0?.code == .invalid } == Limits.passcodeAttempts - 1)
                #expect(answers.count { $0?.code == .throttled } == Self.guesses - Limits.passcodeAttempts + 1)
                fixture.clock.advance(seconds: Limits.passcodeWaitSeconds)
            }
            try await fixture.service.sessionLocks.unlock(mia.actor, passcode: Self.right)
        }
    }

    @Test(
        "Every process refuses a locked session at once, and other sessions stay unlocked",
        arguments: Engine.allCases)
    func lockNow(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let mia = try await fixture.join()
            let script = try await fixture.signIn(from: .script)
            try await expectRefusal(.conflict) { try await fixture.service.sessionLocks.lock(mia.actor) }
            try await set(fixture, by: mia)
            let neighbour = fixture.neighbour()
            #expect(try await !ask(fixture, script, at: neighbour).isLocked)
            try await fixture.service.sessionLocks.lock(script.actor)
            // Sessions with a passcode are never cached.
            #expect(try await ask(fixture, script, at: neighbour).isLocked)
            #expect(try await ask(fixture, script).isLocked)
            #expect(try await !ask(fixture, mia).isLocked)
            #expect(try await fixture.events().last == "session /account/sessions/\(script.session.id)")
            #expect(try await !fixture.service.authenticator.isOpen(script.session.id, person: mia.account.id))
            try await fixture.service.sessionLocks.lock(script.actor)
            try await fixture.service.sessionLocks.unlock(script.actor, passcode: Self.right)
            #expect(try await !ask(fixture, script, at: neighbour).isLocked)
            #expect(try await fixture.service.authenticator.isOpen(script.session.id, person: mia.account.id))
        }
    }

    @Test("Removing the passcode unlocks every session", arguments: Engine.allCases)
    func turnOff(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let mia = try await fixture.join()
            let script = try await fixture.signIn(from: .script)
            try await set(fixture, by: mia)
            try await fixture.service.sessionLocks.lock(script.actor)
            try await fixture.service.appLocks.removePasscode(current: Self.right, by: mia.actor)
            #expect(try await !ask(fixture, script).isLocked)
            try await expectRefusal(.conflict) {
                try await fixture.service.sessionLocks.unlock(script.actor, passcode: Self.right)
            }
            fixture.clock.advance(seconds: 86_400)
            #expect(try await !ask(fixture, mia, isLaunch: true).isLocked)
        }
    }

    @Test("A browser locks after the chosen time without a request, and a program doesn't", arguments: Engine.allCases)
    func idle(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let mia = try await fixture.join()
            let script = try await fixture.signIn(from: .script)
            fixture.clock.advance(seconds: 86_400)
            try await set(fixture, by: mia)
            fixture.clock.advance(seconds: 299)
            #expect(try await !ask(fixture, mia).isLocked)
            fixture.clock.advance(seconds: 299)
            // The live stream and the lock's own requests don't postpone the lock.
            #expect(try await !ask(fixture, mia, isActivity: false).isLocked)
            fixture.clock.advance(seconds: 1)
            #expect(try await ask(fixture, mia, isActivity: false).isLocked)
            #expect(try await !ask(fixture, script).isLocked)
            try await fixture.service.sessionLocks.unlock(mia.actor, passcode: Self.right)
            try await fixture.service.appLocks.setLockAfter(minutes: 1, by: mia.actor)
            fixture.clock.advance(seconds: 60)
            #expect(try await ask(fixture, mia, at: fixture.neighbour()).isLocked)
            for minutes: Int64? in [nil, 0, -1, 3, 1_441, .max] {
                try await expectRefusal(.invalid) {
                    try await fixture.service.appLocks.setLockAfter(minutes: minutes, by: mia.actor)
                }
            }
        }
    }

    @Test(
        "A session without further requests is locked by the sweep, and its live stream is notified",
        arguments: Engine.allCases)
    func sweep(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let mia = try await fixture.join()
            let ben = try await fixture.join("ben@example.org")
            try await set(fixture, by: mia)
            fixture.clock.advance(seconds: 240)
            let late = try await fixture.signIn()
            try await fixture.service.sessionLocks.lockOverdue()
            #expect(try await !isLocked(fixture, mia))
            fixture.clock.advance(seconds: 60)
            try await fixture.service.sessionLocks.lockOverdue()
            #expect(try await isLocked(fixture, mia))
            #expect(try await !isLocked(fixture, late))
            #expect(try await !isLocked(fixture, ben))
            #expect(try await fixture.events().last == "session /account/sessions/\(mia.session.id)")
        }
    }

    @Test("A new launch locks a browser, and doesn't lock a program", arguments: Engine.allCases)
    func launch(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let mia = try await fixture.join()
            let script = try await fixture.signIn(from: .script)
            #expect(try await !ask(fixture, mia, isLaunch: true).isLocked)
            try await set(fixture, by: mia)
            #expect(try await !ask(fixture, script, isLaunch: true).isLocked)
            #expect(try await ask(fixture, mia, isLaunch: true).isLocked)
        }
    }

    @Test(
        "A later sign-in by password may replace the passcode, unless its session was locked",
        arguments: Engine.allCases)
    func freshReset(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let mia = try await fixture.join()
            try await set(fixture, by: mia)
            #expect(try await !fixture.service.appLocks.status(mia.actor).mayReset)
            try await fails(fixture, mia, times: 4)
            try await expectRefusal(.throttled) {
                try await fixture.service.sessionLocks.unlock(mia.actor, passcode: "000000")
            }
            fixture.clock.advance(seconds: 1)
            let fresh = try await fixture.signIn()
            #expect(try await !isLocked(fixture, fresh))
            #expect(try await fixture.service.appLocks.status(fresh.actor).mayReset)
            try await fixture.service.appLocks.setPasscode("314159", repeated: "314159", current: nil, by: fresh.actor)
            // The new passcode ended the wait, and the session is not fresh for it.
            try await fixture.service.sessionLocks.unlock(mia.actor, passcode: "314159")
            #expect(try await !fixture.service.appLocks.status(fresh.actor).mayReset)
            fixture.clock.advance(seconds: 1)
            let locked = try await fixture.signIn()
            try await fixture.service.sessionLocks.lock(locked.actor)
            try await fixture.service.sessionLocks.unlock(locked.actor, passcode: "314159")
            let error = try await refusal {
                try await fixture.service.appLocks.removePasscode(current: nil, by: locked.actor)
            }
            #expect(error?.fields.keys.sorted() == ["current"])
            let again = try await fixture.signIn()
            try await fixture.service.appLocks.removePasscode(current: nil, by: again.actor)
        }
    }

    @Test("A passkey unlocks, even during the wait", arguments: Engine.allCases)
    func verified(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let mia = try await fixture.join()
            try await set(fixture, by: mia)
            try await fixture.service.sessionLocks.lock(mia.actor)
            try await fails(fixture, mia, times: 4)
            try await expectRefusal(.throttled) {
                try await fixture.service.sessionLocks.unlock(mia.actor, passcode: "000000")
            }
            let now = fixture.clock.now
            try await fixture.database.write { tx in
                try fixture.service.sessionLocks.unlockVerified(mia.actor, now: now, in: tx)
            }
            #expect(try await !isLocked(fixture, mia))
        }
    }

    private func isPasscodeOffered(_ fixture: AccountsFixture, _ person: SignedIn) async throws -> Bool {
        let actor = person.actor
        return try await fixture.database.read { tx in try PasscodeOfferRule.offersPasscode(to: actor, in: tx) }
    }

    @Test("A passcode is offered until one is set or the offer is declined", arguments: Engine.allCases)
    func offer(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let mia = try await fixture.join()
            let ben = try await fixture.join("ben@example.org")
            #expect(try await isPasscodeOffered(fixture, mia))
            try await fixture.service.appLocks.decline(mia.actor)
            try await fixture.service.appLocks.decline(mia.actor)
            #expect(try await !isPasscodeOffered(fixture, mia))
            #expect(try await isPasscodeOffered(fixture, ben))
            try await set(fixture, by: ben)
            #expect(try await !isPasscodeOffered(fixture, ben))
            try await fixture.service.appLocks.removePasscode(current: Self.right, by: ben.actor)
            #expect(try await !isPasscodeOffered(fixture, ben))
        }
    }

    @Test("Children can't set a passcode", arguments: Engine.allCases)
    func children(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let mia = try await fixture.join()
            let child = Actor(person: mia.account.id, session: mia.session.id, role: .child)
            try await expectRefusal(.forbidden) {
                try await fixture.service.appLocks.setPasscode(
                    Self.right, repeated: Self.right, current: nil, by: child)
            }
        }
    }
}
