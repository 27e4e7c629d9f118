/// The values sent with a change of the email.
struct EmailProof: Sendable {
    let evidence: Evidence
    /// `nil` where no mail is sent: the address takes effect at once.
    let codes: EmailCodes?
    /// The language of mails, unless the account has one.
    let language: String
}
