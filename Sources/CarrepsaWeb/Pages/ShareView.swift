/// An address with buttons that share and copy it.
struct ShareView: Sendable {
    let shareLink: String
    let shareTitle: String
    /// The id of the element with the address.
    let shareID: String
    /// The class of the button that shares it.
    let shareButton: String

    init(_ link: String, title: String, id: String, isMain: Bool = false) {
        shareLink = link
        shareTitle = title
        shareID = id
        shareButton = isMain ? "button-primary" : "button-secondary"
    }
}
