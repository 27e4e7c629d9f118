import Kernel
import Testing
import TrackerProtocol

@Suite("Finder tokens") struct FinderTokenTests {
    private let server: KeyPair
    private let meeting: ChannelPairFixture

    init() throws {
        server = try KeyPair(privateKey: [UInt8](repeating: 42, count: 32))
        meeting = try ChannelPairFixture()
    }

    private func token(at now: Instant = noon, of meeting: ChannelPairFixture? = nil) throws -> [UInt8] {
        let address = (meeting ?? self.meeting).tracker.finderAddress(
            at: now, server: "https://home.example", finderKey: server.publicKey
        )
        let text = try #require(address?.split(separator: "=", maxSplits: 1).last)
        return try #require(FinderToken.bytes(String(text)))
    }

    @Test("The server reads the tracker and time of a token and verifies its origin") func opens() throws {
        let token = try FinderToken(token(at: noon.adding(seconds: 7)), for: server)
        #expect(token.tracker == meeting.id)
        #expect(token.at == noon.adding(seconds: 7))
        #expect(token.isGenuine(for: meeting.keys))
    }

    @Test("Two tokens of one tracker can't be linked, even of the same moment") func unlinkable() throws {
        let (first, second) = (try token(), try token())
        #expect(first != second)
        #expect(zip(first, second).filter { $0 == $1 }.count < 16)
        #expect(try FinderToken(first, for: server) == FinderToken(second, for: server))
    }

    @Test("An altered, truncated or extended token is rejected at any byte") func altered() throws {
        let good = try token()
        for index in good.indices {
            var bad = good
            bad[index] ^= 1
            #expect(throws: FinderToken.Failure.self, "byte \(index)") { try FinderToken(bad, for: server) }
        }
        for bad in [[], Array(good.dropLast()), good + [0]] {
            #expect(throws: FinderToken.Failure.self) { try FinderToken(bad, for: server) }
        }
    }

    @Test("Another server can't read a token, and another tracker's keys don't verify it") func otherKeys() throws {
        let other = try KeyPair(privateKey: [UInt8](repeating: 43, count: 32))
        #expect(throws: FinderToken.Failure.self) { try FinderToken(token(), for: other) }
        #expect(try !FinderToken(token(), for: server).isGenuine(for: ChannelPairFixture(seed: 2).keys))
    }

    @Test("A tracker's id alone is not enough to forge a token") func impersonated() throws {
        let forger = TrackerChannel(tracker: meeting.id, keys: try ChannelPairFixture(seed: 2).keys)
        let address = try #require(
            forger.finderAddress(at: noon, server: "", finderKey: server.publicKey)?.split(separator: "=").last
        )
        let token = try FinderToken(try #require(FinderToken.bytes(String(address))), for: server)
        #expect(token.tracker == meeting.id)
        #expect(!token.isGenuine(for: meeting.keys))
    }

    @Test("The URL fits into one packet of any phone") func size() throws {
        let address = meeting.tracker.finderAddress(
            at: noon, server: "https://homeward.example.org", finderKey: server.publicKey
        )
        let text = try #require(address)
        #expect(text.hasPrefix("https://homeward.example.org/found?e="))
        #expect(text.utf8.count + 2 <= 182)
        #expect(text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f })
    }

    @Test("A valid time and key are required") func none() {
        let tracker = meeting.tracker
        #expect(tracker.finderAddress(at: noon, server: "", finderKey: [1, 2, 3]) == nil)
        let early = Instant(millisecondsSince1970: 0)
        #expect(tracker.finderAddress(at: early, server: "", finderKey: server.publicKey) == nil)
        for text in ["", "nothing", String(repeating: "=", count: 112), String(repeating: "ä", count: 56)] {
            #expect(FinderToken.bytes(text).map { $0.count == FinderToken.length } != true)
        }
    }
}
