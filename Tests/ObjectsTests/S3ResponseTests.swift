import Kernel
import Logging
import Testing

@testable import Objects

@Suite("Responses of buckets")
struct S3ResponseTests {
    private func list(_ text: String) throws -> S3ObjectList { try S3ObjectList(Array(text.utf8)) }

    @Test("A list gives its keys and the continuation token")
    func wholeList() throws {
        let answer = try list(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <!-- a remark -->
            <ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>b</Name><Prefix/>
              <IsTruncated>true</IsTruncated><NextContinuationToken>a&lt;b&#65;&#x42;</NextContinuationToken>
              <Contents><Key>one &amp; two</Key><Owner><ID a='>'>x</ID></Owner></Contents>
              <Contents><Key><![CDATA[<three>]]></Key></Contents>
              <CommonPrefixes><Prefix>no/</Prefix></CommonPrefixes></ListBucketResult>
            """
        )
        #expect(answer.keys == ["one & two", "<three>"])
        #expect(answer.next == "a<bAB")
    }

    @Test("Encoded keys are decoded only when the response says that they are encoded")
    func encoded() throws {
        let plain = "<ListBucketResult><IsTruncated>false</IsTruncated><Contents><Key>a%20b</Key></Contents>"
        #expect(try list(plain + "</ListBucketResult>").keys == ["a%20b"])
        let encoded = plain + "<EncodingType>url</EncodingType></ListBucketResult>"
        #expect(try list(encoded).keys == ["a b"])
        #expect(try list(encoded).next == nil)
    }

    static let broken = [
        "", "x", "<a>", "<a></b>", "<a/><b/>", "</a>", "<!DOCTYPE a [<!ENTITY b 'c'>]><a/>", "<a>&b;</a>", "<a>&#0;",
        "<a>&#xD800;</a>", "<a", "<a b='", "<>", "<ListBucketResult/>", "<a>&lt</a>",
        "<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>",
        String(repeating: "<a>", count: 100_000),
    ]

    @Test("An invalid list is rejected", arguments: broken)
    func refused(text: String) {
        #expect(throws: ObjectStoreError.self) { try list(text) }
    }

    @Test("Only letters of a refusal's error code can get into a log")
    func refusal() {
        #expect(S3ErrorDocument.code(Array("<Error><Code>NoSuchKey</Code></Error>".utf8)) == "NoSuchKey")
        #expect(S3ErrorDocument.code(Array("<Error><Code>a\nb c\u{1b}</Code></Error>".utf8)) == "abc")
        #expect(S3ErrorDocument.code(Array("<html>Bad gateway".utf8)) == "")
    }
}

@Suite("The address of an object store")
struct AddressTests {
    private func bucket(_ text: String, region: String? = nil) throws -> S3Bucket {
        guard case .bucket(let bucket) = try ObjectStoreAddress(text, region: region).place else {
            throw ObjectStoreAddress.Problem("no bucket")
        }
        return bucket
    }

    @Test("A folder's address is parsed")
    func folder() throws {
        #expect(try ObjectStoreAddress("folder:/o p").folder == "/o p")
        #expect(try !ObjectStoreAddress("folder:x").isBucket)
    }

    @Test("AWS needs only its region, and the bucket's name is in the host name")
    func aws() throws {
        let plain = try bucket("s3://photos", region: "eu-central-1")
        #expect(plain.host == "photos.s3.eu-central-1.amazonaws.com")
        #expect(plain.scheme == "https")
        #expect(plain.path(of: "a/b c") == "/a/b%20c")
        #expect(try bucket("s3://photos").region == "us-east-1")
        #expect(try bucket("s3://photos?region=us-west-2", region: "x").region == "us-west-2")
        let dotted = try bucket("s3://my.photos")
        #expect(dotted.host == "s3.us-east-1.amazonaws.com")
        #expect(dotted.path(of: nil) == "/my.photos/")
    }

    @Test("Another service needs its endpoint, with the bucket's name in the path by default")
    func endpoint() throws {
        let path = try bucket("s3://b-1/home/ward/?endpoint=https://s3.example:9000")
        #expect(path.host == "s3.example:9000")
        #expect(path.prefix == "home/ward/")
        #expect(path.path(of: "k") == "/b-1/home/ward/k")
        let host = try bucket("s3://bbb?endpoint=https://s3.example:443/&style=host")
        #expect(host.host == "bbb.s3.example")
        #expect(try bucket("s3://bbb?endpoint=http://[::1]:9000").host == "[::1]:9000")
        #expect(try bucket("s3://bbb?endpoint=http://minio:9000&insecure=true").scheme == "http")
    }

    static let wrong = [
        "", "folder:", "/data", "s3:", "s3://", "s3://A", "s3://ab", "s3://a_b", "s3://-ab", "s3://a..b",
        "s3://key:secret@bucket", "s3://bucket:90", "s3://bucket?endpoint=ftp://x", "s3://bucket?endpoint=host",
        "s3://bucket?endpoint=http://minio:9000", "s3://bucket?endpoint=https://h/path", "s3://bucket?regoin=x",
        "s3://bucket?region=a&region=b", "s3://bucket?style=odd", "s3://bucket?region=", "s3://bucket/UP",
        "s3://bucket/a/.b", "https://bucket",
    ]

    @Test("Invalid addresses are rejected", arguments: wrong)
    func refused(text: String) {
        #expect(throws: ObjectStoreAddress.Problem.self) { try ObjectStoreAddress(text) }
    }

    @Test("A bucket without credentials is rejected before any request")
    func noKey() throws {
        let address = try ObjectStoreAddress("s3://bucket")
        #expect(throws: ObjectStoreAddress.Problem.self) { try ObjectStores.open(address, logger: .init(label: "t")) }
    }
}
