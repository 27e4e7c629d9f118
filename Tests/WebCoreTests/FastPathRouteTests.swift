import HTTPTypes
import Testing

@testable import WebCore

@Suite("Fast paths")
struct FastPathRouteTests {
    @Test(
        "Only a GET with a query of exactly that path takes the fast path",
        arguments: [
            ("/ingest/osmand?id=1&lat=2", .get, "id=1&lat=2"), ("/ingest/osmand?", .get, ""),
            ("/ingest/osmand?a?b=%20+", .get, "a?b=%20+"),
            ("/ingest/osmand", .get, nil), ("/ingest/osmand/?id=1", .get, nil), ("/ingest/osmands?id=1", .get, nil),
            ("/ingest/OSMAND?id=1", .get, nil), ("/ingest?id=1", .get, nil), ("/", .get, nil), ("", .get, nil),
            ("/ingest/osmand?id=1", .head, nil), ("/ingest/osmand?id=1", .post, nil),
        ] as [(String, HTTPRequest.Method, String?)])
    func matching(_ target: String, _ method: HTTPRequest.Method, _ query: String?) {
        let route = FastPathRoute("/ingest/osmand") { _ in true }
        let request = HTTPRequest(method: method, scheme: nil, authority: nil, path: target)
        #expect(route.query(of: request).map(String.init) == query)
    }
}
