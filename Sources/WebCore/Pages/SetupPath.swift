/// The path of the page on which a new server is set up.
package enum SetupPath {
    package static let page = "/setup"
}
