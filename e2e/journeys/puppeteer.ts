/** The part of Puppeteer that the visitor uses. Puppeteer is not a dependency of the project. */
export interface Puppeteer {
  launch(options: object): Promise<Browser>;
}

export interface Browser {
  newPage(): Promise<Page>;
  close(): Promise<void>;
}

export interface Page {
  goto(url: string): Promise<unknown>;
  url(): string;
  setViewport(size: { width: number; height: number }): Promise<void>;
  evaluate<Result>(script: string): Promise<Result>;
  evaluateHandle(script: string): Promise<{ asElement(): Element | null }>;
  evaluateOnNewDocument(script: string): Promise<unknown>;
  waitForFileChooser(options: { timeout: number }): Promise<{ accept(paths: string[]): Promise<void> }>;
  keyboard: Record<"press" | "type" | "down" | "up", (keys: string) => Promise<void>>;
}

export interface Element {
  click(): Promise<void>;
  evaluate<Result>(ask: (element: HTMLElement) => Result): Promise<Awaited<Result>>;
  dispose(): Promise<void>;
}
