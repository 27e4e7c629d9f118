/// A key for buckets. It never shows in a description, and so in no log.
package struct S3Credentials: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// The public part.
    let accessKey: String
    let secretKey: String
    /// Goes with keys that are lent for a while.
    let sessionToken: String?

    /// Makes credentials.
    /// - Parameter sessionToken: goes with a key that is lent for a while; `nil` for others.
    package init(accessKey: String, secretKey: String, sessionToken: String? = nil) {
        self.accessKey = accessKey
        self.secretKey = secretKey
        self.sessionToken = sessionToken
    }

    /// Says nothing of the content.
    package var description: String { "S3Credentials(…)" }
    /// Says nothing of the content.
    package var debugDescription: String { description }
    /// Says nothing of the content.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
