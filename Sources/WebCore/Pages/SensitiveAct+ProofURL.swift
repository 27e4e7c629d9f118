package import Accounts
import Kernel

extension SensitiveAct {
    /// Returns the URL of the page that asks for a proof, and then continues to `path`.
    package func proofURL(returningTo path: String) -> String {
        "/account/proofs/\(rawValue)?return=" + PercentEncoding.encoded(path)
    }
}
