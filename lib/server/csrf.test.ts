import { afterEach, describe, expect, it, vi } from "vitest";
import { isSameOrigin } from "./csrf.ts";

function request(method: string, headers: Record<string, string>): Request {
  return { method, headers: new Headers(headers) } as Request;
}

afterEach(() => vi.unstubAllEnvs());

describe("isSameOrigin", () => {
  it("allows reads from anywhere", () => {
    expect(isSameOrigin(request("GET", { "sec-fetch-site": "cross-site" }))).toBe(true);
  });

  it.each(["cross-site", "same-site", "none"])("refuses a write whose Sec-Fetch-Site is %s", (site) => {
    expect(
      isSameOrigin(
        request("POST", { "sec-fetch-site": site, origin: "http://localhost:3000", host: "localhost:3000" }),
      ),
    ).toBe(false);
  });

  it("accepts a write from a page of this console", () => {
    expect(isSameOrigin(request("POST", { "sec-fetch-site": "same-origin" }))).toBe(true);
    expect(isSameOrigin(request("DELETE", { origin: "http://localhost:3000", host: "localhost:3000" }))).toBe(
      true,
    );
  });

  it("uses the Origin if a browser sends no Sec-Fetch-Site", () => {
    const host = "console.example";
    expect(isSameOrigin(request("POST", { origin: "https://evil.example", host }))).toBe(false);
    expect(isSameOrigin(request("POST", { origin: "null", host }))).toBe(false);
    expect(isSameOrigin(request("POST", { host }))).toBe(false);
  });

  it("recognises its public address behind a reverse proxy", () => {
    vi.stubEnv("NEXTAUTH_URL", "https://console.example");
    expect(isSameOrigin(request("POST", { origin: "https://console.example", host: "10.0.0.7:3000" }))).toBe(
      true,
    );
    expect(isSameOrigin(request("POST", { origin: "http://console.example", host: "10.0.0.7:3000" }))).toBe(
      false,
    );
  });
});
