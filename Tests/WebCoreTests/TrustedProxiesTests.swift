import HTTPTypes
import Testing

@testable import WebCore

@Suite("Reverse proxies")
struct TrustedProxiesTests {
    /// The headers of a request, and the client that they name.
    struct Named: CustomTestStringConvertible, Sendable {
        var trusted = "127.0.0.1"
        var peer = "127.0.0.1"
        var forwardedFor: String?
        var forwarded: String?
        let client: String
        var source = ClientAddressSource.proxy
        var testDescription: String { "\(forwardedFor ?? "-") | \(forwarded ?? "-")" }
    }

    private func expect(_ named: Named) throws {
        let proxies = try TrustedProxies(named.trusted)
        let headers = ForwardedHeaders(xForwardedFor: named.forwardedFor, forwarded: named.forwarded)
        let client = proxies.client(peer: named.peer, headers)
        #expect(client == TrustedProxies.Client(address: named.client, source: named.source))
    }

    @Test(
        "X-Forwarded-For is read from trusted proxies only, up to the first address that isn't one",
        arguments: [
            Named(trusted: "", peer: "9.9.9.9", forwardedFor: "1.2.3.4", client: "9.9.9.9", source: .untrustedProxy),
            Named(peer: "9.9.9.9", forwardedFor: "1.2.3.4", client: "9.9.9.9", source: .untrustedProxy),
            Named(peer: "9.9.9.9", forwarded: "for=1.2.3.4", client: "9.9.9.9", source: .untrustedProxy),
            Named(forwardedFor: "1.2.3.4", client: "1.2.3.4"),
            Named(forwardedFor: nil, client: "127.0.0.1", source: .connection),
            Named(forwardedFor: "6.6.6.6, 1.2.3.4", client: "1.2.3.4"),
            Named(trusted: "127.0.0.1,10.0.0.0/8", forwardedFor: "6.6.6.6, 1.2.3.4, 10.1.2.3", client: "1.2.3.4"),
            Named(trusted: "127.0.0.1,10.0.0.0/8", forwardedFor: "10.1.2.4, 10.1.2.3", client: "10.1.2.4"),
            Named(trusted: "::1,fd00::/8", peer: "fd00::1", forwardedFor: "2001:db8::7", client: "2001:db8::7"),
            Named(peer: "::ffff:127.0.0.1", forwardedFor: "1.2.3.4", client: "1.2.3.4"),
            Named(trusted: "fe80::/10", peer: "fe80::1%eth0", forwardedFor: "1.2.3.4", client: "1.2.3.4"),
        ])
    func proxies(named: Named) throws { try expect(named) }

    @Test(
        "An address in X-Forwarded-For can have a port, brackets, quotes, a zone, and blanks around it",
        arguments: [
            ("198.51.100.7:51000", "198.51.100.7"), ("[2001:db8::1]:443", "2001:db8::1"),
            ("[2001:db8::1]", "2001:db8::1"), ("2001:DB8:0:0::1", "2001:db8::1"),
            ("\"[2001:db8::1]:443\"", "2001:db8::1"),
            ("\"198.51.100.7\"", "198.51.100.7"), ("fe80::1%eth0", "fe80::1"),
            ("::1%\(String(repeating: "A", count: 4_000))", "::1"), ("[fe80::1%25eth0]:80", "fe80::1"),
            ("::ffff:198.51.100.7", "198.51.100.7"), ("[::ffff:198.51.100.7]:8080", "198.51.100.7"),
            ("\t198.51.100.7 \t", "198.51.100.7"), ("6.6.6.6,198.51.100.7:1", "198.51.100.7"),
            // Empty elements of a list are ignored (RFC 9110, 5.6.1).
            (", 198.51.100.7, ,", "198.51.100.7"),
            // Without brackets, everything is the address.
            ("2001:db8::1:443", "2001:db8::1:443"),
        ])
    func forms(entry: String, client: String) throws { try expect(Named(forwardedFor: entry, client: client)) }

    @Test(
        "An entry that names no address ends the search, and the proxy counts as the client",
        arguments: [
            "nonsense", "unknown", "_hidden", "1.2.3.4, unknown", "1.2.3.4, _SEVKISEK:_p", "1.2.3.4.5", "1.2.3.4:99x",
            "1.2.3.4:", "1.2.3.4:123456", "[1.2.3.4]:80", "[2001:db8::1", "2001:db8::1]", "\"1.2.3.4", "0x7f.1",
            "127.1", "010.0.0.1", "2130706433", "localhost", "[::1]x:80",
        ])
    func noAddress(entry: String) throws {
        try expect(Named(forwardedFor: entry, client: "127.0.0.1", source: .connection))
        try expect(Named(forwarded: "for=\(entry)", client: "127.0.0.1", source: .connection))
    }

