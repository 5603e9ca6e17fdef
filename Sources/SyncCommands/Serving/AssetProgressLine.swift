import CloudKitServer

/// Shows on a terminal how many assets are copied or read.
struct AssetProgressLine {
    private let width: Int?
    private var (assets, bytes) = (0, Int64(0))
    private var shown: ContinuousClock.Instant?

    /// - Parameter width: The terminal's; `nil`: there is none.
    init(width: Int?) {
        self.width = width
    }

    mutating func show(_ step: BackupStep, at now: ContinuousClock.Instant) {
        if width != nil { show(text(of: step), at: now) }
    }

    mutating func show(_ step: CheckStep, at now: ContinuousClock.Instant) {
        if width != nil { show(text(of: step), at: now) }
    }

    mutating func clear() {
        guard shown != nil else { return }
        shown = nil
        StandardError.printUnended("\r\u{1B}[K")
    }

    /// `nil` where nothing is to be copied.
    mutating func text(of step: BackupStep) -> String? {
        switch step {
        case .databaseCopied(let assets, let bytes):
            (self.assets, self.bytes) = (assets, bytes)
            return nil
        case .assetsCopied(let done, let doneBytes): return text("copying", done, doneBytes)
        case .complete: return nil
        }
    }

    mutating func text(of step: CheckStep) -> String? {
        switch step {
        case .began(let bytes): return "checking the database of \(Amounts.bytes(bytes))"
        case .databaseChecked(let assets, let bytes):
            (self.assets, self.bytes) = (assets, bytes)
            return nil
        case .assetsRead(let done, let doneBytes):
            // A running server stores more meanwhile.
            (assets, bytes) = (max(assets, done), max(bytes, doneBytes))
            return text("reading", done, doneBytes)
        }
    }

    private func text(_ verb: String, _ done: Int, _ doneBytes: Int64) -> String {
        "\(verb): \(done) of \(Amounts.count(assets, "asset")), \(Amounts.bytes(doneBytes)) of \(Amounts.bytes(bytes))"
    }

    private mutating func show(_ text: String?, at now: ContinuousClock.Instant) {
        guard let width, let text else { return }
        if let shown, now - shown < .milliseconds(200) { return }
        shown = now
        StandardError.printUnended(ProgressLine.text(text, width: width))
    }
}
