import type { BrowserContext, Request, Response } from "@playwright/test";

export interface Exchange {
  url: string;
  method: string;
  /** True for the answer of a server action. */
  isAction: boolean;
  status: number;
  /** Head and body. Empty if they are not text. */
  text: string;
}

const textual = /text\/|json|javascript|x-component|event-stream|xml/;
/** Open as long as a page is, and sends only the end of its session. */
const sessionStream = "/account/sessions/current/events";

/** Records all requests and answers of a browser context. */
export class Traffic {
  readonly urls: string[] = [];
  readonly #exchanges: Promise<Exchange | null>[] = [];
  /** Stops recording. */
  readonly end: () => void;

  constructor(context: BrowserContext) {
    const onRequest = (request: Request) => this.urls.push(request.url());
    const onResponse = (response: Response) => this.#exchanges.push(read(response));
    context.on("request", onRequest);
    context.on("response", onResponse);
    this.end = () => {
      context.off("request", onRequest);
      context.off("response", onResponse);
    };
  }

  /** Call it before leaving a page, because leaving discards bodies that were not read yet. */
  async settled(): Promise<void> {
    await Promise.all(this.#exchanges);
  }

  /** All exchanges so far. */
  async exchanges(): Promise<Exchange[]> {
    return (await Promise.all(this.#exchanges)).filter((one) => one !== null);
  }
}

/** Null if the response can no longer be read: a prefetch that Next aborted, or a closed page. */
async function read(response: Response): Promise<Exchange | null> {
  const request: Request = response.request();
  try {
    const headers = await response.allHeaders();
    const isRead = textual.test(headers["content-type"] ?? "") && !response.url().endsWith(sessionStream);
    const body = isRead ? await textOf(response) : "";
    return {
      url: response.url(),
      method: request.method(),
      isAction: "next-action" in (await request.allHeaders()),
      status: response.status(),
      text: `${JSON.stringify(withoutCookies(headers))}\n${body}`,
    };
  } catch {
    return null;
  }
}

/** Files of the build, which are the same for all pages. */
const built = new Map<string, string>();

async function textOf(response: Response): Promise<string> {
  const url = response.url();
  const known = built.get(url);
  if (known !== undefined) return known;
  const text = await response.text();
  if (url.includes("/_next/static/")) built.set(url, text);
  return text;
}

/** The encrypted cookie is the only allowed place for the credential. */
function withoutCookies(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name !== "set-cookie"));
}
