/// How the loss of a zone begins, and how a listing ends it or makes it certain. What is decided depends on stored facts alone.
///
/// | loss before | the server has the zone no longer | a listing shows the same zone | a listing shows another one |
/// |---|---|---|---|
/// | none | `missing`, where anything was agreed on | none | `replaced` |
/// | `missing` | `missing` | none | `replaced` |
/// | `left` | `left` | none | `replaced` |
/// | `replaced` | `replaced` | `replaced` | `replaced` |
/// | `reconfigured` | `reconfigured` | `reconfigured` | `reconfigured` |
extension ZoneFacts {
    /// Whether the listing that has come to its end shows a zone that is not the one of the base: none of the base's records is in
    /// it, though nobody deleted them one by one. What it lacks then proves nothing (invariant 6), and what it has of the same
    /// names is no later version: names are made from paths, so another device that filled it anew made them.
    public func isAnother(hasBase: Bool) -> Bool {
        hasBase && recognition != .done
    }

    /// The server has the zone no longer; its tokens and its listings go.
    /// - Parameter hasBase: Whether anything was agreed on: where not, nothing that is sent later is sent again.
    package mutating func lose(_ loss: ZoneLoss, hasBase: Bool) {
        // What a listing that broke off has named can be compared no more.
        if isBrokenOff { recognition = .impossible }
        token = nil
        created = false
        owed = false
        listing = false
        complete = false
        incarnation += 1
        switch self.loss {
        case nil, .missing: if hasBase || loss != .missing { self.loss = loss }
        case .left, .replaced, .reconfigured: break
        }
    }

    /// A listing from the zone's beginning begins, perhaps in place of one that broke off.
    /// - Parameter isOfItsPast: Whether the zone may still have all that was known of it; not where it was restored from a backup:
    ///   what it lacks then nobody deleted.
    package mutating func beginListing(isOfItsPast: Bool = true) {
        let isComparable = isOfItsPast && !isBrokenOff && (complete || recognition != .impossible)
        recognition = isComparable ? .open : .impossible
        token = nil
        listing = true
        complete = false
        listingNumber += 1
    }

    /// A listing has come to its end.
    package mutating func endListing(isAnother: Bool) {
        listing = false
        complete = true
        if isAnother { incarnation += 1 }
        switch loss {
        case nil, .missing, .left: loss = isAnother ? .replaced : nil
        case .replaced, .reconfigured: break
        }
    }

    /// Whether a listing has stored pages, and none of them has shown that it is the zone of the base.
    private var isBrokenOff: Bool { listing && token != nil && recognition != .done }
}
