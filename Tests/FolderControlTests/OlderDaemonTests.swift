import Testing

@testable import FolderControl

@Suite("A daemon older than the program")
struct OlderDaemonTests {
    @Test(
        "It is named where its file is another one by now, and only then",
        arguments: [("/usr/bin/zonefolder (deleted)", true), ("/usr/bin/zonefolder", false), (nil, false)]
            as [(String?, Bool)])
    func notice(_ row: (program: String?, isOlder: Bool)) {
        let notice = StatusReport.notice(
            .init(pid: 5, startedMilliseconds: 1), row.program, in: "/home/ada/my notes")
        #expect((notice != nil) == row.isOlder)
        if let notice {
            #expect(notice.message.contains("process 5"))
            #expect(
                notice.remedy == "zonefolder stop '/home/ada/my notes'; zonefolder start '/home/ada/my notes'")
        }
    }
}