    @Test(
        "Forwarded is read as RFC 7239 defines it",
        arguments: [
            ("for=192.0.2.43", "192.0.2.43"), ("For=\"[2001:db8:cafe::17]:4711\"", "2001:db8:cafe::17"),
            ("for=192.0.2.60;proto=http;by=203.0.113.43", "192.0.2.60"),
            ("for=192.0.2.43, for=198.51.100.17", "198.51.100.17"),
            ("proto=https ; FOR = \"198.51.100.7:80\" ; host=a", "198.51.100.7"),
            ("for=\"_gazonk\", for=1.2.3.4", "1.2.3.4"),
            ("for=\"198\\.51.100.7\"", "198.51.100.7"), ("for=[2001:db8::1]", "2001:db8::1"),
            ("for=2001:db8::1", "2001:db8::1"),
            ("for=1.2.3.4;host=\"a,b;c=\\\"d\"", "1.2.3.4"), ("for=\"1.2.3.4:_port\"", "1.2.3.4"),
        ])
    func forwarded(header: String, client: String) throws { try expect(Named(forwarded: header, client: client)) }

    @Test(
        "What a client wrote at the beginning of Forwarded doesn't change what the proxy appended",
        arguments: [
            "for=\"", "for=6.6.6.6;x=\"", "\"", "\\", "for=\"6.6.6.6\\", "for=6.6.6.6;by=\"\\\"", "for=6.6.6.6,,;;==",
        ])
    func spoofed(start: String) throws {
        for appended in ["for=1.2.3.4", "for=\"1.2.3.4:80\";proto=https", "by=\"[::1]\";for=1.2.3.4;host=\"a\""] {
            try expect(Named(forwarded: "\(start), \(appended)", client: "1.2.3.4"))
        }
    }

    @Test("An entry of Forwarded without one for is no address")
    func ambiguous() throws {
        for header in ["by=1.2.3.4", "for=1.2.3.4;for=5.6.7.8", "for=9.9.9.9, proto=https"] {
            try expect(Named(forwarded: header, client: "127.0.0.1", source: .connection))
        }
    }

    @Test("X-Forwarded-For counts where both headers are present")
    func both() throws {
        try expect(Named(forwardedFor: "1.2.3.4", forwarded: "for=6.6.6.6", client: "1.2.3.4"))
        try expect(Named(forwardedFor: "unknown", forwarded: "for=6.6.6.6", client: "127.0.0.1", source: .connection))
    }

    @Test("Several lines of a header are one list, in their order")
    func lines() throws {
        var fields = HTTPFields()
        for value in ["for=6.6.6.6", "for=\"[2001:db8::1]:80\""] {
            fields.append(HTTPField(name: .forwarded, value: value))
        }
        for value in ["6.6.6.6", "1.2.3.4"] { fields.append(HTTPField(name: .xForwardedFor, value: value)) }
        try expect(Named(forwarded: fields[.forwarded], client: "2001:db8::1"))
        try expect(Named(forwardedFor: fields[.xForwardedFor], client: "1.2.3.4"))
    }

    @Test(
        "The setting accepts addresses and networks in the forms that other programs use",
        arguments: [
            ("10.0.0.0/8", "10.9.9.9", true), ("10.0.0.0/8", "11.0.0.1", false), ("10.0.0.7/8", "10.9.9.9", true),
            ("127.0.0.1 , [::1]", "::1", true), ("127.0.0.1\t10.0.0.0/8", "10.0.0.1", true),
            ("[fd00::]/8", "fd12::1", true), ("[fd00::/8]", "fd12::1", true), ("::ffff:10.0.0.0/104", "10.1.1.1", true),
            ("::ffff:10.0.0.0/104", "11.1.1.1", false), ("10.0.0.1", "::ffff:10.0.0.1", true),
            ("fe80::1%eth0", "fe80::1", true),
            ("0.0.0.0/0", "9.9.9.9", true), ("0.0.0.0/0", "::1", false), ("::/0", "::1", true),
            (",10.0.0.1,,", "10.0.0.1", true),
        ])
    func setting(list: String, address: String, isTrusted: Bool) throws {
        #expect(try TrustedProxies(list).contains(address) == isTrusted)
    }

    @Test(
        "Another entry of the setting is an error that names it",
        arguments: [
            "localhost", "10.0.0.0/33", "1.2.3", "10.0.0.0/x", "::/129", "10.0.0.0/-1", "10.0.0.0/+8", "10.0.0.0/",
            "10.0.0.0/255.0.0.0", "*", "127.0.0.1:8080", "[10.0.0.1]", "::ffff:10.0.0.0/8", "[::1", "127.0.0.1;",
        ])
    func badSetting(entry: String) {
        let failure = #expect(throws: TrustedProxies.UnreadableEntry.self) { try TrustedProxies("10.0.0.1, \(entry)") }
        #expect(failure?.text == entry)
    }
}
