/** Set by queue.js, which pages and the service worker run. */
declare const homewardQueue: ChangeQueue;

interface ChangeQueue {
  list(account: string): Promise<any[]>;
  add(change: object): Promise<boolean>;
  discard(id: number): Promise<void>;
  clear(account: string): Promise<void>;
  send(account: string): Promise<{ sent: number; stopped: string | null }>;
  fact(name: string): Promise<any>;
  setFact(name: string, value: unknown): Promise<unknown>;
  isFromServer(response: Response): boolean;
  isToBeTried(stopped: string | null): boolean;
}
