import type { BrowserContext, Request, Response } from "@playwright/test";

export interface Exchange {
  url: string;
  method: string;
  /** True for the answer of a server action. */
  isAction: boolean;
  status: number;
  /** Head and body; empty for what is no text. */
  text: string;
}

const textual = /text\/|json|javascript|x-component|event-stream|xml/;

/** Everything that the browser of a context asks for and gets. */
export class Traffic {
  readonly urls: string[] = [];
  readonly #exchanges: Promise<Exchange | null>[] = [];

  constructor(context: BrowserContext) {
    context.on("request", (request) => this.urls.push(request.url()));
    context.on("response", (response) => this.#exchanges.push(read(response)));
  }

  /** Call it before leaving a page, which takes the bodies that were not read yet with it. */
  async settled(): Promise<void> {
    await Promise.all(this.#exchanges);
  }

  /** What has been answered so far. */
  async exchanges(): Promise<Exchange[]> {
    return (await Promise.all(this.#exchanges)).filter((one) => one !== null);
  }
}

/** Null where the answer cannot be read any more: a prefetch that Next broke off, or a page that has been closed. */
async function read(response: Response): Promise<Exchange | null> {
  const request: Request = response.request();
  try {
    const headers = await response.allHeaders();
    const body = textual.test(headers["content-type"] ?? "") ? await response.text() : "";
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

/** The sealed cookie is the one place where the credential may be. */
function withoutCookies(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name !== "set-cookie"));
}
