import CCurl
import Kernel
import Synchronization

/// One connection to a mail server: for a mail, or only to sign in. libcurl speaks SMTP.
final class SMTPTransfer: Sendable {
    /// The result of a transfer.
    struct Result: Sendable {
        let code: CURLcode
        let session: SMTPSession
    }

    struct Mail: Sendable {
        /// An address in ASCII.
        let recipient: String
        /// Lines that end with CR LF.
        let message: [UInt8]
    }

    private struct State {
        var session = SMTPSession()
        var sentBytes = 0
        var isCancelled = false
    }

    private let settings: SMTPSettings
    private let mail: Mail?
    private let timeLimits: SMTPTimeLimits
    private let state = Mutex(State())

    /// Starts libcurl once. It isn't safe while other threads use it.
    private static let isStarted = homeward_curl_start() == CURLE_OK

    /// - Parameter mail: `nil` to send none.
    init(_ settings: SMTPSettings, mail: Mail?, timeLimits: SMTPTimeLimits) {
        self.settings = settings
        self.mail = mail
        self.timeLimits = timeLimits
    }

    /// Ends the transfer within a second.
    func cancel() { state.withLock { $0.isCancelled = true } }

    /// Connects, signs in and sends the mail, if any. Blocks the thread.
    func perform() -> Result {
        guard Self.isStarted, let handle = curl_easy_init() else { return result(CURLE_FAILED_INIT) }
        defer { curl_easy_cleanup(handle) }
        let recipients = mail.flatMap { curl_slist_append(nil, "<\($0.recipient)>") }
        defer { curl_slist_free_all(recipients) }
        let code = withExtendedLifetime(self) {
            let isSet =
                setAddress(handle) && setEncryption(handle) && setLimits(handle) && setCallbacks(handle)
                && setContent(handle) && homeward_curl_set_list(handle, CURLOPT_MAIL_RCPT, recipients) == CURLE_OK
            return isSet ? curl_easy_perform(handle) : CURLE_FAILED_INIT
        }
        return result(code)
    }

    private func result(_ code: CURLcode) -> Result { Result(code: code, session: state.withLock(\.session)) }

    private func setAddress(_ handle: UnsafeMutableRawPointer) -> Bool {
        let server = settings.server
        let scheme = server.encryption == .implicit ? "smtps" : "smtp"
        // The path is the name of the greeting.
        var texts: [(CURLoption, String)] = [
            (CURLOPT_URL, "\(scheme)://\(server.host):\(server.port)/\(settings.clientName)"),
            (CURLOPT_PROTOCOLS_STR, "smtp,smtps"), (CURLOPT_MAIL_FROM, "<\(settings.sender)>"),
            // Without it, the environment would choose one.
            (CURLOPT_PROXY, ""),
        ]
        if let credentials = server.credentials {
            texts += [(CURLOPT_USERNAME, credentials.user), (CURLOPT_PASSWORD, credentials.password)]
        }
        return texts.allSatisfy { homeward_curl_set_text(handle, $0, $1) == CURLE_OK }
    }

