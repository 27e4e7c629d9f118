extension Limits {
    /// Pages and their parts that a browser keeps of one account, to be opened without a connection.
    package static let offlinePages = 80
    /// Pictures that a browser keeps of one account.
    package static let offlinePictures = 150
}
