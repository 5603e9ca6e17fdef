extension ControlHandler {
    /// What a request gets, and what it asks for done; but what ends the connection is only promised
    /// (``ControlAnswer/reloading``, ``ControlAnswer/stopping``), and left to whoever sends the answer.
    func answer(to request: ControlRequest) async -> ControlAnswer {
        do {
            switch request {
            case .status(let isOfPath): return .status(await status(isOfPath: isOfPath))
            case .settle(let timeout):
                return .status(await settledStatus(timeout: timeout.map { .milliseconds($0) }))
            case .plan(let asKnown): return .plan(await plan(asKnown: asKnown))
            case .approve(let batch): return .approved(await approve(batch: batch))
            case .reject(let batch): return .rejected(try await reject(batch: batch))
            case .pause(let length): return .paused(try await pause(for: length.map { .milliseconds($0) }))
            case .resume: return .resumed(try await resume())
            case .fetchAgain(let paths): return .fetching(try await fetchAgain(paths))
            case .account(let change):
                try await self.change(change)
                return .accountChanged
            case .call(let call):
                // Not cut off by the daemon's end: the token that the answer brings would be lost.
                return .called(try await Task { try await self.call(call) }.value)
            case .left:
                await noteLeft()
                return .left
            case .reload:
                try await checkConfiguration()
                return .reloading
            case .stop: return .stopping
            }
        } catch {
            return .error("\(error)")
        }
    }
}
