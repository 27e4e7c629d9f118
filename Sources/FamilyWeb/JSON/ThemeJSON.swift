/// A theme in the JSON API.
struct ThemeJSON: Encodable {
    let id: String
    let name: String
}
