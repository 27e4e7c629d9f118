package import Kernel

extension Limits {
    /// The number of items from which the list offers a search.
    package static let searchableItems = 8
}
