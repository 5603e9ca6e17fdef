/// Whose call is carried out next, where more are wanted than there are places.
///
/// Nobody has more than a share of the places, so that others find one at once, however long the calls take; and who waits
/// gets one place after the other with all others who wait, however many calls each of them has.
struct TurnOrder<Owner: Hashable> {
    /// A call that waits.
    typealias Ticket = Int

    private let limits: TurnLimits
    private var running: [Owner: Int] = [:]
    private var free: Int
    private var waiting: [Owner: [Ticket]] = [:]
    /// Those with calls that wait, in the order of their turns.
    private var round: [Owner] = []

    init(_ limits: TurnLimits) {
        self.limits = limits
        free = limits.places
    }

    /// Takes a place for a call that has just come; says whether there is one.
    ///
    /// It overtakes none of its owner's: those wait only while there is none for them.
    mutating func begin(_ owner: Owner) -> Bool {
        guard free > 0, hasShareLeft(owner) else { return false }
        take(owner)
        return true
    }

    /// Lets a call wait for its turn; says whether there is room to wait.
    mutating func wait(_ ticket: Ticket, of owner: Owner) -> Bool {
        guard waiting[owner]?.count ?? 0 < limits.waiting else { return false }
        if waiting[owner] == nil { round.append(owner) }
        waiting[owner, default: []].append(ticket)
        return true
    }

    /// Gives a place back.
    /// - Returns: Those that begin now.
    mutating func end(of owner: Owner) -> [Ticket] {
        free += 1
        running[owner] = running[owner].flatMap { $0 > 1 ? $0 - 1 : nil }
        var begun: [Ticket] = []
        while let next = next() { begun.append(next) }
        return begun
    }

    /// A call does not wait any longer.
    mutating func withdraw(_ ticket: Ticket, of owner: Owner) {
        waiting[owner]?.removeAll { $0 == ticket }
        guard waiting[owner]?.isEmpty == true else { return }
        waiting[owner] = nil
        round.removeAll { $0 == owner }
    }

    /// Nobody waits any longer.
    mutating func withdrawAll() {
        waiting = [:]
        round = []
    }

    private mutating func next() -> Ticket? {
        guard free > 0, let index = round.firstIndex(where: hasShareLeft) else { return nil }
        let owner = round.remove(at: index)
        guard let ticket = waiting[owner]?.removeFirst() else { preconditionFailure("In the round are those who wait") }
        if waiting[owner]?.isEmpty == true { waiting[owner] = nil } else { round.append(owner) }
        take(owner)
        return ticket
    }

    private func hasShareLeft(_ owner: Owner) -> Bool { running[owner, default: 0] < limits.share }

    private mutating func take(_ owner: Owner) {
        free -= 1
        running[owner, default: 0] += 1
    }
}

/// How many calls are carried out at once.
struct TurnLimits: Hashable, Sendable {
    /// Of all.
    var places: Int
    /// Of one owner.
    var share: Int
    /// How many of one owner's may wait; a further one is refused.
    var waiting: Int
}
