import FolderControl
import SyncModel
import SyncTiming
import Testing

@testable import SessionCore

@Suite("Progress")
struct ProgressMeterTests {
    private func moment(_ seconds: Int) -> SteadyInstant { SteadyInstant(offset: .seconds(seconds)) }

    @Test("Plans that follow each other have one total, and the time since the first began")
    func oneTotal() {
        let meter = ProgressMeter()
        #expect(meter.current(at: moment(0)) == nil)
        meter.begin(files: 3, bytes: 300, at: moment(10))
        meter.complete(files: 2, bytes: 200)
        meter.begin(files: 4, bytes: 50, at: moment(12))
        #expect(
            meter.current(at: moment(15))
                == .init(filesDone: 2, filesTotal: 6, bytesDone: 200, bytesTotal: 250, elapsedMilliseconds: 5000))
        meter.end()
        #expect(meter.current(at: moment(16)) == nil)
        meter.begin(files: 1, bytes: 0, at: moment(20))
        #expect(meter.current(at: moment(20)) == .init(filesTotal: 1, elapsedMilliseconds: 0), "a new total")
    }

    @Test("Bytes of a transfer are counted once: as they end, and not again with their file")
    func once() {
        let meter = ProgressMeter()
        meter.begin(files: 2, bytes: 100, at: moment(0))
        meter.add(bytes: 60)
        #expect(meter.current(at: moment(1))?.bytesDone == 60)
        meter.complete(files: 1, bytes: 60)
        #expect(meter.current(at: moment(1))?.bytesDone == 60)
        meter.complete(files: 1, bytes: 40)
        #expect(meter.current(at: moment(1)).map { [$0.bytesDone, $0.bytesTotal] } == [100, 100])
    }

    @Test("More bytes than were planned raise the total, so that no more is done than there is")
    func more() {
        let meter = ProgressMeter()
        meter.add(bytes: 5)
        meter.begin(files: 1, bytes: 10, at: moment(0))
        meter.add(bytes: 30)
        #expect(meter.current(at: moment(1)).map { [$0.bytesDone, $0.bytesTotal] } == [30, 30])
    }
}
