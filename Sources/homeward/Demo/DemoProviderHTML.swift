import Kernel

/// The provider's pages. They look plain on purpose, so that they can't be mistaken for a vendor's.
enum DemoProviderHTML {
    /// The page on which a person is chosen.
    static func choice(_ vendor: DemoVendor, query: String) -> String {
        let people = DemoProviderUser.all.map { person in
            """
            <p><button name="subject" value="\(person.subject)">\(escaped(person.name))</button> \(escaped(person.note))</p>
            """
        }
        return page(
            vendor.title,
            """
            <p>These people are invented. Choose one to sign in as.</p>
            <form method="post" action="authorize?\(escaped(query))">
            \(people.joined(separator: "\n"))
            <p><button name="subject" value="">Cancel</button></p>
            </form>
            """
        )
    }

    /// A form that the browser posts to the client automatically.
    static func response(_ vendor: DemoVendor, to url: String, _ fields: [(name: String, value: String)]) -> String {
        let inputs = fields.map { field in
            "<input type=\"hidden\" name=\"\(field.name)\" value=\"\(escaped(field.value))\">"
        }
        return page(
            vendor.title,
            """
            <form id="answer" method="post" action="\(escaped(url))">
            \(inputs.joined(separator: "\n"))
            <p><button>Go on</button></p>
            </form>
            <script>document.getElementById("answer").submit()</script>
            """
        )
    }

    /// The page for an invalid request of a client.
    static func problem(_ vendor: DemoVendor, _ text: String) -> String {
        page(vendor.title, "<p>\(escaped(text))</p>")
    }

    private static func page(_ title: String, _ content: String) -> String {
        """
        <!doctype html>
        <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
        <title>\(escaped(title))</title></head>
        <body><h1>\(escaped(title))</h1>
        \(content)
        </body></html>
        """
    }

    private static func escaped(_ text: String) -> String { MarkupText.html(text) }
}