    private func setEncryption(_ handle: UnsafeMutableRawPointer) -> Bool {
        let use = settings.server.encryption == .none ? CURLUSESSL_NONE : CURLUSESSL_ALL
        // 2: the certificate must be for the host.
        let numbers: [(CURLoption, Int)] = [
            (CURLOPT_USE_SSL, Int(use.rawValue)), (CURLOPT_SSL_VERIFYPEER, 1), (CURLOPT_SSL_VERIFYHOST, 2),
            (CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2)),
        ]
        guard numbers.allSatisfy({ homeward_curl_set_long(handle, $0, $1) == CURLE_OK }) else { return false }
        guard let file = settings.authoritiesFile else { return true }
        // Also no folder: only the file's authorities count.
        return homeward_curl_set_text(handle, CURLOPT_CAINFO, file) == CURLE_OK
            && homeward_curl_set_text(handle, CURLOPT_CAPATH, nil) == CURLE_OK
    }

    private func setLimits(_ handle: UnsafeMutableRawPointer) -> Bool {
        let numbers: [(CURLoption, Int)] = [
            (CURLOPT_NOSIGNAL, 1), (CURLOPT_CONNECTTIMEOUT, timeLimits.connectSeconds),
            (CURLOPT_SERVER_RESPONSE_TIMEOUT, timeLimits.replySeconds), (CURLOPT_TIMEOUT, timeLimits.totalSeconds),
            (CURLOPT_FORBID_REUSE, 1), (CURLOPT_FOLLOWLOCATION, 0), (CURLOPT_NOPROGRESS, 0), (CURLOPT_VERBOSE, 1),
        ]
        return numbers.allSatisfy { homeward_curl_set_long(handle, $0, $1) == CURLE_OK }
    }

    /// Without a mail, the command after signing in is one that does nothing (RFC 5321, 4.1.1.9).
    private func setContent(_ handle: UnsafeMutableRawPointer) -> Bool {
        guard let mail else {
            return homeward_curl_set_long(handle, CURLOPT_NOBODY, 1) == CURLE_OK
                && homeward_curl_set_text(handle, CURLOPT_CUSTOMREQUEST, "NOOP") == CURLE_OK
        }
        return homeward_curl_set_long(handle, CURLOPT_UPLOAD, 1) == CURLE_OK
            && homeward_curl_set_size(handle, CURLOPT_INFILESIZE_LARGE, curl_off_t(mail.message.count)) == CURLE_OK
    }

    private func setCallbacks(_ handle: UnsafeMutableRawPointer) -> Bool {
        let context = Unmanaged.passUnretained(self).toOpaque()
        let contexts = [CURLOPT_READDATA, CURLOPT_HEADERDATA, CURLOPT_XFERINFODATA, CURLOPT_DEBUGDATA]
        return contexts.allSatisfy { homeward_curl_set_context(handle, $0, context) == CURLE_OK }
            && homeward_curl_set_read(handle) { buffer, size, count, context in
                guard let buffer, let context else { return 0 }
                return SMTPTransfer.of(context).read(
                    into: UnsafeMutableRawBufferPointer(start: buffer, count: size * count))
            } == CURLE_OK
            && homeward_curl_set_header(handle) { line, size, count, context in
                guard let line, let context else { return 0 }
                let bytes = UnsafeRawBufferPointer(start: line, count: size * count)
                return SMTPTransfer.of(context).received(bytes) ? bytes.count : 0
            } == CURLE_OK
            && homeward_curl_set_progress(handle) { context, _, _, _, _ in
                guard let context else { return 1 }
                return SMTPTransfer.of(context).isCancelled ? 1 : 0
            } == CURLE_OK
            // libcurl's only report of the commands that it sends. It is never logged.
            && homeward_curl_set_debug(handle) { _, type, line, count, context in
                guard type == CURLINFO_HEADER_OUT, let line, let context else { return 0 }
                SMTPTransfer.of(context).sent(UnsafeRawBufferPointer(start: line, count: count))
                return 0
            } == CURLE_OK
    }

    private static func of(_ context: UnsafeMutableRawPointer) -> SMTPTransfer {
        Unmanaged<SMTPTransfer>.fromOpaque(context).takeUnretainedValue()
    }

    private var isCancelled: Bool { state.withLock(\.isCancelled) }

    private func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        guard let message = mail?.message else { return 0 }
        return state.withLock { state in
            let piece = message[state.sentBytes...].prefix(buffer.count)
            buffer.copyBytes(from: piece)
            state.sentBytes += piece.count
            return piece.count
        }
    }

    private func sent(_ line: UnsafeRawBufferPointer) { state.withLock { $0.session.sent(line) } }

    /// - Returns: false if the server's replies are too long.
    private func received(_ line: UnsafeRawBufferPointer) -> Bool {
        state.withLock { state in
            state.session.received(line)
            return !state.session.isTooLong
        }
    }
}

/// The time limits of one mail, in seconds.
struct SMTPTimeLimits: Sendable {
    /// Until the server has accepted the user name and the password.
    var connectSeconds = Limits.smtpConnectSeconds
    /// From a command to its reply.
    var replySeconds = Limits.smtpReplySeconds
    /// From the start to the reply to the mail's content.
    var totalSeconds = Limits.smtpSeconds
}
