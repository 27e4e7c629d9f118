import Kernel

/// What currencies are worth, roughly: a suggested price needs the order of magnitude, and its person changes it.
/// Market rates of the end of 2025, rounded to two digits by hand (docs/decisions/0097).
enum CurrencyScale {
    /// Units of a currency per euro; 1 for one that isn't in the list.
    static func unitsPerEuro(_ currency: Currency) -> Double { known[currency.code] ?? 1 }

    /// The codes of ISO 4217 that the list has.
    static var codes: [String] { known.keys.sorted() }

    private static let known: [String: Double] = {
        let words = list.split { $0.isWhitespace }
        return stride(from: 0, to: words.count - 1, by: 2).reduce(into: [:]) { known, index in
            known[String(words[index])] = Double(words[index + 1])
        }
    }()

    private static let list = """
        AED 4.3 AFN 78 ALL 97 AMD 450 AOA 1100 ARS 1700 AUD 1.8 AWG 2.1 AZN 2 BAM 2 BBD 2.3 BDT 140 BGN 2 BHD 0.44
        BIF 3400 BMD 1.2 BND 1.5 BOB 8 BRL 6.3 BSD 1.2 BTN 100 BWP 16 BYN 3.4 BZD 2.3 CAD 1.6 CDF 2600 CHF 0.93 CLP 1100
        CNY 8.2 COP 4400 CRC 580 CUP 28 CVE 110 CZK 24 DJF 210 DKK 7.5 DOP 73 DZD 150 EGP 55 ERN 17 ETB 180 EUR 1
        FJD 2.6 FKP 0.87 GBP 0.87 GEL 3.1 GHS 13 GIP 0.87 GMD 84 GNF 10000 GTQ 8.9 GYD 240 HKD 9 HNL 31 HTG 150 HUF 390
        IDR 19000 ILS 3.8 INR 100 IQD 1500 IRR 1200000 ISK 150 JMD 190 JOD 0.82 JPY 180 KES 150 KGS 100 KHR 4600 KMF 490
        KPW 1000 KRW 1700 KWD 0.36 KYD 0.97 KZT 610 LAK 25000 LBP 100000 LKR 360 LRD 210 LSL 20 LYD 6.3 MAD 11 MDL 20
        MGA 5200 MKD 62 MMK 2400 MNT 4100 MOP 9.3 MRU 46 MUR 53 MVR 18 MWK 2000 MXN 21 MYR 4.8 MZN 74 NAD 20 NGN 1700
        NIO 43 NOK 12 NPR 170 NZD 2 OMR 0.45 PAB 1.2 PEN 3.9 PGK 4.9 PHP 68 PKR 330 PLN 4.2 PYG 8200 QAR 4.2 RON 5.1
        RSD 120 RUB 93 RWF 1700 SAR 4.4 SBD 9.6 SCR 16 SDG 700 SEK 11 SGD 1.5 SHP 0.87 SLE 27 SOS 660 SRD 45 SSP 5300
        STN 25 SVC 10 SYP 13000 SZL 20 THB 38 TJS 11 TMT 4.1 TND 3.4 TOP 2.8 TRY 49 TTD 7.8 TWD 36 TZS 2900 UAH 49
        UGX 4200 USD 1.2 UYU 46 UZS 14000 VES 280 VND 30000 VUV 140 WST 3.2 XAF 660 XCD 3.1 XCG 2.1 XOF 660 XPF 120
        YER 280 ZAR 20 ZMW 27 ZWG 31
        """
}
