import Kernel
import Storage

/// Sign-in and registration by an identity at a provider.
///
/// An identity consists of a provider's issuer and its subject for the person, never of an email: the same email
/// doesn't prove that it is the same person.
struct ProviderSignInService: Sendable {
    /// Thrown when a concurrent request was faster. The transaction is rolled back and tried again.
    private struct ConcurrentRegistration: Error {}

    let database: Database
    let offers: IdentityOfferService
    let permits: RegistrationPermits
    let takenEmails: TakenEmailThrottle
    let sessions: SessionCreator
    let clock: any WallClock
    let random: any RandomSource

    /// Signs in the owner of a linked identity. Otherwise offers the identity to the account with the same email, or
    /// registers a new account.
    /// - Parameter offerHash: the hash of the code of an offered identity, which is then linked to the account.
    func signIn(
        _ identity: ProvenIdentity, offerHash: [UInt8]?, device: DeviceInfo, _ newcomer: ProviderNewcomer
    ) async throws -> ProviderOutcome.Result {
        let prepared = PreparedProviderSignIn(identity, newcomer, now: clock.now, random: random)
        for _ in 0..<Limits.transactionAttempts {
            do {
                return try await database.write { tx in
                    try signIn(identity, prepared, offerHash: offerHash, device: device, in: tx)
                }
            } catch let error as AppError where error.code == .forbidden {
                return .refused(ProviderRejection(error))
            } catch is ConcurrentRegistration {
                // The next try finds the rows of the other request.
                continue
            }
        }
        throw AppError(.unavailable, .busy)
    }

    private func signIn(
        _ identity: ProvenIdentity, _ prepared: PreparedProviderSignIn, offerHash: [UInt8]?, device: DeviceInfo,
        in tx: Transaction
    ) throws -> ProviderOutcome.Result {
        let now = prepared.now
        if let person = try IdentityStore.person(identity, in: tx) {
            let signedIn = try openSession(of: person, prepared, device, in: tx)
            let linked = try offerHash.flatMap { try offers.accept($0, by: person, now: now, in: tx) }
            return .signedIn(signedIn, linked: linked)
        }
        if let email = prepared.email, let account = try AccountStore.claimant(emailKey: email.key, now: now, in: tx) {
            try offer(identity, to: account, email, prepared, in: tx)
            return .offered(code: prepared.offer)
        }
        try register(identity, prepared, in: tx)
        return .signedIn(try openSession(of: prepared.account.id, prepared, device, in: tx), linked: nil)
    }

    /// Offers the identity to the owner of the account with its email.
    private func offer(
        _ identity: ProvenIdentity, to account: Account, _ email: EmailAddress, _ prepared: PreparedProviderSignIn,
        in tx: Transaction
    ) throws {
        let now = prepared.now
        // On PostgreSQL each read may see more than the one before. The account may belong to the same person, who
        // came twice and got it in between.
        guard try IdentityStore.person(identity, in: tx) == nil else { throw ConcurrentRegistration() }
        // A caller who can claim any email would learn from the response who has an account here.
        if !identity.isEmailVerified {
            let requester = TakenEmailRequester(network: prepared.newcomer.network)
            try takenEmails.count(email.key, by: requester, now: now, in: tx)
        }
        let expiry = now.adding(seconds: Limits.providerAttemptSeconds)
        try IdentityStore.insertOffer(
            identity, to: account.id, codeHash: Token.hash(prepared.offer), expiresAt: expiry, in: tx)
    }

    /// Inserts the new account with its identity.
    private func register(
        _ identity: ProvenIdentity, _ prepared: PreparedProviderSignIn, in tx: Transaction
    ) throws {
        let account = prepared.account
        let email = prepared.email
        let permit = try permits.permit(prepared.newcomer, now: prepared.now, in: tx)
        guard
            try AccountStore.insert(account, emailKey: email?.key, password: nil, permit: permit, in: tx),
            try IdentityStore.insert(identity, of: account.id, now: prepared.now, in: tx)
        else { throw ConcurrentRegistration() }
        let verifiedAt = identity.isEmailVerified && email != nil ? prepared.now : nil
        try AccountStore.recordProvider(of: account.id, emailVerifiedAt: verifiedAt, in: tx)
    }

    private func openSession(
        of person: PersonID, _ prepared: PreparedProviderSignIn, _ device: DeviceInfo, in tx: Transaction
    ) throws -> SignedIn {
        try sessions.openSession(
            of: person, device: device, token: prepared.token, sessionID: prepared.session, by: .provider,
            now: prepared.now, in: tx)
    }
}

extension ProviderRejection {
    /// The reason for which a sign-in or a registration is forbidden.
    fileprivate init(_ error: AppError) {
        self =
            switch error {
            case .accountDisabled: .disabled
            case AppError(.forbidden, .invitationNeeded), AppError(.forbidden, .invitationInvalid): .uninvited
            default: .closed
            }
    }
}
