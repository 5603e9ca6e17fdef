import CloudKitClient
import CloudKitWire
import SyncTiming
import Testing

@testable import RemoteZone
@testable import WireCoding

@Suite("Pushes for several folders (S0.13, S4.10)")
struct PushDeliveryTests {
    private static func listener(_ zone: String, owner: String? = nil) -> PushListener {
        let isShared = owner != nil
        return PushListener(
            news: ZoneNews(doorbell: Doorbell()),
            filter: PushFilter(
                container: EngineWorld.container, scope: isShared ? .shared : .private,
                subscriptionIDs: ["changes", "changes-\(zone)"]),
            zone: ZoneID(zoneName: zone, ownerRecordName: owner))
    }

    private static func push(_ text: String) throws -> PushNotification {
        try PushNotification.decode(Array(#"{"ck": {"cid": "\#(EngineWorld.container)", \#(text)}}"#.utf8))
    }

    @Test("A push for a zone reaches the folder of that zone only; one for the database reaches all")
    func delivery() throws {
        let feed = DatabaseFeed()
        let (notes, tasks) = (Self.listener("Notes"), Self.listener("Tasks"))
        let seat = FeedSeat(of: tasks)
        feed.add(notes)
        seat.take(feed)
        #expect(feed.deliver(try Self.push(#""fet": {"sid": "changes-Notes", "dbs": 2, "zid": "Notes"}"#)))
        #expect(notes.news.takePushes() == ZoneNews.Pushes(isOfZone: true))
        #expect(tasks.news.takePushes() == ZoneNews.Pushes())

        #expect(feed.deliver(try Self.push(#""met": {"sid": "changes", "dbs": 2}"#)))
        #expect(notes.news.takePushes() == ZoneNews.Pushes(isOfDatabase: 0))
        #expect(tasks.news.takePushes() == ZoneNews.Pushes(isOfDatabase: 0))

        for foreign in [
            #""fet": {"sid": "else", "dbs": 2, "zid": "Notes"}"#, #""met": {"sid": "changes", "dbs": 3}"#,
            #""fet": {"sid": "changes-Notes", "dbs": 2, "zid": "Other"}"#,
        ] {
            #expect(!feed.deliver(try Self.push(foreign)), "\(foreign)")
        }
        #expect(notes.news.takePushes() == ZoneNews.Pushes())

        // Whoever left hears nothing more.
        seat.take(nil)
        feed.pushesWereMissed()
        #expect(notes.news.takePushes() == ZoneNews.Pushes(isOfDatabase: 0))
        #expect(tasks.news.takePushes() == ZoneNews.Pushes())
    }
}
