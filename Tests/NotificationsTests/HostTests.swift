import Kernel
import Testing

@testable import Notifications

@Suite("Allowed endpoints")
struct HostTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let endpoint: String
        let flaw: EndpointError?
        var testDescription: String { endpoint }
    }

    static let cases = [
        Case(endpoint: "https://fcm.googleapis.com/fcm/send/abc:def", flaw: nil),
        Case(endpoint: "https://FCM.googleapis.com/fcm/send/abc", flaw: nil),
        Case(endpoint: "https://fcm.googleapis.com:443/fcm/send/abc", flaw: nil),
        Case(endpoint: "https://updates.push.services.mozilla.com/wpush/v2/abc", flaw: nil),
        Case(endpoint: "https://web.push.apple.com/abc", flaw: nil),
        Case(endpoint: "https://wns2-par02p.notify.windows.com/w/?token=a%2fb", flaw: nil),
        Case(endpoint: "https://push.example.org/abc", flaw: nil),
        Case(endpoint: "https://a.b.example.net/abc", flaw: nil),
        Case(endpoint: "https://example.net/abc", flaw: .unknownHost),
        Case(endpoint: "https://evilexample.net/abc", flaw: .unknownHost),
        Case(endpoint: "https://example.org/abc", flaw: .unknownHost),
        Case(endpoint: "https://fcm.googleapis.com.example.com/abc", flaw: .unknownHost),
        Case(endpoint: "https://notpush.apple.com.example.com/abc", flaw: .unknownHost),
        Case(endpoint: "http://fcm.googleapis.com/abc", flaw: .unusable),
        Case(endpoint: "https://fcm.googleapis.com:8443/abc", flaw: .unusable),
        Case(endpoint: "https://fcm.googleapis.com", flaw: .unusable),
        Case(endpoint: "https://user:secret@fcm.googleapis.com/abc", flaw: .unusable),
        Case(endpoint: "https://example.com\\@fcm.googleapis.com/abc", flaw: .unusable),
        Case(endpoint: "https://fcm.googleapis.com/abc#part", flaw: .unusable),
        Case(endpoint: "https://fcm.googleapis.com/a\r\nX-Other: 1", flaw: .unusable),
        Case(endpoint: "https://127.0.0.1/abc", flaw: .unusable),
        Case(endpoint: "https://2130706433/abc", flaw: .unusable),
        Case(endpoint: "https://0x7f.1/abc", flaw: .unusable),
        Case(endpoint: "https://[::1]/abc", flaw: .unusable),
        Case(endpoint: "https://localhost/abc", flaw: .unusable),
        Case(endpoint: "https://fcm.googleapis.com./abc", flaw: .unusable),
        Case(endpoint: "file:///etc/passwd", flaw: .unusable),
        Case(endpoint: "", flaw: .unusable),
        Case(
            endpoint: "https://fcm.googleapis.com/" + String(repeating: "a", count: 2_048), flaw: .unusable),
    ]

    @Test("An endpoint must be https on a listed host", arguments: cases)
    func endpoints(_ test: Case) throws {
        let hosts = try PushHosts(adding: "push.example.org, *.example.net")
        if let flaw = test.flaw {
            #expect(throws: flaw) { try hosts.check(test.endpoint) }
        } else {
            #expect(throws: Never.self) { try hosts.check(test.endpoint) }
        }
    }

    @Test(
        "Added entries must be host names", arguments: ["10.0.0.1", "[::1]", "https://a.example", "a b.c", "local"])
    func addedHosts(_ entry: String) {
        #expect(throws: PushHosts.Failure.self) { try PushHosts(adding: "push.example.org,\(entry)") }
    }

    @Test(
        "Private and reserved addresses aren't public",
        arguments: [
            "0.0.0.0", "10.1.2.3", "100.64.0.1", "127.0.0.1", "169.254.169.254", "172.16.0.1", "172.31.255.255",
            "192.168.1.1", "198.18.0.1", "224.0.0.1", "255.255.255.255", "::", "::1", "fe80::1", "fd00::1", "ff02::1",
            "::ffff:10.0.0.1", "::ffff:127.0.0.1", "64:ff9b::7f00:1", "2001:db8::1", "2002:7f00:1::", "nonsense", "",
        ])
    func privateAddresses(_ address: String) {
        #expect(!PublicAddress.isPublic(address))
    }

    @Test(
        "Global addresses are public",
        arguments: [
            "1.1.1.1", "100.128.0.1", "172.15.0.1", "172.32.0.1", "192.169.0.1", "142.250.1.95", "2a00:1450:4001::1",
            "::ffff:1.1.1.1", "64:ff9b::101:101",
        ])
    func publicAddresses(_ address: String) {
        #expect(PublicAddress.isPublic(address))
    }
}
