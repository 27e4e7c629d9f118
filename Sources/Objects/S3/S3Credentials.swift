/// An access key for buckets. Its descriptions omit the content, so that logs never contain it.
package struct S3Credentials: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    let accessKey: String
    let secretKey: String
    /// The token of temporary credentials.
    let sessionToken: String?

    /// Creates credentials.
    /// - Parameter sessionToken: The token of temporary credentials; `nil` for permanent ones.
    package init(accessKey: String, secretKey: String, sessionToken: String? = nil) {
        self.accessKey = accessKey
        self.secretKey = secretKey
        self.sessionToken = sessionToken
    }

    package var description: String { "S3Credentials(…)" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
