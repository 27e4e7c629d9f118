import Kernel
import Testing

@testable import Objects

/// The examples in AWS's documentation of its signatures.
@Suite("Signature Version 4")
struct SignatureTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let method: String
        let path: String
        var query: [(name: String, value: String)] = []
        var headers: [(name: String, value: String)] = []
        var bodySHA256 = SignatureTests.nothing
        let signature: String
    }

    static let nothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    private static let text = "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072"

    /// docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html, "Examples: Signature Calculations".
    static let bucketExamples: [Case] = [
        Case(
            testDescription: "GET Object", method: "GET", path: "/test.txt",
            headers: [(name: "Range", value: "bytes=0-9")],
            signature: "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"
        ),
        Case(
            testDescription: "PUT Object", method: "PUT", path: "/test%24file.text",
            headers: [
                (name: "Date", value: "Fri, 24 May 2013 00:00:00 GMT"),
                (name: "x-amz-storage-class", value: "REDUCED_REDUNDANCY"),
            ],
            bodySHA256: text, signature: "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"
        ),
        Case(
            testDescription: "GET Bucket Lifecycle", method: "GET", path: "/", query: [(name: "lifecycle", value: "")],
            signature: "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"
        ),
        Case(
            testDescription: "GET Bucket (List Objects)", method: "GET", path: "/",
            query: [(name: "prefix", value: "J"), (name: "max-keys", value: "2")],
            signature: "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"
        ),
    ]

    @Test("S3's published examples give the published signatures", arguments: bucketExamples)
    func published(example: Case) throws {
        let credentials = S3Credentials(
            accessKey: "AKIAIOSFODNN7EXAMPLE", secretKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"
        )
        let at = try #require(Instant(rfc3339: "2013-05-24T00:00:00Z"))
        let headers =
            example.headers + [
                (name: "Host", value: "examplebucket.s3.amazonaws.com"),
                (name: "x-amz-date", value: "20130524T000000Z"),
                (name: "x-amz-content-sha256", value: example.bodySHA256),
            ]
        let subject = RequestSignature.Subject(
            method: example.method, path: example.path, query: example.query, headers: headers,
            bodySHA256: example.bodySHA256
        )
        let signature = RequestSignature(credentials: credentials, region: "us-east-1")
        #expect(signature.signature(for: subject, at: at) == example.signature)
    }

    /// Requests from AWS's Signature Version 4 test suite (docs.aws.amazon.com), for example `get-vanilla`.
    static let suite: [Case] = [
        Case(
            testDescription: "get-vanilla", method: "GET", path: "/",
            signature: "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"
        ),
        Case(
            testDescription: "get-vanilla-query-order-key-case", method: "GET", path: "/",
            query: [(name: "Param2", value: "value2"), (name: "Param1", value: "value1")],
            signature: "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500"
        ),
        Case(
            testDescription: "post-vanilla", method: "POST", path: "/",
            signature: "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b"
        ),
    ]

    @Test("The test suite's requests give the published signatures", arguments: suite)
    func testSuite(example: Case) throws {
        let credentials = S3Credentials(
            accessKey: "AKIDEXAMPLE", secretKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"
        )
        let at = try #require(Instant(rfc3339: "2015-08-30T12:36:00Z"))
        let subject = RequestSignature.Subject(
            method: example.method, path: example.path, query: example.query,
            headers: [
                (name: "Host", value: "example.amazonaws.com"), (name: "X-Amz-Date", value: "20150830T123600Z"),
            ],
            bodySHA256: example.bodySHA256
        )
        let signature = RequestSignature(credentials: credentials, region: "us-east-1", service: "service")
        #expect(signature.signature(for: subject, at: at) == example.signature)
    }

    @Test("The header has key, day, region and signed headers, and blanks in values are collapsed")
    func header() throws {
        let credentials = S3Credentials(accessKey: "AK", secretKey: "SK")
        let at = try #require(Instant(rfc3339: "2026-03-01T12:00:00.250Z"))
        let subject = RequestSignature.Subject(
            method: "GET", path: "/", headers: [(name: "X-B", value: "  a   b "), (name: "host", value: "h")],
            bodySHA256: Self.nothing
        )
        let header = RequestSignature(credentials: credentials, region: "eu-1").authorization(for: subject, at: at)
        let beginning =
            "AWS4-HMAC-SHA256 Credential=AK/20260301/eu-1/s3/aws4_request,SignedHeaders=host;x-b,Signature="
        #expect(header.hasPrefix(beginning))
        #expect(RequestSignature.canonicalRequest(subject).contains("\nhost:h\nx-b:a b\n\nhost;x-b\n"))
    }

    @Test("Credentials never appear in descriptions")
    func secrecy() {
        let credentials = S3Credentials(accessKey: "AKIA", secretKey: "hidden", sessionToken: "token")
        var dumped = ""
        dump(credentials, to: &dumped)
        for text in ["\(credentials)", String(reflecting: credentials), dumped, "\([credentials])"] {
            #expect(!text.contains("hidden") && !text.contains("AKIA") && !text.contains("token"))
        }
    }

    @Test("Percent-encoding covers all but unreserved characters and can be decoded")
    func encoding() {
        #expect(PercentEncoding.encoded("a-b_c.d~e/f g+ü") == "a-b_c.d~e%2Ff%20g%2B%C3%BC")
        #expect(PercentEncoding.encoded("a/b c", keepingSlashes: true) == "a/b%20c")
        #expect(S3KeyDecoding.decoded("a%2Fb+c%C3%BC") == "a/b cü")
        #expect(S3KeyDecoding.decoded("a%2") == nil)
        #expect(S3KeyDecoding.decoded("a%zz") == nil)
        #expect(S3KeyDecoding.decoded("%ff") == nil)
    }
}
