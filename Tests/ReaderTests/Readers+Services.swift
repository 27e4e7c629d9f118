import WebCore
@testable import Accounts
@testable import Kernel
@testable import MapServices
@testable import Objects
@testable import Server

/// Responses of other servers, and what authenticators and browsers sign.
extension OutsideReader {
    private static let list = "<ListBucketResult><IsTruncated>false</IsTruncated><Contents><Key>"

    static let services: [OutsideReader] = [
        OutsideReader(
            "provider's documents", "Accounts/OpenID/ProviderDocumentReader.swift",
            "Accounts/OpenID/ProviderKeys.swift",
            "Accounts/OpenID/ProviderTokenClient.swift", "Accounts/OpenID/ProviderIdentityVerifier.swift",
            "Kernel/JSONSyntax.swift", limit: Limits.providerResponseBytes,
            frames: [("", ""), ("{\"keys\":[", "{}]}"), ("{\"issuer\":\"", "\"}"), ("{\"", "\":1}")]
        ) { bytes in
            _ = JSONSyntax.decoded(ProviderMetadata.self, bytes)
            _ = JSONSyntax.decoded(ProviderKeys.self, bytes)
            _ = JSONSyntax.decoded(ProviderTokenClient.TokenResponse.self, bytes)
        },
        text(
            "ID token", "Accounts/OpenID/IDToken.swift", limit: Limits.providerTokenBytes,
            frames: [("", ""), ("", ".a.b")]
        ) { _ = try IDTokenHeader.of($0) },
        text(
            "Apple's user", "Accounts/OpenID/AppleUser.swift", limit: Limits.bodyBytes,
            frames: [("", ""), ("{\"name\":{\"firstName\":\"", "\"}}")]
        ) {
            _ = AppleUser.name($0)
        },
        OutsideReader("CBOR of an authenticator", "Accounts/Passkeys/CBOR.swift", limit: Limits.passkeyAttestationBytes)
        {
            _ = try CBORReader.value(of: $0)
        },
        OutsideReader(
            "data of an authenticator", "Accounts/Passkeys/AuthenticatorData.swift",
            "Accounts/Passkeys/PasskeyKey.swift",
            limit: Limits.passkeyAuthenticatorDataBytes,
            frames: [("", ""), (String(repeating: "a", count: 32) + "A0000", "")]
        ) { _ = try AuthenticatorData($0) },
        OutsideReader(
            "client data of a passkey", "Accounts/Passkeys/ClientData.swift", limit: Limits.passkeyClientDataBytes,
            frames: [("", ""), ("{\"type\":\"a\",\"origin\":\"b\",\"challenge\":\"", "\"}")]
        ) { _ = try ClientData($0) },
        OutsideReader("mail server's reply", fed: "Accounts/Mail/SMTP/SMTPSession.swift", limit: Limits.smtpReplyBytes)
        {
            bytes, pieceBytes in
            var session = SMTPSession()
            var rest = bytes[...]
            while !rest.isEmpty, !session.isTooLong {
                session.received(rest.prefix(pieceBytes))
                rest = rest.dropFirst(pieceBytes)
            }
        },
        OutsideReader(
            "bucket's list", "Objects/S3/S3XMLParser.swift", "Objects/S3/S3ObjectList.swift",
            "Objects/S3/S3KeyDecoding.swift", limit: Limits.bucketListBytes,
            frames: [("", ""), (list, "</Key></Contents></ListBucketResult>"), ("<a b=\"", "\"/>"), ("<!--", "-->")]
        ) { bytes in
            _ = try S3ObjectList(bytes)
        },
        text("bucket's key", "Objects/S3/S3KeyDecoding.swift", limit: Limits.bucketListBytes) {
            _ = S3KeyDecoding.decoded($0)
        },
        OutsideReader(
            "bucket's error", "Objects/S3/S3ErrorDocument.swift", limit: Limits.bucketErrorBytes,
            frames: [("", ""), ("<Error><Code>", "</Code></Error>")]
        ) { _ = S3ErrorDocument.code($0) },
        OutsideReader(
            "geocoder's response", "MapServices/NominatimClient.swift", "MapServices/MapServiceRequest.swift",
            limit: Limits.geocoderBytes, frames: [("", ""), ("{\"address\":{\"a\":\"", "\"}}"), ("[", "{}]")]
        ) { bytes in
            _ = try? NominatimClient.address(bytes)
            _ = try? NominatimClient.places(bytes)
        },
        OutsideReader(
            "router's response", "MapServices/OSRMClient.swift", limit: Limits.routerBytes,
            frames: [("", ""), ("{\"code\":\"Ok\",\"distances\":[[", "0]]}")]
        ) { _ = try OSRMClient.distances($0, count: 10) },
        OutsideReader(
            "newest version", "Server/Updates/ProgramVersion.swift", limit: Limits.updateDocumentBytes,
            frames: [("", ""), ("{\"version\":\"", "\"}"), ("Package: homeward\nVersion: ", "")]
        ) { _ = VersionDocument.newest(in: $0) },
    ]
}
