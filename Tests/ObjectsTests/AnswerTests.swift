import Kernel
import Logging
import Testing

@testable import Objects

@Suite("What buckets answer")
struct AnswerTests {
    private func list(_ text: String) throws -> BucketList { try BucketList(Array(text.utf8)) }

    @Test("a list's keys, and how to go on")
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

    @Test("encoded keys are decoded only where the answer says that they are")
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

    @Test("what is no list is told so", arguments: broken)
    func refused(text: String) {
        #expect(throws: ObjectStoreError.self) { try list(text) }
    }

    @Test("a refusal's word is taken from it, and nothing else can get into a log")
    func refusal() {
        #expect(BucketRefusal.code(Array("<Error><Code>NoSuchKey</Code></Error>".utf8)) == "NoSuchKey")
        #expect(BucketRefusal.code(Array("<Error><Code>a\nb c\u{1b}</Code></Error>".utf8)) == "abc")
        #expect(BucketRefusal.code(Array("<html>Bad gateway".utf8)) == "")
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

    @Test("a folder")
    func folder() throws {
        #expect(try ObjectStoreAddress("folder:/o p").folder == "/o p")
        #expect(try !ObjectStoreAddress("folder:x").isBucket)
    }

    @Test("AWS by its region alone, with the bucket's name before the host")
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

    @Test("another service by its endpoint, with the bucket's name in the path unless told otherwise")
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

    @Test("what can't be meant is refused", arguments: wrong)
    func refused(text: String) {
        #expect(throws: ObjectStoreAddress.Problem.self) { try ObjectStoreAddress(text) }
    }

    @Test("a bucket without a key is refused before anything is sent")
    func noKey() throws {
        let address = try ObjectStoreAddress("s3://bucket")
        #expect(throws: ObjectStoreAddress.Problem.self) { try ObjectStores.open(address, logger: .init(label: "t")) }
    }
}
