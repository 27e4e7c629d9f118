import HTTPTypes
import Kernel
import TestSupport
import Testing
import Tracking

/// The photo, the parking and the days of an item, in a browser without scripts.
@Suite("Tracking: pages of an item")
struct TrackingItemPageTests {
    @Test("T-3-1-1, T-3-3-2: The photo on an item's card leads to its details")
    func cardPhoto() async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            let photo = try await tracking.photo(of: anna)
            let url = try await anna.item("Keys")
            #expect(try await anna.send(.patch, url, json: ["pictureId": photo]).status == 200)
            let list = try await anna.page("/tracking/items").text
            let link = "<a class=\"card-photo\" href=\"\(url)\" tabindex=\"-1\" aria-hidden=\"true\">"
            #expect(list.contains("\(link)<img class=\"photo\" src=\"/pictures/\(photo)?size=small\""))
        }
    }

    @Test("T-1-4-1: A file that isn't a picture is rejected at the photo field, nothing is stored, and the name stays")
    func noPicture() async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            for content in ["this is not a picture", "<svg xmlns='http://www.w3.org/2000/svg'/>"] {
                let name = "Content-Disposition: form-data; name=\"name\"\r\n\r\nKeys"
                let file = "Content-Disposition: form-data; name=\"picture\"; filename=\"a.jpg\"\r\n\r\n\(content)"
                let reply = try await anna.submit(
                    "/tracking/items", multipart: "--x\r\n\(name)\r\n--x\r\n\(file)\r\n--x--\r\n")
                #expect(reply.status == 422)
                #expect(reply.text.contains("data-photo-error>Choose a JPEG, PNG, WebP or HEIC picture.</p>"))
                #expect(reply.text.contains("data-placeholder"))
                #expect(reply.text.contains("name=\"name\" value=\"Keys\""))
            }
            #expect(try await anna.send(.get, "/tracking/items").object().list("items").isEmpty)
            #expect(try await anna.send(.get, "/pictures").object().list("items").isEmpty)
        }
    }

    @Test(
        "T-1-4-1: A valid name is stored, and the form returns to the list",
        arguments: [
            String(repeating: "y", count: 50), String(repeating: "👨‍👩‍👧‍👦", count: 10), "مفاتيح البيت",
        ])
    func validName(_ name: String) async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            let reply = try await anna.submit("/tracking/items", ["name": name, "pictureId": ""])
            #expect(reply.status == 303)
            #expect(reply.header("location")?.hasPrefix("/tracking/items?added=") == true)
            #expect(try await anna.send(.get, "/tracking/items").object().texts("items", "name") == [name])
            let list = try await anna.page("/tracking/items").text
            #expect(list.contains("<h1 class=\"title\" hx-disable>Items</h1>"))
            // A name in Arabic letters is isolated.
            #expect(list.contains(">\(name)<"))
        }
    }

    @Test("T-3-6-2: The photo of a deleted item stays if another item uses it, as the dialog says")
    func sharedPhoto() async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            let photo = try await tracking.photo(of: anna)
            let url = try await anna.item("Keys")
            let other = try await anna.item("Spare keys")
            let stays = "Its photo stays, because another item uses it."
            let goes = "Its photo is deleted too, from your photos as well."
            for (item, isShared) in [(url, false), (other, true)] {
                #expect(try await anna.send(.patch, item, json: ["pictureId": photo]).status == 200)
                for page in ["/edit", "/delete"] {
                    let text = try await anna.page(item + page).text
                    #expect(text.contains(stays) == isShared, "\(page)")
                    #expect(text.contains(goes) != isShared, "\(page)")
                }
            }
            let deleted = try await anna.submit(url + "?_method=delete", ["idempotencyKey": "gone"])
            #expect(deleted.status == 303)
            #expect(deleted.header("location") == "/tracking/items")
            let list = try await anna.page("/tracking/items").text
            #expect(list.contains(">Spare keys</a>") && !list.contains(">Keys</a>"))
            #expect(list.contains("/pictures/\(photo)?size=small"))
            #expect(try await anna.send(.get, "/pictures").object().texts("items", "id") == [photo])
        }
    }

    @Test("T-6-4-3: Only the owner parks an item, and only one with a position", arguments: Engine.allCases)
    func parking(engine: Engine) async throws {
        try await withTracking(engine) { tracking in
            let anna = try await tracking.person("anna@example.org")
            let eve = try await tracking.person("eve@example.org")
            let url = try await anna.item("Bike")
            let source = try await anna.source(.osmand, item: url)
            #expect(try await anna.send(.put, url + "/parking").status == 409)
            #expect(try await !anna.page(url).text.contains("Parked here"))
            #expect(try await tracking.signedOut.device(.get, "\(source)&lat=50&lon=6").status == 200)
            for method in [TrackingMethod.put, .delete] {
                #expect(try await eve.send(method, url + "/parking").status == 404)
            }
            #expect(try await anna.send(.get, url).object().isNull("parkedSince"))
            #expect(try await anna.page(url).text.contains("aria-checked=\"false\" aria-label=\"Parked here\""))
            let parked = try await anna.submit(url + "/parking?_method=put", [:])
            #expect(parked.status == 303)
            #expect(parked.header("location") == url)
            #expect(try await anna.page(url).text.contains("aria-checked=\"true\" aria-label=\"Parked here\""))
            let since = try await anna.send(.get, url).object().text("parkedSince")
            #expect(since == tracking.clock.now.rfc3339)
            #expect(try await eve.send(.delete, url + "/parking").status == 404)
            #expect(try await !anna.send(.get, url).object().isNull("parkedSince"))
            #expect(try await anna.submit(url + "/parking?_method=delete", [:]).status == 303)
            #expect(try await anna.send(.get, url).object().isNull("parkedSince"))
        }
    }

    @Test("T-6-7-1, T-6-7-3: The pages of days and stays say that there are none, or no safe place")
    func noDays() async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            let url = try await anna.item("Bag")
            #expect(try await anna.page(url + "/days").text.contains("No stays or trips yet</h2>"))
            #expect(try await anna.page(url + "/days/2026-03-09").text.contains("No positions on this day</h2>"))
            let stays = try await anna.page(url + "/stays").text
            #expect(stays.contains("href=\"/tracking/safe-places/new\">Add a safe place</a>"))
        }
    }
}
