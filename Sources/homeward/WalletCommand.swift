import ArgumentParser
import Carrepsa
import Foundation
import Kernel
import Ledger
import Server

struct WalletCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "wallet", abstract: "Pays into and out of people's wallets.",
        subcommands: [TopUp.self, PayOut.self]
    )

    struct TopUp: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "top-up", abstract: "Adds money that you received to a wallet."
        )

        @OptionGroup var payment: PaymentOptions
        @OptionGroup var options: SettingOptions

        func run() async throws {
            try await options.withServices { services in
                let (amount, id) = try payment.checked(services)
                let balance = try await services.carrepsa.payments.topUp(
                    email: payment.email, amountMinor: amount, transferID: id
                )
                payment.printResult(amount, id, balance: balance, verb: "paid in", services)
            }
        }
    }

    struct PayOut: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "pay-out", abstract: "Deducts money that you paid out from a wallet."
        )

        @OptionGroup var payment: PaymentOptions
        @OptionGroup var options: SettingOptions

        @Option(help: "The id of the open payout request that this payment pays.")
        var request: String?

        func run() async throws {
            try await options.withServices { services in
                let (amount, id) = try payment.checked(services)
                let request = try request.map { text in
                    guard let id = ID<PayoutRequest>(text) else {
                        throw CommandError("\(text) isn't the id of a payout request")
                    }
                    return id
                }
                let balance = try await services.carrepsa.payments.payOut(
                    email: payment.email, amountMinor: amount, transferID: id, request: request
                )
                payment.printResult(amount, id, balance: balance, verb: "paid out", services)
            }
        }
    }
}

/// The account of the wallet, and the amount.
struct PaymentOptions: ParsableArguments {
    @Argument(help: "The account's email, confirmed where mail is set up; or the account's id.")
    var email: String

    @Argument(help: "The amount, such as 12.50.")
    var amount: String

    @Option(help: "An id of your own for this payment (a UUID of version 7): sent twice, it is paid once.")
    var payment: String?

    func checked(_ services: Services) throws -> (amount: Int64, id: ID<Transfer>) {
        let currency = services.settings.currency
        guard let minor = currency.minor(from: amount), minor > 0 else {
            throw CommandError("\(amount) is no amount of \(currency.code): give one such as 12.50, above zero")
        }
        guard let payment else { return (minor, ID(at: services.clock.now, random: services.random)) }
        guard let id = ID<Transfer>(payment) else { throw CommandError("\(payment) is no payment's id") }
        return (minor, id)
    }

    func printResult(_ amount: Int64, _ id: ID<Transfer>, balance: Int64, verb: String, _ services: Services) {
        let currency = services.settings.currency
        let moved = "\(currency.code) \(currency.decimal(amount)) \(verb)"
        Output.line("\(moved): payment \(id). The balance of \(email) is \(currency.decimal(balance)).")
    }
}
