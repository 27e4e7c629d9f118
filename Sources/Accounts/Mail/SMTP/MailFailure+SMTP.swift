import CCurl

extension MailFailure {
    /// The failure of an SMTP session.
    /// - Parameters:
    ///   - code: libcurl's result.
    ///   - hasCredentials: whether a user name and a password are set.
    init(_ code: CURLcode, _ session: SMTPSession, hasCredentials: Bool) {
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_CONNECT: self.init(.serverUnreachable)
        case CURLE_OPERATION_TIMEDOUT: self.init(.serverTimedOut)
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR:
            self.init(.certificateUntrusted)
        case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER: self.init(.encryptionMissing)
        default:
            let refusal = session.reply.flatMap { $0.code >= 400 ? $0 : nil }
            switch (code, refusal) {
            case (CURLE_USE_SSL_FAILED, let refusal?) where refusal.code < 500:
                self.init(.refusedForNow, reply: refusal)
            case (CURLE_USE_SSL_FAILED, let refusal): self.init(.encryptionMissing, reply: refusal)
            // Without a reply: no method of authentication that both sides know.
            case (CURLE_LOGIN_DENIED, nil): self.init(.credentialsUnsupported)
            case (_, nil): self.init(.replyInvalid)
            case (_, let refusal?):
                let isUnauthenticated = hasCredentials && !session.hasAuthenticated
                self.init(Self.message(of: refusal, at: session.stage, isUnauthenticated), reply: refusal)
            }
        }
    }

    private static func message(
        of reply: MailReply, at stage: SMTPSession.Stage, _ isUnauthenticated: Bool
    ) -> MailMessage {
        guard reply.code >= 500 else { return .refusedForNow }
        switch reply.code {
        // RFC 4954, 6: authentication required, too weak, wrong, or possible only with encryption.
        case 530, 534, 535, 538: return isUnauthenticated ? .credentialsUnsupported : .credentialsRefused
        default: break
        }
        switch stage {
        case .greeting, .hello: return .refusedForNow
        case .encryption: return .encryptionMissing
        case .authentication: return .credentialsRefused
        // A server that doesn't know the client refuses each recipient. That is no fault of this one.
        case .sender: return isUnauthenticated ? .credentialsUnsupported : .senderRefused
        case .recipient: return isUnauthenticated ? .credentialsUnsupported : .recipientRefused
        case .content: return isUnauthenticated ? .credentialsUnsupported : .contentRefused
        }
    }
}
