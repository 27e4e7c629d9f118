package import Accounts
import Hummingbird
import Kernel
package import Notifications
package import WebCore

/// The list of notifications and the notification preferences.
package struct NotificationsModule: WebModule {
    private let notifications: NotificationService
    private let usedApps: UsedAppsReader
    private let feedOffer: (any FeedOfferSource)?

    /// Creates the module. Its templates are in ``AccountsModule``.
    /// - Parameter feedOffer: the source of the offer above the list of notifications.
    package init(
        notifications: NotificationService, usedApps: UsedAppsReader, feedOffer: (any FeedOfferSource)? = nil
    ) {
        self.notifications = notifications
        self.usedApps = usedApps
        self.feedOffer = feedOffer
    }

    /// The module has no templates of its own.
    package var embedded: EmbeddedFiles { EmbeddedFiles(plain: [:]) }

    /// The list of notifications. The settings aren't stored offline: they require the push service.
    package var offlinePaths: [String] { ["/notifications"] }

    /// Adds all routes of this module. Children have all of them too: each person sees their own notifications.
    package func addRoutes(to routes: Routes) {
        NotificationsController(notifications: notifications, feedOffer: feedOffer).addRoutes(to: routes.everyone)
        PushSubscriptionController(notifications: notifications).addRoutes(to: routes.everyone.group("notifications"))
        NotificationPreferencesController(notifications: notifications, usedApps: usedApps)
            .addRoutes(to: routes.everyone.group("account"))
    }
}
