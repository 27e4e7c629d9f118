// Declarations for the scripts of the pages: libraries, our events, and interfaces that only some browsers have.

// Libraries (scripts/vendor) -----------------------------------------------------------------------------------------

/** Leaflet, without types. */
declare const L: any;

declare const htmx: {
  ajax(verb: string, path: string, context: { source: Element; target: Element; swap: string }): Promise<void>;
  process(element: Element): void;
  trigger(element: Element, name: string, detail?: object): void;
  defineExtension(name: string, extension: {
    isInlineSwap(style: string): boolean;
    handleSwap(style: string, target: Element, fragment: Element | DocumentFragment): false | Node[];
  }): void;
};

declare const morphdom: (from: Element, to: Element, options: object) => Element;

interface HtmxDetail {
  elt: HTMLElement;
  target: HTMLElement;
  xhr?: XMLHttpRequest;
  successful?: boolean;
  requestConfig?: { elt: HTMLElement; verb: string; triggeringEvent?: SubmitEvent };
}

// Events -------------------------------------------------------------------------------------------------------------

interface HomewardEventMap {
  "htmx:afterRequest": CustomEvent<HtmxDetail>;
  "htmx:afterSettle": CustomEvent<HtmxDetail>;
  "htmx:afterSwap": CustomEvent<HtmxDetail>;
  "htmx:beforeOnLoad": CustomEvent<HtmxDetail>;
  "htmx:beforeRequest": CustomEvent<HtmxDetail>;
  "htmx:beforeSend": CustomEvent<HtmxDetail>;
  "htmx:beforeSwap": CustomEvent<HtmxDetail>;
  "htmx:load": CustomEvent<HtmxDetail>;
  "htmx:responseError": CustomEvent<HtmxDetail>;
  "htmx:sendError": CustomEvent<HtmxDetail>;
  "htmx:timeout": CustomEvent<HtmxDetail>;
  "hw:change": CustomEvent<{ kind: string; resource: string }>;
  "hw:connected": CustomEvent<null>;
  "hw:disconnected": CustomEvent<null>;
  "hw:leaving": CustomEvent<{ element: HTMLElement; waitFor(work: Promise<unknown>): void } | null>;
  "hw:moved": CustomEvent<{ latitude: number; longitude: number; accuracy: number | null; time: number }>;
  "hw:photo": CustomEvent<File>;
  "hw:position": CustomEvent<{ latitude: number; longitude: number; accuracy: number | null; time: number }>;
  "hw:ready": CustomEvent<null>;
  "hw:refresh": CustomEvent<null>;
  "hw:sent": CustomEvent<HTMLFormElement>;
  "hw:sharing": CustomEvent<boolean>;
  "hw:signed-out": CustomEvent<null>;
  beforeinstallprompt: InstallPromptEvent;
  toast: CustomEvent<{ text: string; problem?: boolean }>;
}

interface GlobalEventHandlersEventMap extends HomewardEventMap {}
interface WindowEventMap extends HomewardEventMap {}

/** The target of an event is an element. The target of `submit` and `formdata` is a form. */
type Targeted<Type, Original> = Original & {
  readonly target: Type extends "submit" | "formdata" ? HTMLFormElement : HTMLElement;
};

interface Document {
  addEventListener<K extends keyof DocumentEventMap>(
    type: K, listener: (event: Targeted<K, DocumentEventMap[K]>) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void;
}

interface HTMLElement {
  addEventListener<K extends keyof HTMLElementEventMap>(
    type: K, listener: (event: Targeted<K, HTMLElementEventMap[K]>) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void;
}

interface Window {
  addEventListener<K extends keyof WindowEventMap>(
    type: K, listener: (event: Targeted<K, WindowEventMap[K]>) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void;
}

declare function addEventListener<K extends keyof WindowEventMap>(
  type: K, listener: (event: Targeted<K, WindowEventMap[K]>) => unknown,
  options?: boolean | AddEventListenerOptions,
): void;

// Elements -----------------------------------------------------------------------------------------------------------

type Tags = HTMLElementTagNameMap;

/** The type of the element that a selector finds: HTMLAnchorElement for `a[href]`. No selector finds an SVG element. */
type Found<Selector extends string> =
  Selector extends `${string}${" " | ","}${string}` ? HTMLElement
  : Selector extends keyof Tags ? Tags[Selector]
  : Selector extends `${infer Tag extends keyof Tags}[${string}` ? Tags[Tag]
  : Selector extends `${infer Tag extends keyof Tags}.${string}` ? Tags[Tag]
  : Selector extends `${infer Tag extends keyof Tags}:${string}` ? Tags[Tag]
  : HTMLElement;

interface ParentNode {
  querySelector<Selector extends string>(selector: Selector): Found<Selector> | null;
  querySelectorAll<Selector extends string>(selector: Selector): NodeListOf<Found<Selector>>;
}

interface Element {
  closest<Selector extends string>(selector: Selector): Found<Selector> | null;
}

/** `namedItem` is called only with names that one field has. All fields count as inputs. */
interface HTMLFormControlsCollection {
  namedItem(name: string): HTMLInputElement | null;
  [Symbol.iterator](): ArrayIterator<HTMLInputElement>;
}

interface Performance {
  getEntriesByType(type: "navigation"): PerformanceNavigationTiming[];
}

// Interfaces of some browsers ----------------------------------------------------------------------------------------

interface InstallPromptEvent extends Event {
  prompt(): Promise<unknown>;
}

interface Navigator {
  /** Web Bluetooth: Chromium. */
  readonly bluetooth?: any;
  /** Whether the page is an app on the home screen: Safari on iPhone and iPad. */
  readonly standalone?: boolean;
}

interface ServiceWorkerRegistration {
  /** Background synchronization: Chromium. */
  readonly sync?: { register(tag: string): Promise<void> };
}

interface Window {
  /** Chromium and Safari. */
  readonly BarcodeDetector?: {
    new (options: { formats: string[] }): { detect(source: CanvasImageSource): Promise<{ rawValue: string }[]> };
    getSupportedFormats(): Promise<string[]>;
  };
  /** Set by early.js. */
  homewardInstallQuestion?: InstallPromptEvent | null;
  homewardQueue: ChangeQueue;
}
