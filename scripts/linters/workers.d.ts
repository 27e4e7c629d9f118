// Declarations for the scripts of the workers: the scope of a service worker, and interfaces that TypeScript lacks.

/** Set by the server: the settings of `OfflineRoutes`. */
declare const homeward: {
  version: string;
  folder: string;
  assets: Record<string, string>;
  pages: number;
  pictures: number;
};

/** Set by live-worker.js, a shared worker. */
declare var onconnect: (event: MessageEvent) => void;

interface SyncEvent extends ExtendableEvent {
  readonly tag: string;
}

interface NotificationOptions {
  actions?: { action: string; title: string }[];
  renotify?: boolean;
  timestamp?: number;
}

interface InstallEvent extends ExtendableEvent {
  /** Static routes: Chromium and Firefox. */
  addRoutes?(rules: object): Promise<void>;
}

interface WorkerGlobalScopeEventMap {
  activate: ExtendableEvent;
  fetch: FetchEvent;
  install: InstallEvent;
  message: ExtendableMessageEvent;
  notificationclick: NotificationEvent;
  push: PushEvent;
  pushsubscriptionchange: PushSubscriptionChangeEvent;
  sync: SyncEvent;
}

interface WorkerGlobalScope {
  readonly assets: string;
  readonly clients: Clients;
  homewardQueue: ChangeQueue;
  readonly registration: ServiceWorkerRegistration;
  skipWaiting(): Promise<void>;
}
