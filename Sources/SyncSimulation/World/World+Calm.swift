import FolderControl
import SyncEngine
import SyncModel

/// Worlds in which people act one at a time, and all is at rest in between.
extension World {
    /// Lets an act happen as a whole, and everybody finish, also where processes end, the power fails or a device is away meanwhile:
    /// what a person did alone is what all have then, no more and no less.
    ///
    /// In other worlds people meet, and more than one outcome is right; here each has one, which the person's own disk shows.
    /// - Parameter moment: A person's acts, and the mishaps that meet them.
    /// - Returns: Whether it goes on: of a file that waits for its person others have an earlier version, and nothing is to be
    ///   said of the next act.
    func takeUpAlone(_ moment: ArraySlice<WorldEvent>) -> Bool {
        guard let first = moment.first(where: { !$0.act.isMishap }) else {
            for mishap in moment { takeUp(mishap) }
            return true
        }
        let actor = devices[first.device]
        var (files, executables): ([FolderPath: [UInt8]], Set<FolderPath>) = ([:], [])
        var (event, hasLostName) = (first, false)
        for next in moment where violation == nil {
            takeUp(next)
            if next.act.isMishap { continue }
            finishAll()
            // What a person did is durable before the power fails; what follows from it need not be.
            flush(actor, at: time.steady)
            (files, executables) = (shared(actor.disk.files()), self.executables(actor))
            event = next
            // Who has the note as it was goes on with what it named.
            hasLostName = hasLostName || namesNothing(files)
        }
        settleAlone()
        guard violation == nil, !hasLostName, !devices.contains(where: holdsFiles) else { return false }
        for device in devices {
            if let difference = Self.difference(files, shared(device.disk.files())) {
                fail(.convergence, "After '\(event.line)' device\(device.number) has something else: \(difference)")
            }
            if let path = executables.symmetricDifference(self.executables(device)).min() {
                fail(.convergence, "After '\(event.line)' \(path) is not as executable on device\(device.number)")
            }
            if let copy = device.disk.files().keys.filter(\.isConflictCopy).min() {
                fail(.convergence, "After '\(event.line)' device\(device.number) has \(copy), though nothing met")
            }
        }
        return violation == nil
    }

    /// Lets everybody finish what they did while they met.
    func becomeCalm() {
        finishAll()
        settleAlone()
    }

    private func finishAll() {
        while !later.isEmpty, violation == nil {
            let (_, number, rest) = later.removeFirst()
            finish(rest, on: number)
        }
    }

    private func settleAlone() {
        for _ in 0..<20 where violation == nil {
            run(until: time.steady + .seconds(65))
            if !answerAll(isLate: false), devices.allSatisfy({ isSettled($0) }), isEqualEverywhere { return }
        }
    }

    /// Whether a note names a file that is not there.
    private func namesNothing(_ files: [FolderPath: [UInt8]]) -> Bool {
        files.contains { path, bytes in
            AttachedFile.path(in: bytes, at: path).map { files[$0] == nil } ?? false
        }
    }

    private func holdsFiles(_ device: SimulatedDevice) -> Bool {
        guard let session = device.session,
            let report = ask({ try? await session.report(daemon: nil, watch: nil) }) ?? nil
        else { return true }
        return !report.held.isEmpty
    }
}
