import Testing

/// One fact of the protocol: requests in its own words, and what their answers must be.
///
/// Every case has a user and a database of its own. The messages are written from the protocol and never made by this
/// project's encoders, so that both sides cannot be wrong together.
struct ConformanceCase: Sendable, CustomTestStringConvertible {
    /// Of the protocol's description.
    var section: String
    var name: String
    var exchanges: [Exchange]

    init(_ section: String, _ name: String, _ exchanges: Exchange...) {
        self.init(section, name, exchanges)
    }

    init(_ section: String, _ name: String, _ exchanges: [Exchange]) {
        self.section = section
        self.name = name
        self.exchanges = exchanges
    }

    var testDescription: String { "§\(section) \(name)" }
}

/// The server does what the protocol says, case by case. Each table is a file beside this one.
@Suite("Conformance to the protocol")
struct ConformanceTests {
    @Test("records/modify: what each operation needs, and does", arguments: ModifyCases.all)
    func modify(_ fact: ConformanceCase) async throws { try await check(fact) }

    @Test("Fields: every type, there and back, and what is none", arguments: FieldCases.all)
    func fields(_ fact: ConformanceCase) async throws { try await check(fact) }

    @Test("records/lookup and changes/zone", arguments: ReadingCases.all)
    func reading(_ fact: ConformanceCase) async throws { try await check(fact) }

    @Test("zones/*, changes/database", arguments: ZoneCases.all)
    func zones(_ fact: ConformanceCase) async throws { try await check(fact) }

    @Test("subscriptions/*, tokens/*, users/*, assets/*", arguments: OtherCases.all)
    func others(_ fact: ConformanceCase) async throws { try await check(fact) }

    @Test("Limits, at them and one beyond", arguments: LimitCases.all)
    func limits(_ fact: ConformanceCase) async throws { try await check(fact) }

    @Test("Requests that are wrong as a whole", arguments: RequestCases.all)
    func requests(_ fact: ConformanceCase) async throws { try await check(fact) }

    @Test("Shares and the shared database", arguments: SharingCases.all)
    func sharing(_ fact: ConformanceCase) async throws { try await check(fact) }

    private func check(_ fact: ConformanceCase) async throws {
        try await withServer { try await $0.check(fact.exchanges) }
    }

    @Test("There are enough of them")
    func count() {
        let all = [
            ModifyCases.all, FieldCases.all, ReadingCases.all, ZoneCases.all, OtherCases.all, LimitCases.all,
            RequestCases.all, SharingCases.all,
        ].flatMap(\.self)
        #expect(all.count >= 250)
        let names = Set(all.map(\.testDescription))
        #expect(names.count == all.count, "two cases have one name")
    }
}
