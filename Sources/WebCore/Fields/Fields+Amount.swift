package import Kernel

extension Fields {
    /// Reads an amount of money in minor units. Forms have decimals with the separators of the reader's language; JSON
    /// has minor units.
    /// - Returns: `nil` if it is absent or can't be read; an error is noted for JSON of another type only.
    package mutating func amount(_ name: String, _ currency: Currency) -> Int64? {
        isForm ? currency.minor(from: typed(name), in: t.language) : integer(name).value
    }
}
