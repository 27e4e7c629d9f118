import Crypto
import Kernel
import Storage

/// A new challenge, and the network that requested it.
struct PasskeyChallenge: Sendable {
    private static let byteCount = 32

    let bytes: [UInt8]
    let networkHash: [UInt8]

    init(clientAddress: String, random: any RandomSource) {
        bytes = random.bytes(Self.byteCount)
        networkHash = Token.hash(ClientNetwork.key(clientAddress))
    }
}

/// The client that may respond to a challenge.
enum ChallengeHolder: Sendable {
    /// A signed-in person, in the same session.
    case session(Actor)
    /// The browser with this secret in a cookie.
    case browser(secretHash: [UInt8])

    /// The signed-in person; `nil` before a sign-in.
    var person: PersonID? {
        if case .session(let actor) = self { actor.person } else { nil }
    }
}

/// The purpose of a challenge.
enum ChallengePurpose: Sendable, Equatable {
    case register
    case unlock
    case signIn
    case prove(SensitiveAct)

    var name: String {
        switch self {
        case .register: "register"
        case .unlock: "unlock"
        case .signIn: "sign-in"
        case .prove: "prove"
        }
    }

    /// The act that the proof is for.
    var act: SensitiveAct? {
        if case .prove(let act) = self { act } else { nil }
    }
}

/// The table `passkey_challenge`. It stores only hashes, so its contents can't be used as responses.
enum PasskeyChallengeStore {
    static func insert(
        _ challenge: PasskeyChallenge, for purpose: ChallengePurpose, holder: ChallengeHolder, now: Instant,
        in tx: Transaction
    ) throws {
        var actor: Actor?
        var browserHash: [UInt8]?
        switch holder {
        case .session(let owner):
            actor = owner
            try deleteOldest(of: owner.session, in: tx)
        case .browser(let secretHash): browserHash = secretHash
        }
        try tx.execute(
            """
            INSERT INTO passkey_challenge (
                challenge_hash, purpose, act, account_id, session_id, browser_hash, network_hash, expires_at
            ) VALUES (
                \(hash(challenge.bytes)), \(purpose.name), \(purpose.act?.rawValue), \(actor?.person),
                \(actor?.session), \(browserHash), \(challenge.networkHash),
                \(now.adding(seconds: Limits.passkeyChallengeSeconds))
            )
            """
        )
    }

    /// Uses up a challenge. Returns whether it was open, for that purpose and that holder.
    static func consume(
        _ challenge: [UInt8], for purpose: ChallengePurpose, holder: ChallengeHolder, now: Instant, in tx: Transaction
    ) throws -> Bool {
        let binding: SQL =
            switch holder {
            case .session(let actor): "session_id = \(actor.session) AND account_id = \(actor.person)"
            case .browser(let secretHash): "browser_hash = \(secretHash)"
            }
        return try tx.executeCounting(
            """
            DELETE FROM passkey_challenge
            WHERE challenge_hash = \(hash(challenge)) AND purpose = \(purpose.name)
                AND COALESCE(act, '') = \(purpose.act?.rawValue ?? "") AND expires_at > \(now) AND \(sql: binding)
            """
        ) == 1
    }

    /// Returns the number of open challenges of a network, without those of signed-in sessions.
    static func count(networkHash: [UInt8], now: Instant, in tx: Transaction) throws -> Int {
        let row = try tx.row(
            """
            SELECT COUNT(*) AS challenges FROM passkey_challenge
            WHERE network_hash = \(networkHash) AND session_id IS NULL AND expires_at > \(now)
            """
        )
        return try row?.get("challenges") ?? 0
    }

    /// Deletes the challenges of all sessions of an account.
    static func deleteAll(of person: PersonID, in tx: Transaction) throws {
        try tx.execute("DELETE FROM passkey_challenge WHERE account_id = \(person)")
    }

    static func deleteExpired(now: Instant, in tx: Transaction) throws {
        try tx.executeAndWait("DELETE FROM passkey_challenge WHERE expires_at <= \(now)")
    }

    /// Deletes the oldest challenges of a session, so that one more is within the limit.
    private static func deleteOldest(of session: ID<Session>, in tx: Transaction) throws {
        try tx.execute(
            """
            DELETE FROM passkey_challenge WHERE challenge_hash IN (
                SELECT challenge_hash FROM passkey_challenge WHERE session_id = \(session)
                ORDER BY expires_at DESC, challenge_hash LIMIT 1000 OFFSET \(Limits.passkeyChallengesPerSession - 1)
            )
            """
        )
    }

    private static func hash(_ challenge: [UInt8]) -> [UInt8] { Array(SHA256.hash(data: challenge)) }
}
