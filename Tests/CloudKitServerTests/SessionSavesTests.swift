import Testing

@testable import CloudKitServer

@Suite("What is written of sessions at leisure")
struct SessionSavesTests {
    @Test("Of many requests one sends off a write, which has each session and token once, and the last known of it")
    func oneWrite() {
        var saves = SessionSaves()
        saves.add(RotationSave(voidUpTo: 5, before: 1), of: 7)
        let isFirst = saves.begin()
        saves.add(RotationSave(voidUpTo: 9, before: 5), of: 7)
        saves.add(expiry: 20, of: 7)
        saves.add(expiry: 10, of: 7)
        saves.add(expiry: 30, of: 8)
        for time: Int64 in [3, 5, 4] { saves.add(use: time, of: [9]) }
        let isSecond = saves.begin()
        #expect(isFirst && !isSecond)
        let taken = saves.take()
        // Where it fails, the database still has what it had before the first.
        #expect(taken.rotations == [7: RotationSave(voidUpTo: 9, before: 1)])
        #expect(taken.expiries == [7: 20, 8: 30] && taken.tokenUses == [[9]: 5])
        let isNext = saves.begin()
        #expect(isNext && saves.rotations.isEmpty && saves.expiries.isEmpty && saves.tokenUses.isEmpty)
    }
}
