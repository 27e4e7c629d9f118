extension Limits {
    /// Pages and page fragments that a browser stores per account for offline use.
    package static let offlinePages = 80
    /// Pictures that a browser stores per account for offline use.
    package static let offlinePictures = 150
}
