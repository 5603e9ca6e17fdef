import FolderControl
import SyncService

/// How fast something moves, and how long that goes on, from what was done since it began.
struct TransferPace: Hashable, Sendable {
    /// Of bytes where bytes move, else of files; `nil` before there is enough to tell.
    var perSecond: Double?
    /// Whether it is bytes.
    var isOfBytes: Bool
    var secondsLeft: Double?

    /// Before that, one file would tell too much.
    private static let leastMilliseconds: Int64 = 1000

    init(of progress: StatusReport.Progress) {
        isOfBytes = progress.bytesTotal > 0
        guard let elapsed = progress.elapsedMilliseconds, elapsed >= Self.leastMilliseconds else { return }
        let (done, total) =
            isOfBytes
            ? (Double(progress.bytesDone), Double(progress.bytesTotal))
            : (Double(progress.filesDone), Double(progress.filesTotal))
        guard done > 0 else { return }
        let rate = done * 1000 / Double(elapsed)
        perSecond = rate
        // Many small files take longer than their bytes tell: what is slower decides.
        let files = Double(progress.filesDone)
        let ofFiles = files > 0 ? Double(progress.filesTotal - progress.filesDone) * Double(elapsed) / 1000 / files : 0
        secondsLeft = max((total - done) / rate, ofFiles)
    }

    /// `2.1 MB/s` and `9 s left`, as far as they are known.
    var words: [String] {
        guard let perSecond, let secondsLeft else { return [] }
        let rate = isOfBytes ? "\(Amounts.bytes(Int64(perSecond)))/s" : "\(max(1, Int64(perSecond))) files/s"
        return [rate, "\(Amounts.span(Int64((secondsLeft * 1000).rounded(.up)))) left"]
    }
}
