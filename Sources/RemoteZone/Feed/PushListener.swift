package import CloudKitClient
package import CloudKitWire

/// A folder that wants to know of pushes.
package struct PushListener: Sendable {
    package let news: ZoneNews
    let filter: PushFilter
    let zone: ZoneID

    /// A folder that finds in its news what a push says, if it is for its zone.
    package init(news: ZoneNews, filter: PushFilter, zone: ZoneID) {
        self.news = news
        self.filter = filter
        self.zone = zone
    }

    /// Takes a push in; `false` where it is for somebody else.
    func receive(_ push: PushNotification, begun: Int) -> Bool {
        switch filter.meaning(of: push) {
        case .foreign: return false
        case .database: news.receiveDatabasePush(after: begun)
        case .zone(let id):
            guard zone.isSame(as: id) else { return false }
            news.receivePush()
        }
        news.hearPush()
        return true
    }
}
